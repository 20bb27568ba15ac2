internal import ArgumentParser

/// `plughost apikey`
struct APIKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apikey",
        abstract: "Keys for programs that use a host's API.",
        discussion: """
            Examples:
              plughost apikey add backup --scope connections:read
              plughost apikey list
              plughost apikey remove backup
            """,
        subcommands: [APIKeyAddCommand.self, APIKeyListCommand.self, APIKeyRemoveCommand.self]
    )
}
