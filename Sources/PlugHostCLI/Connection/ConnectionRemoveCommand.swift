internal import ArgumentParser
internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost connection remove`
struct ConnectionRemoveCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Erases a connection, and prints what was erased.",
        usage: "plughost connection remove <name> --erase [<options>]",
        discussion: """
            This destroys its data key, so that nothing kept for it can be read again,
            and overwrites all its rows: token, cursors, outbox, dead letters, runs.
            Records that wait in its outbox are lost. The PDA keeps what it has. The
            receipt on stdout lists what was erased.

            It may be used beside a host that runs. If a run is under way, the connection
            is paused and the command ends with 75: run it again, or add --wait 10m.

            Examples:
              plughost connection remove ada-work --erase
              plughost connection remove ada-work --erase --yes --json > receipt.json
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @Flag(help: "Confirm that everything kept for it is erased for good.")
    var erase = false

    @OptionGroup var state: StateOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "Print the receipt as one JSON object.")
    var json = false

    func validate() throws {
        guard erase else { throw ValidationError("add --erase: everything kept for the connection is erased for good") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        try await state.withStoreToRead(context) { try await StreamScope.check(connection: name, in: $0) }
        let consequence = "everything kept for connection '\(DisplayText.escaped(name))' would be erased"
        guard try await Confirmation.isWanted(consequence, yes: yes, in: context) else { return .failed }
        let receipt = try await state.withStoreToWrite(context) { store in
            try await ConnectionErasing.erase(ConnectionID(name), in: store, by: "shell", at: context.clock.now())
        }
        answers(in: context).one(receipt.json, text: receipt.text)
        if !receipt.isLogEmpty {
            context.errors.write(
                "warning: another process was reading, so old pages are still in the database's log; "
                    + "the next run empties it\n"
            )
        }
        return .done
    }
}

extension ErasureReceipt {
    /// `{"connection", "plug", "pda", "created", "erased", "key", "rows": {kind: count}, "log_emptied"}`
    fileprivate var json: JSONValue {
        .members(
            ("connection", .text(connection.name)),
            ("plug", .text(plug)),
            ("pda", .text(pda)),
            ("created", .text(Timestamp(microseconds: createdAt).rfc3339)),
            ("erased", .text(Timestamp(microseconds: erasedAt).rfc3339)),
            ("key", .text(key)),
            ("rows", .object(JSONObject(rows.map { (JSONString($0.kind), .integer($0.count)) }))),
            ("log_emptied", .bool(isLogEmpty))
        )
    }

    fileprivate var text: String {
        let rows = rows.filter { $0.count > 0 }.map { "\($0.count) \($0.kind.replacing("_", with: " "))" }
        let name = DisplayText.escaped(connection.name)
        return """
            erased connection \(name) (\(DisplayText.escaped(plug)), \(DisplayText.escaped(pda)))
              created   \(ConnectionText.time(createdAt))
              erased    \(ConnectionText.time(erasedAt))
              data key  \(key), destroyed
              rows      \(rows.isEmpty ? "none" : rows.joined(separator: ", "))

            """
    }
}
