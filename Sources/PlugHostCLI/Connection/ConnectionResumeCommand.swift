internal import ArgumentParser
internal import PlugStorage

/// `plughost connection resume`
struct ConnectionResumeCommand: ConnectionSetupCommand {
    static let status = ConnectionSetup.Status.active
    static let change = "resumed"
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
}
