internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost connection rewind`
struct ConnectionRewindCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "rewind",
        abstract: "Resets a connection's cursors, so that the next run reads from the beginning.",
        usage: "plughost connection rewind <name> [<options>]",
        discussion: """
            Use it when the source will never reach the saved cursor: it was restored,
            restarted its numbers, or gave one wrong number. The next run begins where the
            first one did. Records known to be in the PDA are not sent
            again; the PDA recognises those that plughost has forgotten. The outbox and the
            dead letters stay. Streams that a program reads share one position, so
            they are rewound together: leave --stream out.

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

    func run(in context: CommandContext) async throws -> ExitStatus {
        let known = try await state.withStoreToRead(context) { store in
            try await StreamScope.check(connection: name, in: store)
            return try await store.streamNames(of: ConnectionID(name))
        }
        if let stream, !known.contains(stream) { throw Self.unknown(stream, known) }
        let which = stream.map { "stream '\(DisplayText.escaped($0))' of connection" } ?? "all streams of connection"
        let consequence = "\(which) '\(DisplayText.escaped(name))' would be read from the beginning again"
        guard try await Confirmation.isWanted(consequence, yes: yes, in: context) else { return .failed }
        let rewound = try await state.withStoreToWrite(context) { store in
            // A run in progress would overwrite it with its own position.
            let lease = try await store.lease(ConnectionID(name))
            defer { lease.end() }
            return try await store.rewind(ConnectionID(name), stream: stream)
        }
        let names = rewound.map { DisplayText.escaped($0) }.joined(separator: ", ")
        answers(in: context).one(
            .members(("rewound", .array(rewound.map { .text($0) }))),
            text: rewound.isEmpty
                ? "there was nothing to forget\n" : "the next run reads from the beginning: \(names)\n"
        )
        return .done
    }

    private static func unknown(_ stream: String, _ known: [String]) -> PlugError {
        let names = known.map { DisplayText.escaped($0) }
        return PlugError(
            .streamUnknown,
            "the state has no stream '\(DisplayText.escaped(stream))'",
            advice: Spelling.question(stream, in: known)
                ?? (names.isEmpty
                    ? "the connection has not run yet" : "the streams are: \(names.joined(separator: ", "))")
        )
    }
}
