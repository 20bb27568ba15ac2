internal import ArgumentParser

/// `plughost state`
struct StateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "The state folder as a whole: check it, prune it.",
        discussion: """
            Examples:
              plughost state check
              plughost state prune
            """,
        subcommands: [StateCheckCommand.self, StatePruneCommand.self]
    )
}
