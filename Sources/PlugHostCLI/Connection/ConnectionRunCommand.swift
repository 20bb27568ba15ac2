internal import ArgumentParser
internal import PlugStorage

/// `plughost connection run`
struct ConnectionRunCommand: ConnectionSetupCommand {
    static let status = ConnectionSetup.Status.active
    static let change = "run now"
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Makes a connection due now: the running host runs it next.",
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
}
