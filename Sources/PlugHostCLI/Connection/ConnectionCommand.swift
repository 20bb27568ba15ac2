internal import ArgumentParser

/// `plughost connection`
struct ConnectionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connection",
        abstract: "Connections: one person's configuration of one plug each.",
        discussion: """
            The first run creates a connection. It holds cursors, the ledger of what is
            proved to be in the PDA, the outbox, dead letters, the newest token and past
            runs.

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
