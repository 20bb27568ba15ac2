internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStore

/// `plughost limits`
struct LimitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "limits",
        abstract: "What keeps requests back: rates, what sources asked for, hosts in trouble.",
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
        abstract: "Lists what is remembered of servers, by name.",
        usage: "plughost limits list [<options>]",
        discussion: """
            On a terminal a table, else one line each with tabs between name, kind,
            until when nothing goes out ('-' where only a rate is remembered), and why.
            With --json each line is an object: name, kind, until, reason. Kinds are
            source, connection and circuit.
            """
    )

    @OptionGroup var state: StateFolderOption

    @Flag(help: "One JSON object a line.")
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
        abstract: "Forgets what is remembered of a server, so that it is asked at once.",
        usage: "plughost limits forget [<options>] <name> ...",
        discussion: """
            For a host that was mended, or a limit that no longer holds. Processes that
            run keep to what they were told themselves. A forgotten rate may be passed:
            the source may refuse then, and say for how long.

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
        if names.isEmpty != all { throw ValidationError("name what to forget, or say --all") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let store = try await state.openToWrite(context)
        let known = try await store.serverNotes().map(\.name)
        if let name = names.first(where: { !known.contains($0) }) {
            await store.close()
            throw PlugError(
                "limit-unknown",
                exit: .failed,
                "nothing is remembered under '\(DisplayText.escaped(name))'",
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
