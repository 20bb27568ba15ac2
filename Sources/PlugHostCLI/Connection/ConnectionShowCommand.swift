internal import ArgumentParser
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost connection show`
struct ConnectionShowCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the state of a connection: cursors, last success, what waits.",
        discussion: """
            With --json it prints one object: connection, plug, pda, created, status,
            health, due, last_run, last_success, runs_without_progress, dead_letters,
            outbox, account, streams.
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        try await state.withStoreToRead(context) { store in
            try await StreamScope.check(connection: name, in: store)
            let id = ConnectionID(name)
            guard let connection = try await store.connection(id) else { throw StoreErrors.connectionUnknown(id) }
            let summary = try await ConnectionSummary(of: connection, in: store)
            let isLeased = try await ListedConnection(summary.brief, in: store).isLeased
            answers(in: context).one(summary.json, text: ConnectionText.whole(summary, isLeased: isLeased))
        }
        return .done
    }
}
