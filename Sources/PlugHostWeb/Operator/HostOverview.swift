internal import PlugCore
internal import PlugStorage
internal import Syncing
internal import Throttling

/// The operators' start page: the status of the whole host. All of it is read from sums, whatever the host's size.
struct HostOverview {
    private let span: TimeSpan
    private let states: StateTable
    private let troubles: [TroubleCount]
    private let charts: RunCharts
    private let errors: [ErrorCount]
    private let plugs: PlugTable
    private let limits: [RememberedLimit]
    private let hours: [OutboxHour]
    private let waiting: [WaitingStream]
    private let letters: Int
    private let now: Int64

    /// The number of each kind shown.
    private static let shown = 10

    init(
        _ span: TimeSpan,
        in store: any PlugStore,
        _ plugs: HostPlugs,
        _ throttling: RequestThrottling,
        clock: any HostClock
    ) async throws {
        now = clock.now()
        self.span = span
        troubles = try await store.troubleCounts()
        states = StateTable(try await store.connectionCounts(), troubles)
        let first = span.starts(until: now).first ?? 0
        charts = RunCharts(try await store.runSums(of: nil, since: first), span, now: now)
        errors = try await store.errorCounts(of: nil, since: first, limit: Self.shown)
        self.plugs = try await PlugTable(in: store, plugs, clock: clock, limit: Self.shown)
        limits = throttling.heldBack()
        hours = try await store.outboxHours()
        waiting = try await store.longestWaiting(limit: Self.shown)
        letters = try await store.deadLetterSize(of: nil).letters
    }

    func page(for request: HostRequest) -> Page {
        Page(
            "Overview",
            """
            <p class="quiet">You are logged in as \(request.visitor.auditName).
            <a href="\(OperatorPath.changes)">Keys and log-ins</a></p>
            <h2>Connections</h2>
            \(states.html)
            <h2>Runs</h2>
            \(span.links(on: OperatorPath.overview))
            \(charts.html)
            <h2>Most frequent errors</h2>
            \(ErrorTable.html(errors, troubles))
            <h2>Plugs</h2>
            \(plugs.html)
            <p><a href="\(OperatorPath.plugs)">All plugs</a></p>
            <h2>Services and PDAs that currently get no requests</h2>
            \(held)
            <h2>Records that wait for their PDA</h2>
            \(outbox)
            """
        )
    }

    // MARK: Limits and circuits

    private var held: HTML {
        if limits.isEmpty {
            return
                "<p>None: no service has asked to wait, and no server fails too often, as far as this host's runs have seen.</p>"
        }
        let rows = limits.prefix(Self.shown * 5).map { limit -> HTML in
            let kind = limit.kind == .circuit ? "fails too often" : "asked to wait"
            return """
                <tr><th scope="row">\(limit.place)</th><td>\(kind)</td><td>\(limit.until.map(Words.time) ?? "")</td>\
                <td>\(limit.kind == .circuit ? limit.reason : "")</td></tr>
                """
        }
        let more: HTML? =
            limits.count > rows.count ? "<p class=\"quiet\">And \(limits.count - rows.count) more.</p>" : nil
        return "\(DataTable.html("Limits", columns: ["Where", "What", "Until", "Why"], rows))\(more)"
    }

    // MARK: The outbox

    /// The upper bounds of age groups, in hours.
    private static let ages: [(name: String, hours: Int64)] = [
        ("Up to 1 hour", 1), ("Up to 1 day", 24), ("Up to 7 days", 24 * 7), ("Longer", .max),
    ]

    private var outbox: HTML {
        let dead: HTML? =
            letters > 0
            ? "<p>Dead letters: \(Words.number(letters)). They stay until somebody sends them again or erases them.</p>"
            : nil
        if hours.isEmpty { return "<p>Nothing is waiting.</p>\(dead)" }
        var (rows, from): ([HTML], Int64) = ([], .min)
        for (name, until) in Self.ages {
            let some = hours.filter { hour in
                let age = SummaryHour.of(now) - hour.hour
                return age >= from && age < until
            }
            from = until
            let records = some.reduce(0) { $0 + $1.records }
            let (batches, bytes) = some.reduce((0, 0)) { ($0.0 + $1.size.batches, $0.1 + $1.size.bytes) }
            rows.append(
                """
                <tr><th scope="row">\(name)</th><td>\(Words.number(records))</td><td>\(Words.number(batches))</td>\
                <td>\(Words.bytes(bytes))</td></tr>
                """
            )
        }
        let oldest = waiting.map { one -> HTML in
            let path = OperatorPath.of(one.stream.connection, "outbox")
            return """
                <li><a href="\(path)">\(one.stream.connection.name)</a> · \(Words.stream(one.stream.stream))
                <span class="quiet">since \(Words.time(one.since))</span></li>
                """
        }
        return """
            \(DataTable.html("Outbox", columns: ["Waits for", "Records", "Batches", "Size"], rows))
            <h3>Longest</h3>
            <ul class="plain">\(oldest.joined())</ul>
            \(dead)
            """
    }
}

extension RememberedLimit {
    /// Its subject, without the terms by which it is stored.
    fileprivate var place: String {
        for (start, word) in [("host pda ", "PDA "), ("host source ", ""), ("limits ", "")] where name.hasPrefix(start)
        {
            return word + name.dropFirst(start.count)
        }
        return name
    }
}
