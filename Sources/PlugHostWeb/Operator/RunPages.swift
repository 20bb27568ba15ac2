internal import PlugCore
internal import PlugStorage

/// One run with its requests and times, for operators.
struct RunPages: Sendable {
    private let store: any PlugStore

    init(_ store: any PlugStore) { self.store = store }

    var all: [HostRoute] {
        [
            HostRoute(.get, "/operator/connections/{connection}/runs/{run}", [.operator]) { request in
                let connection = try request.namedConnection()
                guard let id = Int64(request.parameter("run")), let run = try await store.run(id),
                    run.start.connection == connection.id
                else {
                    // Not an unknown connection: it may well exist.
                    return .redirect(to: "\(ConnectionPath(connection.id))")
                }
                let newest = try await store.runs(of: connection.id, limit: 1).first?.id
                let isLeased = try await store.isLeased(connection.id)
                let isRunning = run.endedAt == nil && newest == id && isLeased
                let text = RunText(run, for: .operator, isRunning: isRunning)
                return request.page(page(run, text, connection))
            }
        ]
    }

    private func page(_ run: StoredRun, _ text: RunText, _ connection: Connection) -> Page {
        let error: HTML? = text.trouble.map { "<dt>Error</dt><dd><code>\($0.code)</code> \($0.what)</dd>" }
        let ended: HTML? = run.endedAt.map {
            "<dt>Ended</dt><dd>\(Words.second($0))</dd><dt>Took</dt><dd>\(took($0, run))</dd>"
        }
        let word = text.word
        return Page(
            "Run \(run.id) of \(connection.id.name)",
            """
            <dl>
            <dt>Result</dt><dd><b class="\(word.style)">\(word.text)</b></dd>
            \(error)
            <dt>Began</dt><dd>\(Words.second(run.start.at))</dd>
            \(ended)
            <dt>Requests</dt><dd>\(Words.number(text.requests))</dd>
            <dt>New records</dt><dd>\(Words.number(text.delivered))</dd>
            <dt>Plug</dt><dd>\(connection.plug) \(run.start.version)</dd>
            </dl>
            <h2>Streams</h2>
            \(text.streams.isEmpty ? "<p>None yet.</p>" : StreamTable.html(text.streams))
            <p><a href="\(ConnectionPath(connection.id))">The connection</a></p>
            """
        )
    }

    private func took(_ ended: Int64, _ run: StoredRun) -> String {
        Words.seconds(Double(max(0, ended - run.start.at)) / 1_000_000)
    }
}
