internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost outbox show`
struct OutboxShowCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a batch with all its records.",
        discussion: "The records are the person's data: take care where you show them."
    )

    @Argument(help: ArgumentHelp("The number, as 'list' shows it.", valueName: "id"))
    var id: Int64

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object, as in 'list', with the list 'records'.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let stored = try await state.withStoreToRead(context) { try await $0.outboxBatch(id) }
        guard let stored else { throw OutboxText.unknown(id) }
        answers(in: context).one(
            OutboxText.json(stored, withRecords: true),
            text: OutboxText.whole(stored, isForTerminal: context.outputIsTerminal)
        )
        return .done
    }
}
