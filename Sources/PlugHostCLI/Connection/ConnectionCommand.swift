internal import ArgumentParser

/// `plughost connection`
struct ConnectionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connection",
        abstract: "Connections: each is one person's configuration of one plug.",
        discussion: """
            'run' and 'connect' create a connection; 'add' makes one that a host runs by
            itself (plughost serve). It holds cursors, the ledger of what is
            proved to be in the PDA, the outbox, dead letters, the newest token and past
            runs.

            Examples:
              plughost connection list
              plughost connection show ada-work
              plughost connection add ada-work Plugs/wikipedia --config user='Ada L' \\
                --pda https://you.example --token-file token
              plughost connection pause ada-work
              plughost connection rewind ada-work --stream edits
              plughost connection remove ada-work --erase
            """,
        subcommands: [
            ConnectionAddCommand.self, ConnectionListCommand.self, ConnectionShowCommand.self,
            ConnectionPauseCommand.self, ConnectionResumeCommand.self, ConnectionRunCommand.self,
            ConnectionRewindCommand.self, ConnectionRemoveCommand.self,
        ]
    )
}
