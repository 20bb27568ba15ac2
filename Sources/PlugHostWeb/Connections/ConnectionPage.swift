internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// The page of one connection: its status, its recent records, and the available actions.
struct ConnectionPage {
    private let connection: Connection
    private let manifest: Manifest?
    private let setup: ConnectionSetup?
    private let account: ConnectionAccount?
    private let runs: [StoredRun]
    /// The number of the run in progress.
    private let running: Int64?
    private let refused: Int
    private let waiting: Int
    private let changes: [AuditEntry]
    private let choice: StreamChoice?
    private let now: Int64
    private var reader: RunTrouble.Reader
    /// Whether it is shown to someone other than its owner, who cannot do what the owner can.
    private var isPreview = false
    /// What only operators see.
    private let more: OperatorSections?

    /// The number of runs and changes shown.
    private static let shown = 20

    init(
        _ connection: Connection,
        for visitor: Visitor,
        in store: any PlugStore,
        _ plugs: HostPlugs,
        clock: any HostClock
    ) async throws {
        self.connection = connection
        reader = if case .person = visitor { .person } else { .operator }
        manifest = plugs.current.manifests[connection.plug]
        setup = try await store.setup(of: connection.id)
        account = try await ConnectionAccount(of: connection, in: store)
        (runs, running) = try await Self.runs(of: connection.id, in: store)
        refused = try await store.deadLetterSize(of: connection.id).letters
        let outboxes = try await store.outboxes(of: connection.id)
        waiting = outboxes.reduce(0) { $0 + $1.size.batches }
        more =
            reader == .operator
            ? try await OperatorSections(connection, outboxes, letters: refused, in: store) : nil
        changes = try await store.audit(of: connection.id)
        // A set-up that cannot be read must not hide anything else, least of all how to disconnect.
        choice = if let manifest { try? await StreamChoice(connection, manifest, in: store) } else { nil }
        now = clock.now()
    }

    /// The latest runs, and the number of the one in progress.
    private static func runs(
        of connection: ConnectionID,
        in store: any PlugStore
    ) async throws -> ([StoredRun], running: Int64?) {
        let runs = try await store.runs(of: connection, limit: shown)
        guard let first = runs.first, first.endedAt == nil else { return (runs, nil) }
        if try await store.isLeased(connection) { return (runs, first.id) }
        // No process is running it: either it has just ended, or its process has died.
        return (try await store.runs(of: connection, limit: shown), nil)
    }

    private var name: String { manifest.map { PlugFacts($0).name } ?? connection.plug }
    private var path: ConnectionPath { ConnectionPath(connection.id) }
    /// Whether its source was ever connected.
    private var isNew: Bool { setup?.status == .reconnect && account == nil && runs.isEmpty }

    func page(for request: HostRequest, problem: String?) async throws -> Page {
        var page = Page(
            name,
            status: problem == nil ? 200 : 422,
            """
            \(facts)
            \(state)
            \(actions(request))
            \(more?.links)
            \(preview)
            \(more?.html)
            <h2>History</h2>
            \(history)
            \(streams(request, problem))
            <h2>Disconnect</h2>
            <ul class="plain">
            <li><a href="\(path)/disconnect">Disconnect</a> <span class="quiet">It can be connected again.</span></li>
            <li><a href="\(path)/erase">Erase</a> <span class="quiet">Everything that this host keeps about it.</span></li>
            </ul>
            \(log)
            """
        )
        page.hasForm = true
        return page
    }

    /// What its owner reads first.
    private var preview: HTML? {
        if reader == .person { return nil }
        var page = self
        (page.reader, page.isPreview) = (.person, true)
        let state = page.state
        return """
            <details><summary>What the person sees</summary>
            \(page.facts)\(state ?? "")</details>
            """
    }

    // MARK: Status

    private var facts: HTML {
        let who: HTML? = account?.who.map { "<dt>Account</dt><dd>\($0)</dd>" }
        let state = ConnectionState(setup?.status, connection.trouble)
        let word = state.word(for: reader)
        let since: HTML? = state.since(for: reader).map { " <span class=\"quiet\">\($0)</span>" }
        let text = isNew ? "Not connected yet" : word.text
        let next: HTML? = next.map { "<dt>Next run</dt><dd>\($0)</dd>" }
        return """
            <dl>
            <dt>State</dt><dd><b class="\(word.style)">\(text)</b>\(since)</dd>
            \(next)
            \(who)
            <dt>To</dt><dd>\(Words.pda(connection.pda))</dd>
            <dt>Name</dt><dd>\(connection.id.name)</dd>
            </dl>
            """
    }

