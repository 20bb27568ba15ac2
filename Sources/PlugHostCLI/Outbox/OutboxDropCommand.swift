internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost outbox drop`
struct OutboxDropCommand: AnsweringCommand {
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

    func run(in context: CommandContext) async throws -> ExitStatus {
        var meant = (batches: 0, records: 0)
        try await state.withStoreToRead(context) { store in
            try await choice.forEach(in: store) {
                meant = (meant.batches + 1, meant.records + $0.batch.records.entries.count)
            }
        }
        guard meant.batches > 0 else { return tell(meant, context) }
        let consequence = "\(Self.text(meant)) would be erased unsent"
        guard try await Confirmation.isWanted(consequence, yes: yes, in: context) else { return .failed }
        var dropped = (batches: 0, records: 0)
        var failure: (any Error)?
        let store = try await state.openToWrite(context)
        do {
            try await lend(store, closing: { await $0.close() }) { try await drop(&dropped, $0) }
        } catch {
            failure = error
        }
        let status = tell(dropped, context)
        if let failure { throw failure }
        return status
    }

    private func drop(_ dropped: inout (batches: Int, records: Int), _ store: any PlugStore) async throws {
        try await choice.forEach(in: store) { stored in
            let count = try await KeptRecords(of: stored.stream.connection, in: store).drop(batches: [stored.id])
            dropped = (dropped.batches + count, dropped.records + count * stored.batch.records.entries.count)
        }
    }

    private func tell(_ dropped: (batches: Int, records: Int), _ context: CommandContext) -> ExitStatus {
        answers(in: context).one(
            .members(("dropped", .integer(dropped.batches)), ("records", .integer(dropped.records))),
            text: dropped.batches == 0 ? "there was nothing to erase\n" : "erased \(Self.text(dropped))\n"
        )
        return .done
    }

    private static func text(_ count: (batches: Int, records: Int)) -> String {
        "\(count.batches.counted("batch", "batches")) with \(count.records.counted("record"))"
    }
}
