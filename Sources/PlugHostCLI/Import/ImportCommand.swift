internal import ArgumentParser

/// `plughost import`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a plug of another system's manifest.",
        subcommands: [ImportAirbyteCommand.self]
    )
}
