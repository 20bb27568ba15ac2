internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost deadletters drop`
struct DeadLettersDropCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Erases dead letters for good.",
        usage: "plughost deadletters drop [<options>] <id> ...",
        discussion: """
            Later runs do not send these records again, except with --resend.

            Examples:
              plughost deadletters drop 3 4
              plughost deadletters drop --all --connection ada-work --yes
            """
    )

    @OptionGroup var choice: DeadLetterChoice
    @OptionGroup var state: StateOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "Print one JSON object: dropped.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let count = try await count(context)
        guard count > 0 else { return tell(0, context) }
        guard try await Confirmation.isWanted("\(count.counted("dead letter")) would be erased", yes: yes, in: context)
        else {
            return .failed
        }
        var dropped = 0
        do {
            try await state.withStoreToWrite(context) { try await drop(&dropped, $0) }
        } catch {
            if dropped > 0 { _ = tell(dropped, context) }
            throw error
        }
        return tell(dropped, context)
    }

    /// Erases page by page, each connection's while no run has it.
    private func drop(_ dropped: inout Int, _ store: any PlugStore) async throws {
        var pages = try await DeadLetterPages(choice, in: store)
        while let page = try await pages.next() {
            for (connection, letters) in Dictionary(grouping: page, by: \.connection.name).sorted(by: {
                $0.key < $1.key
            }) {
                let kept = KeptRecords(of: ConnectionID(connection), in: store)
                dropped += try await kept.drop(deadLetters: letters.map(\.id))
            }
        }
    }

    /// The number selected; no state is created if there is none yet.
    private func count(_ context: CommandContext) async throws -> Int {
        try await state.withStoreToRead(context) { store in
            var pages = try await DeadLetterPages(choice, in: store)
            var count = 0
            while let page = try await pages.next() { count += page.count }
            return count
        }
    }

    private func tell(_ dropped: Int, _ context: CommandContext) -> ExitStatus {
        answers(in: context).one(
            .members(("dropped", .integer(dropped))),
            text: dropped == 0 ? "there was nothing to erase\n" : "erased \(dropped.counted("dead letter"))\n"
        )
        return .done
    }
}
