internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost deadletters retry`
struct DeadLettersRetryCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Sends dead letters to the PDA again.",
        usage: "plughost deadletters retry [<options>] <id> ...",
        discussion: """
            Records that the PDA accepts now, or proves to have, are removed; the others
            stay, with the newest reason. All must be of one connection, which knows its
            PDA and keeps the newest token that the PDA gave it. Records that failed in
            the manifest cannot be resent: correct the manifest and run it again.

            Examples:
              plughost deadletters retry 3
              plughost deadletters retry --all --connection ada-work --token-file token

            Exit code 0 means that none of them remains, 1 that some remain.
            """
    )

    @OptionGroup var choice: DeadLetterChoice

    @OptionGroup var resend: ResendOptions

    @Flag(help: "Print one JSON object: delivered, duplicates, kept.")
    var json = false

    var takesInterruptions: Bool { true }
    func run(in context: CommandContext) async throws -> ExitStatus {
        guard let connection = try await connection(context) else {
            tell(RetryCounts(), context)
            return .done
        }
        var counts = RetryCounts()
        var failure: (any Error)?
        do {
            try await resend.with(connection, in: context) { access in
                let retry = DeadLetterRetry(access)
                var pages = try await DeadLetterPages(choice, in: access.store)
                while let page = try await pages.next() { try await retry.send(page, counting: &counts) }
            }
        } catch {
            failure = error
        }
        if counts != RetryCounts() || failure == nil { tell(counts, context) }
        if let failure { throw failure }
        return counts.kept == 0 ? .done : .failed
    }

    /// The one connection that all of them belong to; `nil` if there are none.
    private func connection(_ context: CommandContext) async throws -> Connection? {
        try await resend.state.withStoreToRead(context) { store in
            var pages = try await DeadLetterPages(choice, in: store)
            var found: ConnectionID?
            while let page = try await pages.next() {
                for letter in page where letter.connection != found {
                    if let other = found { throw Self.ambiguous(other, letter.connection) }
                    found = letter.connection
                }
            }
            return try await store.connections().first { $0.id == found }
        }
    }

    private static func ambiguous(_ one: ConnectionID, _ other: ConnectionID) -> PlugError {
        PlugError(
            .connectionAmbiguous,
            "these dead letters are of several connections, such as '\(one)' and '\(other)'",
            advice: "each connection has its own PDA and token: use --all --connection NAME"
        )
    }

    private func tell(_ counts: RetryCounts, _ context: CommandContext) {
        answers(in: context).one(Self.payload(counts), text: Self.text(counts))
        guard !json else { return }
        if counts.raw > 0 { context.errors.write("\(DeadLetterText.mend)\n") }
        if counts.refused > 0 { context.errors.write("'plughost deadletters list' shows the new reasons\n") }
    }

    private static func payload(_ counts: RetryCounts) -> JSONValue {
        let kept = JSONValue.members(
            ("refused", .integer(counts.refused)),
            ("raw", .integer(counts.raw)),
            ("undelivered", .integer(counts.undelivered))
        )
        return .members(
            ("delivered", .integer(counts.delivered)),
            ("duplicates", .integer(counts.duplicates)),
            ("kept", kept)
        )
    }

    private static func text(_ counts: RetryCounts) -> String {
        let parts = [
            (counts.delivered, "delivered"), (counts.duplicates, "already in the PDA"),
            (counts.refused, "refused again"), (counts.raw, "cannot be resent"),
            (counts.undelivered, "not sent"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let text = parts.isEmpty ? "there was nothing to send" : parts.joined(separator: ", ")
        return switch counts.kept {
        case 0: "\(text)\n"
        case 1: "\(text); 1 remains a dead letter\n"
        default: "\(text); \(counts.kept) remain dead letters\n"
        }
    }
}
