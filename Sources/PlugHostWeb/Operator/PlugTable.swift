internal import PlugCore
internal import PlugStorage
internal import Syncing

/// The plugs of a host with the outcomes of their last day's runs, those that fail most first.
struct PlugTable {
    private struct Row {
        var plug: String
        var connections: Int
        var rate: FailureRate
        var error: String?
    }

    /// The number of plugs whose failures are listed.
    private static let explained = 20

    private let rows: [Row]
    private let plugs: HostPlugs

    /// - Parameter limit: The number of plugs; `nil` for all that the host serves or has connections of.
    init(in store: any PlugStore, _ plugs: HostPlugs, clock: any HostClock, limit: Int? = nil) async throws {
        let since = SummaryHour.of(clock.now()) - 23
        let runs = try await store.runCounts(since: since)
        let connections = Dictionary(try await store.connectionCounts().map { ($0.plug, $0.connections) }) { $0 + $1 }
        let names = Set(plugs.current.manifests.keys).union(runs.keys).union(connections.keys)
        var rows = names.map { name in
            Row(plug: name, connections: connections[name] ?? 0, rate: FailureRate(runs[name] ?? [:]))
        }
        rows.sort { ($1.rate.failed, $1.connections, $0.plug) < ($0.rate.failed, $0.connections, $1.plug) }
        // Plugs without connections or runs have nothing to show.
        if let limit {
            let told = rows.filter { $0.rate.runs > 0 || $0.connections > 0 }
            rows = (told.isEmpty ? rows : told).prefix(limit).map { $0 }
        }
        for at in rows.indices.prefix(Self.explained) where rows[at].rate.failed > 0 {
            rows[at].error = try await store.errorCounts(of: rows[at].plug, since: since, limit: 1).first?.code
        }
        (self.rows, self.plugs) = (rows, plugs)
    }

    var html: HTML {
        let rows = rows.map { row -> HTML in
            let name = plugs.current.manifests[row.plug].map { PlugFacts($0).name } ?? row.plug
            return """
                <tr><th scope="row"><a href="\(OperatorPath.plug(row.plug))">\(name)</a></th>\
                <td>\(Words.number(row.connections))</td><td>\(Words.number(row.rate.runs))</td>\
                <td>\(row.rate.html)</td><td>\(row.error ?? "")</td></tr>
                """
        }
        if rows.isEmpty { return "<p>No plugs yet.</p>" }
        let columns = ["Plug", "Connections", "Runs in 24 hours", "Failed", "Most by"]
        return DataTable.html("Plugs", columns: columns, rows)
    }
}
