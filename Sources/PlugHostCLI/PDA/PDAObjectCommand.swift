internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// A command that calls a PDA.
protocol PDACallCommand: AnsweringCommand {
    var access: PDAAccess { get }
}

extension PDACallCommand {
    var takesInterruptions: Bool { true }
}

/// A command that makes one call and prints the object that the PDA returns.
protocol PDAObjectCommand: PDACallCommand {
    /// The call; it returns the object.
    func call(_ client: PDA) async throws(PDAError) -> JSONValue
}

extension PDAObjectCommand {
    func run(in context: CommandContext) async throws -> ExitStatus {
        let object = try await access.withClient(in: context) { client throws(PDAError) in try await call(client) }
        answers(in: context).document(object)
        return .done
    }
}
