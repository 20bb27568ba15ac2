internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost limits`
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "Remembered limits: rates, waits that sources asked for, failing hosts.",
        discussion: """
            Examples:
              plughost limits list
              plughost limits forget 'host pda ada.example:443'
            """,
        subcommands: [LimitsListCommand.self, LimitsForgetCommand.self]
    )
}

/// `plughost limits list`
struct LimitsListCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists remembered limits, by name.",
        usage: "plughost limits list [<options>]",
        discussion: """
            Prints a table on a terminal. Otherwise it prints one line per entry,
            separated by tabs: name, kind, the time until which no request is sent ('-'
            if only a rate is remembered), and the reason. With --json each line is an
            object: name, kind, until, reason. Kinds are source, connection and circuit.
            """
    )

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        let notes = try await store.serverNotes().sorted { $0.name < $1.name }
        await store.close()
        var rows: [[String]] = []
        for limit in notes.compactMap({ RememberedLimit($0, clock: context.clock) }) {
            if json {
                let until = limit.until.map { JSONValue.text(Timestamp(microseconds: $0).rfc3339) } ?? .null
                context.answer(
                    .members(
                        ("name", .text(limit.name)),
                        ("kind", .text(limit.kind.rawValue)),
                        ("until", until),
                        ("reason", .text(limit.reason))
                    )
                )
                continue
            }
            let columns = [limit.name, limit.kind.rawValue, ConnectionText.time(limit.until), limit.reason]
            rows.append(columns.map { DisplayText.escaped($0) })
        }
        if context.outputIsTerminal, !rows.isEmpty {
            let table = TextTable.aligned([["name", "kind", "until", "why"]] + rows, limits: [60, 12, 20, 60])
            context.output.write(table)
        } else {
            for row in rows { context.output.write(row.joined(separator: "\t") + "\n") }
        }
        context.output.flush()
        return .done
    }
}

/// `plughost limits forget`
struct LimitsForgetCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forgets remembered limits, so that requests are sent at once.",
        usage: "plughost limits forget [<options>] <name> ...",
        discussion: """
            Use it for a host that works again, or for a limit that no longer applies.
            Running processes keep the limits that they know. After a rate is forgotten
            requests may exceed it; the source may then refuse them and ask for a wait.

            Examples:
              plughost limits forget 'host source api.example.org:443'
              plughost limits forget --all
            """
    )

    @Argument(help: ArgumentHelp("Names, as 'list' shows them.", valueName: "name"))
    var names: [String] = []

    @Flag(help: "All of them.")
    var all = false

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: forgotten.")
    var json = false

    var speaksJSON: Bool { json }

    func validate() throws {
        if names.isEmpty != all { throw ValidationError("give names of limits, or --all") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let store = try await state.openToWrite(context)
        let known = try await store.serverNotes().map(\.name)
        if let name = names.first(where: { !known.contains($0) }) {
            await store.close()
            throw PlugError(
                .limitUnknown,
                "no limit is remembered under '\(DisplayText.escaped(name))'",
                advice: Spelling.question(name, in: known) ?? "'plughost limits list' shows the names"
            )
        }
        let meant = all ? known : names
        try await store.keepServerNotes(meant.map { .removal(of: $0) })
        await store.close()
        if json {
            context.answer(.members(("forgotten", .integer(meant.count))))
        } else {
            context.output.write("forgot \(meant.count == 1 ? "1 limit" : "\(meant.count) limits")\n")
        }
        return .done
    }
}
