internal import ArgumentParser

/// `plughost operator`
struct OperatorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator",
        abstract: "The operators of a host, who use its web pages.",
        discussion: """
            Examples:
              plughost operator link
              plughost operator link ada --public-url https://plugs.example.org
            """,
        subcommands: [OperatorLinkCommand.self]
    )
}
