internal import ArgumentParser

/// `plughost operator`
struct OperatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "Those who run a host, on its web pages.",
        discussion: """
            Examples:
              plughost operator link
              plughost operator link ada --public-url https://plugs.example.org
            """,
        subcommands: [OperatorLinkCommand.self]
    )
}
