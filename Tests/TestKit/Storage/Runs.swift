package import PlugCore
package import PlugStorage

extension MemoryStore {
    /// See `PlugStore`.
    package func beginRun(_ run: RunStart) throws -> Int64 {
        try require(run.connection)
        let id = nextID()
        allRuns.append(StoredRun(id: id, start: run, endedAt: nil, outcome: nil, report: []))
        let own = allRuns.filter { $0.start.connection == run.connection }
        let kept = Set(own.suffix(StoredRun.kept).map(\.id)).union(
            [own.last { $0.outcome == "done" }?.id, own.last { $0.endedAt != nil }?.id].compactMap { $0 }
        )
        allRuns.removeAll { $0.start.connection == run.connection && !kept.contains($0.id) }
        return id
    }

    /// See `PlugStore`.
    package func endRun(_ id: Int64, outcome: String, report: [UInt8], tally: RunTally) throws {
        guard let index = allRuns.firstIndex(where: { $0.id == id }) else { throw StoreErrors.runUnknown(id) }
        let (start, now) = (allRuns[index].start, clock.now())
        if allRuns[index].endedAt == nil, let plug = known[start.connection]?.plug {
            ended.append(EndedMemoryRun(plug: plug, start: start, endedAt: now, outcome: outcome, tally: tally))
        }
        if allRuns[index].endedAt == nil {
            keep(ConnectionTrouble.Change(outcome: outcome, tally), of: start.connection, at: now)
        }
        allRuns[index].endedAt = now
        allRuns[index].outcome = outcome
        allRuns[index].report = report
    }

    func keep(_ change: ConnectionTrouble.Change, of connection: ConnectionID, at now: Int64) {
        let trouble = change.applied(to: known[connection]?.trouble, at: now)
        known[connection]?.trouble = trouble
    }

    /// See `PlugStore`.
    package func troubleCounts() -> [TroubleCount] {
        let found = known.values.compactMap { connection in
            ConnectionState(setups[connection.id]?.setup.status, connection.trouble).trouble.map {
                TroubleCount(plug: connection.plug, code: $0.why.code, connections: 1)
            }
        }
        return Dictionary(grouping: found) { [$0.plug, $0.code] }.values.compactMap { some in
            some.first.map { TroubleCount(plug: $0.plug, code: $0.code, connections: some.count) }
        }.sorted { ($0.plug, $0.code) < ($1.plug, $1.code) }
    }

    /// See `PlugStore`.
    package func runs(of connection: ConnectionID?, limit: Int) -> [StoredRun] {
        let meant = allRuns.reversed().lazy.filter { connection == nil || $0.start.connection == connection }
        return Array(meant.prefix(max(0, limit)))
    }

    /// See `PlugStore`.
    package func run(_ id: Int64) -> StoredRun? { allRuns.first { $0.id == id } }
}

extension ForwardingStore {
    package func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun] {
        try await reading { try await store.runs(of: connection, limit: limit) }
    }
    package func run(_ id: Int64) async throws -> StoredRun? { try await reading { try await store.run(id) } }
    package func troubleCounts() async throws -> [TroubleCount] {
        try await reading { try await store.troubleCounts() }
    }
    package func openRun(_ start: RunStart, plug: String, pda: String, streams: [String]) async throws -> OpenedRun {
        try await writing("open run of \(start.connection)") {
            try await store.openRun(start, plug: plug, pda: pda, streams: streams)
        }
    }
    package func beginRun(_ run: RunStart) async throws -> Int64 {
        try await writing("begin run of \(run.connection)") { try await store.beginRun(run) }
    }
    package func endRun(_ id: Int64, outcome: String, report: [UInt8], tally: RunTally) async throws {
        try await writing("end run") { try await store.endRun(id, outcome: outcome, report: report, tally: tally) }
    }
}
