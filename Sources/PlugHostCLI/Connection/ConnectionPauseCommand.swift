internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost connection pause`
struct ConnectionPauseCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stops a host from running a connection, until it is resumed.",
        discussion: """
            A run that is under way goes on to its end. Commands can still run it.
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: connection, plug, pda, status, due.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let change = try await state.withStoreToWrite(context) { store in
            try await ConnectionChange.make(name, .paused, dueAt: nil, "paused", in: store, context)
        }
        answers(in: context).one(change.json, text: change.text)
        return .done
    }
}
