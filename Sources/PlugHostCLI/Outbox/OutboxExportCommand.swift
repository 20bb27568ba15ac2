internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// `plughost outbox export`
struct OutboxExportCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes waiting records to stdout, one line of JSON each.",
        usage: "plughost outbox export [<options>] <id> ...",
        discussion: """
            Each line is {"data": record, "endpoint": "namespace/endpoint"}, in the order
            of sending. Nothing is changed, and nothing is hidden. The records are the
            person's data: take care where you put them.

            Examples:
              plughost outbox export 3 > batch.ndjson
              plughost outbox export --all --connection ada-work > outbox.ndjson
            """
    )

    @OptionGroup var choice: OutboxChoice
    @OptionGroup var state: StateFolderOption

    func run(in context: CommandContext) async throws -> ExitStatus {
        try await state.withStoreToRead(context) { store in
            try await choice.forEach(in: store) { stored in
                context.output.write(OutboxText.lines(stored))
                context.output.flush()
            }
        }
        return .done
    }
}
