internal import ArgumentParser

/// `plughost state`
struct StateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "The state folder as a whole: check it, prune it, bring it up to date.",
        discussion: """
            Examples:
              plughost state check
              plughost state prune
              plughost state migrate --dry-run
            """,
        subcommands: [StateCheckCommand.self, StatePruneCommand.self, StateMigrateCommand.self]
    )
}
