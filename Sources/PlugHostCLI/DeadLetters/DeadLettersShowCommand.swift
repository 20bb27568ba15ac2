internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost deadletters show`
struct DeadLettersShowCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a dead letter with its record.",
        discussion: """
            The record is the person's data: take care where you show it. Members that the
            manifest of the stream's last run marks as sensitive are hidden. A record that
            failed in such a manifest is hidden as a whole, because it is not known which
            of its members they come from.
            """
    )

    @Argument(help: ArgumentHelp("The number, as 'list' shows it.", valueName: "id"))
    var id: Int64

    @OptionGroup var state: StateFolderOption
    @OptionGroup var hidden: RevealOption

    @Flag(help: "Print one JSON object, as in 'list', with 'record'.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let letter = try await state.withStoreToRead(context) { store in
            let letter = try await DeadLetterPages.letter(id, in: store)
            var records = HiddenRecords(in: store)
            return hidden.reveal ? letter : try await records.shown(letter)
        }
        answers(in: context).one(
            DeadLetterText.json(letter, withRecord: true),
            text: DeadLetterText.whole(letter, isForTerminal: context.outputIsTerminal)
        )
        if !json { context.errors.write("\n\(DeadLetterText.advice(letter))\n") }
        return .done
    }
}
