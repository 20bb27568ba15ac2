internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// A command that makes one call and prints the object that the PDA answers.
protocol PDAObjectCommand: HostCommand {
    var access: PDAAccess { get }
    var json: Bool { get }
    /// The call; it gives the object.
    func call(_ client: PDA) async throws(PDAError) -> JSONValue
}

extension PDAObjectCommand {
    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let object = try await access.withClient(in: context) { client throws(PDAError) in try await call(client) }
        PDAAnswer(context: context, isJSON: json).one(object)
        return .done
    }
}
