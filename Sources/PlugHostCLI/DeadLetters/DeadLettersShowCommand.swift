internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost deadletters show`
struct DeadLettersShowCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a dead letter with its record.",
        discussion: "The record is the person's data: take care where you show it."
    )

    @Argument(help: ArgumentHelp("The number, as 'list' shows it.", valueName: "id"))
    var id: Int64

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object, as in 'list', with 'record'.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        let letter = try await DeadLetterPages.letter(id, in: store)
        await store.close()
        if json {
            context.answer(DeadLetterText.json(letter, withRecord: true))
        } else {
            context.output.write(DeadLetterText.whole(letter, isForTerminal: context.outputIsTerminal))
            context.output.flush()
            context.errors.write("\n\(DeadLetterText.advice(letter))\n")
        }
        return .done
    }
}
