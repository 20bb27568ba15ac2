internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda data add`
struct PDADataAddCommand: PDACallCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Stores records: all of them, or none.",
        discussion: """
            The file holds a value, a list of values, or one value per line; - is stdin.
            --skip-errors stores what the PDA accepts and lists the values that it did
            not return: they were stored before, or were not accepted. With --json:
            {"stored", "not_returned"}, the second with positions from 0.
            """
    )

    @Argument(help: ArgumentHelp("Such as notes/mine.", valueName: "namespace/endpoint"))
    var endpoint: String

    @Argument(help: ArgumentHelp("A file with JSON.", valueName: "file"))
    var file = "-"

    @OptionGroup var access: PDAAccess

    @Flag(help: "Store what can be stored.")
    var skipErrors = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let values = try PDAInput.list(file)
        let created = try await access.withClient(in: context) { client throws(PDAError) in
            try await client.create(values, at: endpoint, skipErrors: skipErrors)
        }
        let missing = created.notReturned
        let stored = values.count - missing.count
        var sentence = "stored \(stored) of \(values.count) in \(endpoint)"
        if !missing.isEmpty {
            sentence += "; not returned: \(missing.map { String($0) }.joined(separator: ", "))"
        }
        answers(in: context).one(
            .members(("stored", .integer(stored)), ("not_returned", .array(missing.map { .integer($0) }))),
            text: sentence + "\n"
        )
        return missing.isEmpty ? .done : .failed
    }
}
