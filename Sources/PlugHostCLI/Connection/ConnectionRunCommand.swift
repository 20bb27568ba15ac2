internal import ArgumentParser
internal import Connecting

/// `plughost connection run`
struct ConnectionRunCommand: ConnectionWishCommand {
    static let wish = HostConnections.Wish.run
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Makes a connection due now: the running host runs it next.",
        discussion: """
            It needs 'plughost serve'; 'plughost run' runs a plug without one. A paused
            connection is resumed. One that waits until its person connects it again is
            refused with 77 (connection-waits).
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: connection, plug, pda, status, due.")
    var json = false
}
