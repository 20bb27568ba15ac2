internal import ArgumentParser
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost connection list`
struct ConnectionListCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists connections and their state.",
        usage: "plughost connection list [<options>]",
        discussion: """
            Prints a table on a terminal. Otherwise it prints one line per connection,
            separated by tabs: name, plug, PDA, status, outcome of the last run, last
            success, runs in a row without progress, batches that wait, dead letters. With
            --json each line is an object, as in 'show'.
            """
    )

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let count = try await state.withStoreToRead(context) { store in
            var list = ListPrinter(ConnectionText.list, answers(in: context))
            for connection in try await store.connections() where !context.output.isClosed {
                list.add(try await ConnectionSummary(of: connection, in: store))
            }
            list.flush()
            return list.count
        }
        if count == 0, !json {
            context.errors.write("there are no connections in \(DisplayText.escaped(try state.folder(context)))\n")
        }
        return .done
    }
}
