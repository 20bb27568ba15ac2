internal import ArgumentParser

/// `plughost notify`
struct NotifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Notices: who is told when someone must act.",
        discussion: """
            Examples:
              plughost notify test
              plughost notify test ops
            """,
        subcommands: [NotifyTestCommand.self]
    )
}
