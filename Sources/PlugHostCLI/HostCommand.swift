internal import ArgumentParser
internal import PlugCore

/// A command with its own work: `run(in:)` calls library functions and tells their results.
protocol HostCommand: ParsableCommand, Sendable {
    /// Does the work. A thrown `PlugError` is told, and its status is the program's.
    func run(in context: CommandContext) async throws -> ExitStatus
    /// Whether Ctrl-C and SIGTERM cancel the work, so that it can end in order, instead of ending the process.
    var takesInterruptions: Bool { get }
    /// Whether Ctrl-C and SIGTERM are how the work ends well once it is under way, as for a server.
    var endsByInterruption: Bool { get }
    /// Whether errors are told as JSON.
    var speaksJSON: Bool { get }
}

extension HostCommand {
    var takesInterruptions: Bool { false }
    var endsByInterruption: Bool { false }
    var speaksJSON: Bool { false }
}
