internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost deadletters show`
struct DeadLettersShowCommand: AnsweringCommand {
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

    func run(in context: CommandContext) async throws -> ExitStatus {
        let letter = try await state.withStoreToRead(context) { try await DeadLetterPages.letter(id, in: $0) }
        answers(in: context).one(
            DeadLetterText.json(letter, withRecord: true),
            text: DeadLetterText.whole(letter, isForTerminal: context.outputIsTerminal)
        )
        if !json { context.errors.write("\n\(DeadLetterText.advice(letter))\n") }
        return .done
    }
}
