internal import ArgumentParser

/// `plughost connection`
struct ConnectionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connection",
        abstract: "Connections: one person's set-up of one plug each.",
        discussion: """
            A connection is made by its first run. It holds cursors, what is proved to
            be in the PDA, the outbox, dead letters, the newest token and past runs.

            Examples:
              plughost connection list
              plughost connection show ada-work
              plughost connection rewind ada-work --stream edits
              plughost connection remove ada-work --erase
            """,
        subcommands: [
            ConnectionListCommand.self, ConnectionShowCommand.self, ConnectionRewindCommand.self,
            ConnectionRemoveCommand.self,
        ]
    )
}
