internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost connection resume`
struct ConnectionResumeCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lets a host run a connection again, at once.",
        discussion: """
            Also after the person has connected again, or the PDA has enabled the plug.
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: connection, plug, pda, status, due.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let change = try await state.withStoreToWrite(context) { store in
            try await ConnectionChange.make(name, .active, dueAt: context.clock.now(), "resumed", in: store, context)
        }
        answers(in: context).one(change.json, text: change.text)
        return .done
    }
}
