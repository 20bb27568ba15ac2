internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost outbox show`
struct OutboxShowCommand: HostCommand {
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

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        let stored = try await store.outboxBatch(id)
        await store.close()
        guard let stored else { throw OutboxText.unknown(id) }
        if json {
            context.answer(OutboxText.json(stored, withRecords: true))
        } else {
            context.output.write(OutboxText.whole(stored, isForTerminal: context.outputIsTerminal))
        }
        context.output.flush()
        return .done
    }
}
