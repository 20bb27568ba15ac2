internal import ArgumentParser

/// The name of the connection that a command makes or finds.
struct ConnectionOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The connection's name (default: derived from plug, PDA and configuration).",
            valueName: "name"
        )
    )
    var connection: String?
}
