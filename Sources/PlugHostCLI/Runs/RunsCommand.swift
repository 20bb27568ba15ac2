internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStore

/// `plughost runs`
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "Past runs, with their numbers and how they ended.",
        discussion: """
            The newest hundred of each connection are remembered, and always the last
            one that ended and the last one that was done.

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
            On a terminal a table, else one line each with tabs between id, connection,
            when it began, when it ended, outcome and error code. With --json each line
            is an object: id, connection, plug_version, began, ended, outcome, error. A
            run without an end goes on, or was killed.
            """
    )

    @Option(help: ArgumentHelp("Only those of this connection.", valueName: "name"))
    var connection: String?

    @Option(help: ArgumentHelp("At most so many.", valueName: "number"))
    var limit = 50

    @OptionGroup var state: StateFolderOption

    @Flag(help: "One JSON object a line.")
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
        abstract: "Shows what a run did, as 'run --json' printed it.",
        discussion: """
            One JSON object: the run's id, connection, plug_version, began, ended,
            outcome, error, and its report with the numbers and cursor of each stream.
            """
    )

    @Argument(help: ArgumentHelp("Its number, as 'list' shows it.", valueName: "id"))
    var id: Int64

    @OptionGroup var state: StateFolderOption

    var speaksJSON: Bool { true }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        let run = try await store.run(id)
        await store.close()
        guard let run, var object = run.summary.object else {
            throw PlugError(
                "run-unknown",
                exit: .failed,
                "there is no run \(id) here",
                advice: "'plughost runs list' shows those that are remembered; --state DIR names another state folder"
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
