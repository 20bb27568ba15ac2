internal import ArgumentParser
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost connection list`
struct ConnectionListCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists connections and their state.",
        usage: "plughost connection list [<options>]",
        discussion: """
            Prints a table on a terminal. Otherwise it prints one line per connection,
            separated by tabs: name, plug, PDA, outcome of the last run, last success,
            runs in a row without progress, batches that wait, dead letters. With --json
            each line is an object, as in 'show'.
            """
    )

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let store = try await state.openToRead(context)
        var rows: [[String]] = []
        var count = 0
        for connection in try await store.connections() where !context.output.isClosed {
            let summary = try await ConnectionSummary(of: connection, in: store)
            count += 1
            if json {
                context.answer(summary.json)
            } else if context.outputIsTerminal {
                rows.append(ConnectionText.columns(summary))
            } else {
                context.output.write(ConnectionText.columns(summary).joined(separator: "\t") + "\n")
            }
        }
        if !rows.isEmpty { context.output.write(ConnectionText.table([ConnectionText.header] + rows)) }
        context.output.flush()
        await store.close()
        if count == 0, !json {
            context.errors.write("there are no connections in \(DisplayText.escaped(try state.folder(context)))\n")
        }
        return .done
    }
}
