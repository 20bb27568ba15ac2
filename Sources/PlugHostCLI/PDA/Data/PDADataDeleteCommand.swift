internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda data delete`
struct PDADataDeleteCommand: PDACallCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes records by their ids, or all records of an endpoint.",
        discussion: """
            Asks for confirmation on a terminal; elsewhere it needs --yes. With --json:
            {"deleted"}, the number of records, or null for a whole endpoint.
            """
    )

    @Argument(help: ArgumentHelp("All records of exactly this endpoint.", valueName: "namespace/endpoint"))
    var endpoint: String?

    @Option(help: ArgumentHelp("A record's id. Repeatable.", valueName: "id"))
    var id: [String] = []

    @OptionGroup var access: PDAAccess

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if id.isEmpty == (endpoint == nil) { throw ValidationError("name records with --id, or one endpoint") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let what =
            endpoint.map { "all records in \(DisplayText.escaped($0))" }
            ?? id.count.counted("record")
        guard try await Confirmation.isWanted("\(what) would be deleted", yes: yes, in: context) else { return .failed }
        if let endpoint {
            try await access.withClient(in: context) { client throws(PDAError) in
                try await client.deleteAll(at: endpoint)
            }
            answers(in: context).one(.members(("deleted", .null)), text: "deleted \(what)\n")
            return .done
        }
        let deletion = try await access.withClient(in: context) { client throws(PDAError) in
            await client.deleteInParts(records: id)
        }
        let count = deletion.deleted.count
        answers(in: context).one(
            .members(("deleted", .integer(count))),
            text: "deleted \(count) of \(id.count) records\n"
        )
        if let error = deletion.error { throw PDAErrorText.plugError(error) }
        return .done
    }
}
