internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost deadletters retry`
struct DeadLettersRetryCommand: HostCommand {
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
    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        guard let connection = try await connection(context) else {
            return tell(RetryCounts(), context)
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
        if counts != RetryCounts() || failure == nil { _ = tell(counts, context) }
        if let failure { throw failure }
        return counts.kept == 0 ? .done : .failed
    }

    /// The one connection that all of them belong to, `nil` if there are none.
    private func connection(_ context: CommandContext) async throws -> Connection? {
        let store = try await resend.state.openToRead(context)
        var pages = try await DeadLetterPages(choice, in: store)
        var found: ConnectionID?
        while let page = try await pages.next() {
            for letter in page where letter.connection != found {
                if let other = found {
                    throw PlugError(
                        .connectionAmbiguous,
                        "these dead letters are of several connections, such as '\(other)' and '\(letter.connection)'",
                        advice: "each connection has its own PDA and token: use --all --connection NAME"
                    )
                }
                found = letter.connection
            }
        }
        let connections = try await store.connections()
        await store.close()
        return connections.first { $0.id == found }
    }

    private func tell(_ counts: RetryCounts, _ context: CommandContext) -> ExitStatus {
        if json {
            let kept: [JSONObject.Member] = [
                ("refused", .integer(counts.refused)), ("raw", .integer(counts.raw)),
                ("undelivered", .integer(counts.undelivered)),
            ]
            let members: [JSONObject.Member] = [
                ("delivered", .integer(counts.delivered)), ("duplicates", .integer(counts.duplicates)),
                ("kept", .object(JSONObject(kept))),
            ]
            context.answer(.object(JSONObject(members)))
            context.output.flush()
            return .done
        }
        let parts = [
            (counts.delivered, "delivered"), (counts.duplicates, "already in the PDA"),
            (counts.refused, "refused again"), (counts.raw, "cannot be resent"),
            (counts.undelivered, "not sent"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let text = parts.isEmpty ? "there was nothing to send" : parts.joined(separator: ", ")
        let rest =
            switch counts.kept {
            case 0: ""
            case 1: "; 1 remains a dead letter"
            default: "; \(counts.kept) remain dead letters"
            }
        context.output.write("\(text)\(rest)\n")
        context.output.flush()
        if counts.raw > 0 { context.errors.write("\(DeadLetterText.mend)\n") }
        if counts.refused > 0 { context.errors.write("'plughost deadletters list' shows the new reasons\n") }
        return .done
    }
}
