internal import ArgumentParser

/// `plughost import`
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes a plug from another system's manifest.",
        discussion: """
            Example:
              plughost import airbyte manifest.yaml -o books
            """,
        subcommands: [ImportAirbyteCommand.self]
    )
}
