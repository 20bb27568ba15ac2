internal import ArgumentParser
internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage
internal import Syncing

/// `plughost connection resume`
struct ConnectionResumeCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lets a host run a connection again, at once.",
        usage: """
            plughost connection resume <name> [--reconnect] [<options>]
            plughost connection resume --reconnect [--plug <id>] [<options>]
            """,
        discussion: """
            A connection that waits until its person connects it again is refused with
            77 (connection-waits): connecting it resumes it. With --reconnect it is
            resumed all the same, for example after its owner has enabled the plug again
            at the PDA.

            --reconnect without a name resumes all connections that have run before and
            now wait for their owner, for example after this machine's clock was wrong.
            Those whose consent is really gone wait again after the next run.

            Examples:
              plughost connection resume ada-work
              plughost connection resume --reconnect --plug spotify
            """
    )

    @Argument(help: ArgumentHelp("The name, as 'list' shows it.", valueName: "name"))
    var name: String?

    @Flag(help: "Resume what waits for its owner to connect again: the named connection, or all.")
    var reconnect = false

    @Option(help: ArgumentHelp("With --reconnect: those of this plug only.", valueName: "id"))
    var plug: String?

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: connection, plug, pda, status, due; with --reconnect: resumed.")
    var json = false

    func validate() throws {
        if name == nil, !reconnect { throw ValidationError("give a name, or --reconnect") }
        if plug != nil, name != nil || !reconnect { throw ValidationError("--plug is for --reconnect without a name") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        guard let name else {
            let count = try await state.withStoreToWrite(context) { try await takeUpAll(in: $0, context) }
            answers(in: context).one(
                .members(("resumed", .integer(count))),
                text: "resumed \(count.counted("connection"))\n"
            )
            return .done
        }
        let change = try await state.withStoreToWrite(context) { store in
            try await ConnectionChange.make(name, .resume, isConnected: reconnect, in: store, state, context)
        }
        answers(in: context).one(change.json, text: change.text)
        return .done
    }

    /// Page by page, as there may be very many.
    private func takeUpAll(in store: SQLiteStore, _ context: CommandContext) async throws -> Int {
        var search = ConnectionSearch(limit: 500)
        (search.plug, search.status) = (plug, .reconnect)
        let plugs = HostPlugs(ServedPlugs.known(in: state, context))
        let connections = HostConnections(store, plugs, clock: context.clock, bell: Bell())
        var count = 0
        repeat {
            try Task.checkCancellation()
            let found = try await store.connections(search)
            for connection in found.connections {
                // One that never ran waits for its person, who is about to connect it.
                guard try await !store.runs(of: connection.id, limit: 1).isEmpty else { continue }
                do {
                    try await connections.wish(.resume, for: connection, isConnected: true, by: "shell")
                    count += 1
                } catch let error as PlugError where error.exit == .configuration {
                    // What this host lacks, or a set-up that cannot be read: the others go on.
                    let name = DisplayText.escaped(connection.id.name)
                    context.errors.write("warning: \(name) is not resumed: [\(error.code)] \(error.message)\n")
                }
            }
            search.after = found.next
        } while search.after != nil
        return count
    }
}
