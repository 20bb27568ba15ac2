internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost outbox show`
struct OutboxShowCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a batch with all its records.",
        discussion: """
            The records are the person's data: take care where you show them. Members that
            the manifest of the stream's last run marks as sensitive are hidden.
            """
    )

    @Argument(help: ArgumentHelp("The number, as 'list' shows it.", valueName: "id"))
    var id: Int64

    @OptionGroup var state: StateFolderOption
    @OptionGroup var sensitive: RevealOption

    @Flag(help: "Print one JSON object, as in 'list', with the list 'records'.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let (stored, hidden) = try await state.withStoreToRead(context) { store in
            guard let stored = try await store.outboxBatch(id) else { throw OutboxText.unknown(id) }
            var records = HiddenRecords(in: store)
            return (stored, sensitive.reveal ? HiddenMembers() : try await records.of(stored.stream))
        }
        answers(in: context).one(
            OutboxText.json(stored, withRecords: true, hiding: hidden),
            text: OutboxText.whole(stored, hiding: hidden, isForTerminal: context.outputIsTerminal)
        )
        return .done
    }
}
