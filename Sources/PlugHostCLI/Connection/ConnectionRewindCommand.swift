internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost connection rewind`
struct ConnectionRewindCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewind",
        abstract: "Resets a connection's cursors, so that the next run reads from the beginning.",
        usage: "plughost connection rewind <name> [<options>]",
        discussion: """
            Use it when the source will never reach the saved cursor: it was restored,
            restarted its numbers, or gave one wrong number. The next run begins where
            the first one did, or at --since. Records known to be in the PDA are not
            sent again; the PDA recognises those that plughost has forgotten. The outbox
            and the dead letters stay.

            Examples:
              plughost connection show ada-work
              plughost connection rewind ada-work --stream edits
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String

    @Option(help: ArgumentHelp("Only this stream.", valueName: "stream"))
    var stream: String?

    @OptionGroup var state: StateOptions

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @Flag(help: "Print one JSON object: rewound, the streams' names.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let reader = try await state.openToRead(context)
        try await StreamScope.check(connection: name, in: reader)
        let known = try await reader.streamNames(of: ConnectionID(name))
        await reader.close()
        if let stream, !known.contains(stream) { throw Self.unknown(stream, known) }
        let which = stream.map { "stream '\(DisplayText.escaped($0))' of connection" } ?? "all streams of connection"
        let consequence = "\(which) '\(DisplayText.escaped(name))' would be read from the beginning again"
        guard try await Confirmation.isWanted(consequence, yes: yes, in: context) else { return .failed }
        let store = try await state.openToWrite(context)
        let rewound: [String]
        do {
            // A run that continues would write its own place over it.
            let lease = try await store.lease(ConnectionID(name))
            rewound = try await store.rewind(ConnectionID(name), stream: stream)
            lease.end()
        } catch {
            await store.close()
            throw error
        }
        await store.close()
        if json {
            context.answer(.members(("rewound", .array(rewound.map { .text($0) }))))
        } else if rewound.isEmpty {
            context.output.write("there was nothing to forget\n")
        } else {
            let names = rewound.map { DisplayText.escaped($0) }.joined(separator: ", ")
            context.output.write("the next run reads from the beginning: \(names)\n")
        }
        return .done
    }

    private static func unknown(_ stream: String, _ known: [String]) -> PlugError {
        let names = known.map { DisplayText.escaped($0) }
        return PlugError(
            .streamUnknown,
            "the state has no stream '\(DisplayText.escaped(stream))'",
            advice: Spelling.question(stream, in: known)
                ?? "the streams are: \(names.isEmpty ? "none" : names.joined(separator: ", "))"
        )
    }
}