    private var next: HTML? {
        guard setup?.status == .active, let dueAt = setup?.dueAt else { return nil }
        if running != nil { return "running now" }
        return dueAt <= now ? "at once" : Words.time(dueAt)
    }

    /// What needs attention.
    private var state: HTML? {
        let source: HTML = "<a class=\"button\" href=\"\(path)/source\">Connect the account</a>"
        let pda: HTML =
            "<a class=\"button\" href=\"\(PlugPages.path(connection.plug, "/connect"))\">Log in at the PDA</a>"
        func sheet(_ what: String, _ advice: String, _ button: HTML?, _ code: String? = nil) -> HTML {
            let way: HTML? = button.flatMap { reader == .person && !isPreview ? "<p class=\"row\">\($0)</p>" : nil }
            let small: HTML? = code.map { "<p class=\"quiet\">\($0)</p>" }
            return
                "<section class=\"sheet\" aria-label=\"What to do\"><p><b>\(what)</b></p><p>\(advice)</p>\(way)\(small)</section>"
        }
        if manifest == nil {
            return sheet(
                "This host no longer offers the plug.",
                "Nothing is copied. You can erase the connection.",
                nil
            )
        }
        let trouble = runs.first { $0.endedAt != nil }.map { RunText($0, for: reader) }?.trouble
        switch setup?.status {
        case .disabled:
            let advice =
                reader == .person
                ? "Enable it there, or log in at your PDA again."
                : "Its person has to enable it there, or log in at their PDA again."
            return sheet(ConnectionSetup.Status.disabledSentence(for: reader), advice, pda)
        case .reconnect:
            if isNew { return sheet("The account is not connected yet.", "It takes a minute.", source) }
            if let trouble, trouble.remedy == .pda { return sheet(trouble.what, trouble.advice, pda, trouble.code) }
            if let trouble, trouble.remedy == .source {
                return sheet(trouble.what, trouble.advice, source, trouble.code)
            }
            return sheet("The account is not connected.", "Connect it, and it continues where it stopped.", source)
        case .active, .paused, nil:
            var sheets: HTML = ""
            if let trouble {
                let button: HTML? = trouble.remedy == .source ? source : trouble.remedy == .pda ? pda : nil
                sheets += sheet(trouble.what, trouble.advice, button, trouble.code)
            }
            if waiting > 0 {
                sheets += sheet(
                    "Some records wait for \(reader == .person ? "your" : "the person's") PDA.",
                    "It has not accepted them yet. They are kept encrypted, and sent again.",
                    nil
                )
            }
            if refused > 0 {
                sheets += sheet(
                    "\(refused.counted("record")) could not be stored.",
                    "The PDA or the plug refused them. They are kept; whoever runs this host can see why.",
                    nil
                )
            }
            return sheets
        }
    }

    private func actions(_ request: HostRequest) -> HTML? {
        func button(_ action: String, _ text: String, isPlain: Bool = true) -> HTML {
            let style: HTML? = isPlain ? " class=\"plain\"" : nil
            return Page.form(to: "\(path)/\(action)", for: request, "<button\(style)>\(text)</button>")
        }
        let again: HTML? =
            reader == .person ? "<a class=\"button plain\" href=\"\(path)/source\">Connect again</a>" : nil
        switch setup?.status {
        case .active:
            return
                "<div class=\"row\">\(button("run", "Run now", isPlain: false))\(button("pause", "Pause"))\(again)</div>"
        case .paused: return "<div class=\"row\">\(button("resume", "Resume", isPlain: false))\(again)</div>"
        case .reconnect, .disabled, nil: return nil
        }
    }

    // MARK: What came, and what is wanted

    private var history: HTML {
        if runs.isEmpty { return "<p>Nothing yet.</p>" }
        let rows = runs.map { RunText($0, for: reader, isRunning: $0.id == running).row }
        let columns = ["When", "Result", "New records"] + (reader == .operator ? ["Requests", "Took"] : [])
        return DataTable.html("Runs", columns: columns, rows)
    }

    private func streams(_ request: HostRequest, _ problem: String?) -> HTML? {
        guard setup != nil,
            let fields = choice?.html("Streams", given: problem == nil ? nil : request.form, problem: problem)
        else {
            return nil
        }
        return """
            <h2>What is copied</h2>
            \(Page.form(to: "\(path)/streams", for: request, "\(fields)<button class=\"plain\">Save</button>"))
            """
    }

    private var log: HTML? {
        if changes.isEmpty { return nil }
        return """
            <details><summary>Who changed what</summary>
            \(ChangeTable.html(changes.prefix(Self.shown), for: reader))</details>
            """
    }
}
