internal import ArgumentParser
internal import HTTPTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStore

/// `plughost deadletters retry`
struct DeadLettersRetryCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Sends dead letters to the PDA again.",
        discussion: """
            What the PDA takes now, or proves to have, is a dead letter no more; the
            others stay, with the newest reason. All must be of one connection. Records
            that the manifest could not take were never in a form to be sent: mend the
            manifest and run it again.

            Examples:
              plughost deadletters retry 3 --plug Plugs/wikipedia \\
                --pda https://you.example --token-file token
              plughost deadletters retry --all --connection ada-work --plug plug.yaml …

            Exit code 0 means that none of them is left, 1 that some stay.
            """
    )

    @OptionGroup var choice: DeadLetterChoice

    @Option(help: ArgumentHelp("The connection's plug, which says where records go.", valueName: "path"))
    var plug: String

    @OptionGroup var pda: PDAOptions
    @OptionGroup var state: StateOptions
    @OptionGroup var network: NetworkOptions

    @Flag(help: "Print one JSON object: delivered, duplicates, kept.")
    var json = false

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let address = try pda.address()
        let token = try pda.token()
        let manifest = try Manifests.load(plug, in: context)
        guard let connection = try await connection(context) else {
            return tell(RetryCounts(), context)
        }
        let transport = try network.transport(pda: address)
        let store = try await state.openToWrite(context)
        var counts = RetryCounts()
        var failure: (any Error)?
        do {
            let retry = try await DeadLetterRetry(
                manifest: manifest,
                connection: connection,
                pda: address.origin,
                token: token,
                store: store,
                transport: transport,
                clock: context.clock
            )
            for warning in retry.warnings {
                context.errors.write(DisplayText.escaped("warning: [\(warning.code)] \(warning.message)") + "\n")
            }
            var pages = try await DeadLetterPages(choice, in: store)
            while let page = try await pages.next() { try await retry.send(page, counting: &counts) }
        } catch {
            failure = error
        }
        await store.close()
        await transport.shutDown()
        if counts != RetryCounts() || failure == nil { _ = tell(counts, context) }
        if let failure { throw failure }
        return counts.kept == 0 ? .done : .failed
    }

    /// The one connection that all of them belong to, `nil` where there are none.
    private func connection(_ context: CommandContext) async throws -> ConnectionID? {
        let store = try await state.openToRead(context)
        var pages = try await DeadLetterPages(choice, in: store)
        var found: ConnectionID?
        while let page = try await pages.next() {
            for letter in page where letter.connection != found {
                if let other = found {
                    throw PlugError(
                        "connection-ambiguous",
                        exit: .usage,
                        "these dead letters belong to '\(other)', '\(letter.connection)' and perhaps others",
                        advice: "each connection has its own plug and token: say --all --connection NAME"
                    )
                }
                found = letter.connection
            }
        }
        await store.close()
        return found
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
            (counts.delivered, "delivered"), (counts.duplicates, "in the PDA already"),
            (counts.refused, "refused again"), (counts.raw, "not in a form to be sent"),
            (counts.undelivered, "not sent"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let text = parts.isEmpty ? "there was nothing to send" : parts.joined(separator: ", ")
        let rest = counts.kept == 0 ? "" : "; \(counts.kept) still dead"
        context.output.write("\(text)\(rest)\n")
        context.output.flush()
        if counts.raw > 0 { context.errors.write("\(DeadLetterText.mend)\n") }
        if counts.refused > 0 { context.errors.write("'plughost deadletters list' shows the new reasons\n") }
        return .done
    }
}
