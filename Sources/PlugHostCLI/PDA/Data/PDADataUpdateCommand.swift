internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda data update`
struct PDADataUpdateCommand: PDACallCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Replaces the data of records: all of them, or none.",
        discussion: """
            The file holds records as 'get' prints them, {"endpoint", "recordId",
            "data"}: one, a list, or one per line; - is stdin. Prints the changed
            records.
            """
    )

    @Argument(help: ArgumentHelp("A file with JSON.", valueName: "file"))
    var file = "-"

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON per record.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let values = try PDAInput.list(file)
        let changed = try await access.withClient(in: context) { client throws(PDAError) in
            var records: [DataRecord] = []
            for value in values { records.append(try DataRecord(json: value)) }
            return try await client.update(records)
        }
        return answers(in: context)
            .list(changed, ["record", "data"], limits: [36, 200]) { [$0.recordID ?? "-", $0.data.compactText] }
    }
}
