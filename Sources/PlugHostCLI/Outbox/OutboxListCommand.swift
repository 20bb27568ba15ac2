internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost outbox list`
struct OutboxListCommand: AnsweringCommand {
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

    func run(in context: CommandContext) async throws -> ExitStatus {
        let count = try await state.withStoreToRead(context) { store in
            var list = ListPrinter(OutboxText.list, answers(in: context))
            try await OutboxBatches(scope, in: store).forEach { stored in
                guard !context.output.isClosed else { return false }
                list.add(stored)
                return true
            }
            list.flush()
            return list.count
        }
        if count == 0, !json {
            let such = scope.isEmpty ? "" : "matching "
            let folder = DisplayText.escaped(try state.folder(context))
            context.errors.write("no \(such)records are waiting in \(folder)\n")
        }
        return .done
    }
}
