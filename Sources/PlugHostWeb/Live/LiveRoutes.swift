internal import PlugCore
internal import PlugStorage
internal import Syncing

/// A connection's runs as they progress, for operators.
struct LiveRoutes: Sendable {
    private let store: any PlugStore
    private let live: LiveRuns
    private let clock: any HostClock

    init(_ host: HostServer.Means) { (store, live, clock) = (host.store, host.live, host.clock) }

    var all: [HostRoute] {
        [
            HostRoute(.get, "/operator/connections/{connection}/live", [.operator]) { try await page($0) },
            HostRoute(.get, "/operator/connections/{connection}/events", [.operator]) { try events($0) },
        ]
    }

    private func page(_ request: HostRequest) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        let text = try await LiveEvents.text(of: connection.id, in: store, live)
        let status = try await store.setup(of: connection.id)?.status
        let run: HTML? =
            status == .active
            ? Page.form(to: "\(ConnectionPath(connection.id))/run", for: request, "<button>Run now</button>") : nil
        var page = Page(
            "Run of \(connection.id.name)",
            """
            <p id="live-state" role="status">\(text.state)</p>
            <div id="live" data-events="\(OperatorPath.of(connection.id, "events"))">\(text.html)</div>
            <div class="row">\(run)<a class="button plain" href="\(ConnectionPath(connection.id))">The connection</a></div>
            """
        )
        page.hasForm = true
        page.script = LiveScript.path
        page.refresh = 5
        return request.page(page)
    }

    private func events(_ request: HostRequest) throws -> HostAnswer {
        guard let events = LiveEvents(try request.namedConnection().id, in: store, live, clock: clock) else {
            throw HostRefusal.watchedByMany
        }
        var answer = HostAnswer(type: "text/event-stream")
        answer.pieces = { await events.next() }
        // Intermediaries must pass on what they have, and not wait for more.
        answer.headers.append(("X-Accel-Buffering", "no"))
        return answer
    }
}
