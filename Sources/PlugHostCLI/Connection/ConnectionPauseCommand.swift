internal import ArgumentParser
internal import Connecting

/// `plughost connection pause`
struct ConnectionPauseCommand: ConnectionWishCommand {
    static let wish = HostConnections.Wish.pause
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stops a host from running a connection, until it is resumed.",
        discussion: """
            A run that is under way continues to its end. Commands can still run it.
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: connection, plug, pda, status, due.")
    var json = false
}
