internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost runs list`
struct RunsListCommand: AnsweringCommand {
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

    func run(in context: CommandContext) async throws -> ExitStatus {
        let runs = try await state.withStoreToRead(context) { store in
            try await StreamScope.check(connection: connection, in: store)
            return try await store.runs(of: connection.map { ConnectionID($0) }, limit: limit)
        }
        answers(in: context).list(runs, as: Self.list)
        return .done
    }

    private static let list = ListForm<StoredRun>(
        header: ["id", "connection", "began", "ended", "outcome", "error"],
        limits: [12, 32, 20, 20, 12, 28],
        columns: { run in
            [
                "\(run.id)", run.start.connection.name, ConnectionText.time(run.start.at),
                ConnectionText.time(run.endedAt), run.outcome ?? "not ended",
                run.summary["error"]?["code"]?.stringText ?? "-",
            ]
        },
        payload: { $0.summary }
    )
}
