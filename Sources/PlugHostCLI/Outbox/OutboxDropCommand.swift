internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost outbox drop`
struct OutboxDropCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Erases waiting batches for good.",
        usage: "plughost outbox drop [<options>] <id> ...",
        discussion: """
            The records are not sent, and later runs do not send them either, except
            with --resend. To keep a copy, use 'plughost outbox export' first.

            Examples:
              plughost outbox drop 3 4
              plughost outbox drop --all --connection ada-work --yes
            """
    )

    @OptionGroup var choice: OutboxChoice
    @OptionGroup var state: StateOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "Print one JSON object: dropped, records.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        var meant = (batches: 0, records: 0)
        let reader = try await state.openToRead(context)
        try await choice.forEach(in: reader) {
            meant = (meant.batches + 1, meant.records + $0.batch.records.entries.count)
        }
        await reader.close()
        guard meant.batches > 0 else { return tell(0, 0, context) }
        let batches = meant.batches == 1 ? "1 batch" : "\(meant.batches) batches"
        let consequence = "\(batches) with \(RunSummary.records(meant.records)) would be erased unsent"
        guard try await Confirmation.isWanted(consequence, yes: yes, in: context) else { return .failed }
        let store = try await state.openToWrite(context)
        var dropped = (batches: 0, records: 0)
        var failure: (any Error)?
        do {
            try await choice.forEach(in: store) { stored in
                // A run that sends it just now has to have ended.
                let lease = try await store.lease(stored.stream.connection)
                defer { lease.end() }
                let count = try await store.removeOutboxBatches([stored.id])
                dropped = (dropped.batches + count, dropped.records + count * stored.batch.records.entries.count)
            }
        } catch {
            failure = error
        }
        await store.close()
        let status = tell(dropped.batches, dropped.records, context)
        if let failure { throw failure }
        return status
    }

    private func tell(_ batches: Int, _ records: Int, _ context: CommandContext) -> ExitStatus {
        if json {
            context.answer(.members(("dropped", .integer(batches)), ("records", .integer(records))))
        } else if batches == 0 {
            context.output.write("there was nothing to erase\n")
        } else {
            let text = batches == 1 ? "1 batch" : "\(batches) batches"
            context.output.write("erased \(text) with \(RunSummary.records(records))\n")
        }
        return .done
    }
}
