internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost outbox retry`
struct OutboxRetryCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Sends waiting records to the PDA, without reading the source.",
        usage: "plughost outbox retry [<options>]",
        discussion: """
            The batches of a stream are sent in order. A connection knows its PDA and
            keeps the newest token that the PDA gave it.

            Examples:
              plughost outbox retry
              plughost outbox retry --connection ada-work --token-file token

            Exit code 0 means that the outbox is empty, 1 that records became dead
            letters. After 75 nothing is lost: try again later.
            """
    )

    @Option(help: ArgumentHelp("The connection to send for (default: the one whose records wait).", valueName: "name"))
    var connection: String?

    @OptionGroup var resend: ResendOptions

    @Flag(help: "Print one JSON object: drained, dead_letters, waiting.")
    var json = false

    var takesInterruptions: Bool { true }
    func run(in context: CommandContext) async throws -> ExitStatus {
        guard let connection = try await waiting(context) else {
            tell(OutboxTally(), context)
            return .done
        }
        var tally = OutboxTally()
        var stop: PlugError?
        try await resend.with(connection, in: context) { access in
            (tally, stop) = try await OutboxRetry(access).run()
        }
        tell(tally, context)
        if let stop { throw stop }
        return tally.deadLetters == 0 ? .done : .failed
    }

    /// The selected connection; `nil` if nothing waits.
    private func waiting(_ context: CommandContext) async throws -> Connection? {
        try await resend.state.withStoreToRead(context) { store in
            try await StreamScope.check(connection: connection, in: store)
            let outboxes = try await store.outboxes(of: connection.map { ConnectionID($0) })
            let names = Set(outboxes.map(\.stream.connection.name))
            if names.count > 1 { throw Self.ambiguous(names) }
            return try await store.connections().first { names.contains($0.id.name) }
        }
    }

    private static func ambiguous(_ names: Set<String>) -> PlugError {
        PlugError(
            .connectionAmbiguous,
            "records of \(names.count) connections wait: "
                + names.sorted().prefix(5).map { DisplayText.escaped($0) }.joined(separator: ", "),
            advice: "each connection has its own PDA and token: use --connection NAME"
        )
    }

    private func tell(_ tally: OutboxTally, _ context: CommandContext) {
        let parts = [
            (tally.drained, "\(tally.drained) now in the PDA"),
            (tally.deadLetters, tally.deadLetters.counted("dead letter")),
            (tally.waiting, tally.waitingText),
        ].filter { $0.0 > 0 }.map(\.1)
        let text = parts.isEmpty ? "there was nothing to send" : parts.joined(separator: ", ")
        answers(in: context).one(tally.json, text: text + "\n")
    }
}
