internal import ArgumentParser

/// `plughost outbox`
struct OutboxCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Records that wait for their PDA.",
        discussion: """
            When a PDA cannot accept records, they are kept here, encrypted, and later
            records queue behind them. Each run sends them first; 'retry' sends them
            without reading the source. They are removed when the PDA has them, or with
            their connection.

            Examples:
              plughost outbox list
              plughost outbox show 3
              plughost outbox retry --connection ada-work
              plughost outbox export 3 > batch.ndjson
              plughost outbox drop 3
            """,
        subcommands: [
            OutboxListCommand.self, OutboxShowCommand.self, OutboxRetryCommand.self, OutboxExportCommand.self,
            OutboxDropCommand.self,
        ]
    )
}
