internal import ArgumentParser
internal import PlugCore

/// A command with its own work: `run(in:)` calls library functions and reports their results.
protocol RunnableCommand: ParsableCommand, Sendable {
    /// Does the work. A thrown `PlugError` is reported, and its status is the program's.
    func run(in context: CommandContext) async throws -> ExitStatus
    /// Whether Ctrl-C and SIGTERM cancel the work, so that it can end cleanly, instead of ending the process.
    var takesInterruptions: Bool { get }
    /// Whether Ctrl-C and SIGTERM are the normal way to end the work once it is running, as for a server.
    var endsByInterruption: Bool { get }
    /// Whether errors are reported as JSON.
    var speaksJSON: Bool { get }
}

extension RunnableCommand {
    var takesInterruptions: Bool { false }
    var endsByInterruption: Bool { false }
    var speaksJSON: Bool { false }
}
