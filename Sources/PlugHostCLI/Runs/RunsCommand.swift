internal import ArgumentParser

/// `plughost runs`
struct RunsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "Past runs, with their results.",
        discussion: """
            plughost keeps the newest hundred runs of each connection, and always the
            last one that ended and the last one that succeeded.

            Examples:
              plughost runs list --connection ada-work
              plughost runs show 17
            """,
        subcommands: [RunsListCommand.self, RunsShowCommand.self]
    )
}
