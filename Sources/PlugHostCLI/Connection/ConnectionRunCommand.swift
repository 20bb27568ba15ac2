internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost connection run`
struct ConnectionRunCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Makes a connection due now: the host that runs here does it next.",
        discussion: """
            It needs 'plughost serve'; 'plughost run' runs a plug without one. A paused
            connection is resumed.
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: connection, plug, pda, status, due.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let change = try await state.withStoreToWrite(context) { store in
            try await ConnectionChange.make(name, .active, dueAt: context.clock.now(), "run now", in: store, context)
        }
        answers(in: context).one(change.json, text: change.text)
        return .done
    }
}
