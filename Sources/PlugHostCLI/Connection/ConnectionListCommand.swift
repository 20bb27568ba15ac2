internal import ArgumentParser
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost connection list`
struct ConnectionListCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists connections and their state.",
        usage: "plughost connection list [<options>]",
        discussion: """
            Prints a table on a terminal. Otherwise it prints one line per connection,
            separated by tabs: name, plug, PDA, state, code of what is wrong, outcome
            of the last run, last success, runs in a row without progress, batches that
            wait, dead letters. With --json each line is an object, as in 'show', but
            without 'account' and 'streams'.

            The state is active, paused, reconnect or disabled; an active connection
            whose runs fail is failing, and one whose PDA takes nothing, or whose
            service asks to wait, is waiting.

            Examples:
              plughost connection list --status failing
              plughost connection list --plug spotify --code source-unauthorised --json
            """
    )

    @Option(help: ArgumentHelp("Only those of this plug.", valueName: "id"))
    var plug: String?

    @Option(
        help: ArgumentHelp(
            "Only those in this state: \(ConnectionSearch.states.joined(separator: ", ")).",
            valueName: "state"
        )
    )
    var status: String?

    @Option(help: ArgumentHelp("Only those whose runs fail with this code.", valueName: "code"))
    var code: String?

    @Option(help: ArgumentHelp("How many at most.", valueName: "number"))
    var limit: Int?

    @OptionGroup var state: StateFolderOption

    @Flag(help: "Print one JSON object per line.")
    var json = false

    /// How many are read at a time.
    private static let page = 500

    func validate() throws {
        var search = ConnectionSearch(limit: 1)
        if let status, !search.narrow(to: status) {
            throw ValidationError("--status is one of: \(ConnectionSearch.states.joined(separator: ", "))")
        }
        if let limit, limit < 1 { throw ValidationError("--limit is 1 or more") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let count = try await state.withStoreToRead(context) { store in
            var list = ListPrinter(ConnectionText.list, answers(in: context))
            var search = ConnectionSearch(limit: Self.page)
            (search.plug, search.code) = (plug, code)
            if let status { _ = search.narrow(to: status) }
            repeat {
                try Task.checkCancellation()
                search.limit = min(Self.page, (limit ?? .max) - list.count)
                let found = try await store.briefs(search)
                for brief in found.briefs { list.add(try await ListedConnection(brief, in: store)) }
                search.after = found.next
            } while search.after != nil && list.count < limit ?? .max && !context.output.isClosed
            list.flush()
            return list.count
        }
        if count == 0, !json {
            let which = [plug, status, code].contains { $0 != nil } ? "no such connections" : "no connections"
            context.errors.write("there are \(which) in \(DisplayText.escaped(try state.folder(context)))\n")
        }
        return .done
    }
}

/// A connection, and whether it runs at the moment.
struct ListedConnection {
    let brief: ConnectionBrief
    /// Whether it is leased, as it is while it runs.
    let isLeased: Bool

    init(_ brief: ConnectionBrief, in store: any PlugStore) async throws {
        self.brief = brief
        isLeased = brief.lastRun.map { $0.endedAt == nil } == true ? try await store.isLeased(brief.id) : false
    }
}
