internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost runs`
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "Past runs, with their results.",
        discussion: """
            plughost keeps the newest hundred runs of each connection, and always the
            last one that ended and the last one that succeeded.

            Examples:
              plughost runs list --connection ada-work
              plughost runs show 17
            """,
        subcommands: [RunsListCommand.self, RunsShowCommand.self]
    )
}

/// `plughost runs list`
struct RunsListCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists runs, newest first.",
        usage: "plughost runs list [<options>]",
        discussion: """
            Prints a table on a terminal. Otherwise it prints one line per run,
            separated by tabs: id, connection, begin, end, outcome and error code. With
            --json each line is an object: id, connection, plug_version, began, ended,
            outcome, error. A run without an end is still running, or was killed.
            """
    )

    @Option(help: ArgumentHelp("Only this connection.", valueName: "name"))
    var connection: String?

    @Option(help: ArgumentHelp("How many at most.", valueName: "number"))
    var limit = 50

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        try await StreamScope.check(connection: connection, in: store)
        let runs = try await store.runs(of: connection.map { ConnectionID($0) }, limit: limit)
        await store.close()
        let rows = runs.map(Self.columns)
        if json {
            for run in runs { context.answer(run.summary) }
        } else if context.outputIsTerminal, !rows.isEmpty {
            let header = ["id", "connection", "began", "ended", "outcome", "error"]
            context.output.write(TextTable.aligned([header] + rows, limits: [12, 32, 20, 20, 12, 28]))
        } else {
            for row in rows { context.output.write(row.joined(separator: "\t") + "\n") }
        }
        context.output.flush()
        return .done
    }

    private static func columns(_ run: StoredRun) -> [String] {
        [
            "\(run.id)", run.start.connection.name, ConnectionText.time(run.start.at), ConnectionText.time(run.endedAt),
            run.outcome ?? "not ended", run.summary["error"]?["code"]?.stringText ?? "-",
        ].map { DisplayText.escaped($0) }
    }
}

/// `plughost runs show`
struct RunsShowCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the report of a run, as 'run --json' printed it.",
        discussion: """
            One JSON object: the run's id, connection, plug_version, began, ended,
            outcome, error, and its report with the numbers and cursor of each stream.
            """
    )

    @Argument(help: ArgumentHelp("The number, as 'list' shows it.", valueName: "id"))
    var id: Int64

    @OptionGroup var state: StateFolderOption

    var speaksJSON: Bool { true }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        let run = try await store.run(id)
        await store.close()
        guard let run, var object = run.summary.object else {
            throw PlugError(
                .runUnknown,
                "there is no run \(id) here",
                advice: "'plughost runs list' shows the numbers; --state DIR names another state folder"
            )
        }
        object["report"] = (try? JSONValue(parsing: run.report)) ?? .null
        if context.outputIsTerminal {
            context.output.write(PrettyJSON(isForTerminal: true).text(.object(object)) + "\n")
        } else {
            context.answer(.object(object))
        }
        context.output.flush()
        return .done
    }
}
