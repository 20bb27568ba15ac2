internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost outbox list`
struct OutboxListCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists waiting batches, without their content.",
        usage: "plughost outbox list [<options>]",
        discussion: """
            The connection whose batch has waited longest comes first. Prints a table on
            a terminal. Otherwise it prints one line per batch, separated by tabs: id,
            connection, stream, since, records and size. With --json each line is an
            object: id, connection, stream, endpoint, time, records, bytes.

            Examples:
              plughost outbox list
              plughost outbox list --connection ada-work --json
            """
    )

    @OptionGroup var scope: StreamScope
    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        try await StreamScope.check(connection: scope.connection, in: store)
        let connection = scope.connection.map { ConnectionID($0) }
        var rows: [[String]] = []
        var count = 0
        for outbox in try await store.outboxes(of: connection) {
            guard scope.stream == nil || scope.stream == outbox.stream.stream else { continue }
            var after: Int64 = 0
            while let stored = try await store.outbox(of: outbox.stream, after: after, limit: 1).first {
                after = stored.id
                guard !context.output.isClosed else { break }
                if json {
                    context.answer(OutboxText.json(stored, withRecords: false))
                } else if context.outputIsTerminal {
                    rows.append(OutboxText.columns(stored))
                } else {
                    context.output.write(OutboxText.columns(stored).joined(separator: "\t") + "\n")
                }
                count += 1
            }
        }
        if !rows.isEmpty { context.output.write(OutboxText.table([OutboxText.header] + rows)) }
        context.output.flush()
        await store.close()
        if count == 0, !json {
            let such = scope.isEmpty ? "" : "matching "
            let folder = DisplayText.escaped(try state.folder(context))
            context.errors.write("no \(such)records are waiting in \(folder)\n")
        }
        return .done
    }
}
