package import PlugCore
package import PlugStorage

/// A run that has ended, as it is summed up.
struct EndedMemoryRun {
    var plug: String
    var start: RunStart
    var endedAt: Int64
    var outcome: String
    var tally: RunTally

    var hour: Int64 { SummaryHour.of(endedAt) }
}

extension MemoryStore {
    /// See `PlugStore`.
    package func connectionCounts() -> [ConnectionCount] {
        var counts: [[String]: Int] = [:]
        for connection in known.values {
            counts[[connection.plug, setups[connection.id]?.setup.status.rawValue ?? ""], default: 0] += 1
        }
        return counts.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, count in
            ConnectionCount(plug: key[0], status: ConnectionSetup.Status(rawValue: key[1]), connections: count)
        }
    }

    /// See `PlugStore`.
    package func overdueCount(since time: Int64) -> Int {
        setups.values.count { $0.claimable.map { $0 <= time } ?? false }
    }

    /// See `PlugStore`.
    package func runSums(of plug: String?, since hour: Int64) -> [RunSum] {
        var sums: [RunSum] = []
        let meant = ended.filter { (plug == nil || $0.plug == plug) && $0.hour >= hour }
        for run in meant.sorted(by: { ($0.hour, $0.outcome) < ($1.hour, $1.outcome) }) {
            if sums.last?.hour != run.hour || sums.last?.outcome != run.outcome {
                sums.append(RunSum(hour: run.hour, outcome: run.outcome, runs: 0, tally: RunTally(), microseconds: 0))
            }
            let last = sums.count - 1
            sums[last].runs += 1
            sums[last].tally.requests += run.tally.requests
            sums[last].tally.records += run.tally.records
            sums[last].tally.deadLetters += run.tally.deadLetters
            sums[last].microseconds += max(0, run.endedAt - run.start.at)
        }
        return sums
    }

    /// See `PlugStore`.
    package func runCounts(since hour: Int64) -> [String: [String: Int]] {
        var counts: [String: [String: Int]] = [:]
        for run in ended where run.hour >= hour { counts[run.plug, default: [:]][run.outcome, default: 0] += 1 }
        return counts
    }

    /// See `PlugStore`.
    package func errorCounts(of plug: String?, since hour: Int64, limit: Int) -> [ErrorCount] {
        let meant = ended.filter { (plug == nil || $0.plug == plug) && $0.hour >= hour }
        let counts = Dictionary(grouping: meant.compactMap(\.tally.error)) { $0 }
            .map { ErrorCount(code: $0.key, runs: $0.value.count) }
        return Array(counts.sorted { (-$0.runs, $0.code) < (-$1.runs, $1.code) }.prefix(max(0, limit)))
    }

    /// See `PlugStore`.
    package func versions(of plug: String) -> [VersionRuns] {
        let versions = Dictionary(grouping: ended.filter { $0.plug == plug }, by: \.start.version)
        let known = versions.map { version, runs in
            VersionRuns(
                version: version,
                runs: runs.count,
                failed: runs.count { $0.outcome == "failed" },
                began: (runs.map(\.start.at).min() ?? 0)...(runs.map(\.start.at).max() ?? 0)
            )
        }
        let inOrder = known.sorted { (-$0.began.upperBound, $0.version) < (-$1.began.upperBound, $1.version) }
        return Array(inOrder.prefix(20))
    }

    /// See `PlugStore`.
    package func outboxHours() -> [OutboxHour] {
        Dictionary(grouping: batches) { SummaryHour.of($0.at) }.sorted { $0.key < $1.key }.map { hour, batches in
            let bytes = batches.reduce(0) { $0 + $1.batch.records.bodySize }
            return OutboxHour(
                hour: hour,
                size: OutboxSize(batches: batches.count, bytes: bytes),
                records: batches.reduce(0) { $0 + $1.batch.records.entries.count }
            )
        }
    }

    /// See `PlugStore`.
    package func longestWaiting(limit: Int) -> [WaitingStream] {
        var found: [WaitingStream] = []
        for batch in batches.sorted(by: { $0.id < $1.id }) where !found.contains(where: { $0.stream == batch.stream }) {
            found.append(WaitingStream(stream: batch.stream, since: batch.at))
        }
        return Array(found.prefix(max(0, limit)))
    }

    /// See `PlugStore`.
    package func waitingBatches(of connection: ConnectionID, limit: Int) -> [WaitingBatch] {
        let meant = batches.filter { $0.stream.connection == connection }.sorted { $0.id < $1.id }
        return meant.prefix(max(0, limit)).map { stored in
            WaitingBatch(
                id: stored.id,
                stream: stored.stream.stream,
                at: stored.at,
                records: stored.batch.records.entries.count,
                bytes: stored.batch.records.bodySize
            )
        }
    }

    /// See `PlugStore`.
    package func noteChange(_ change: AuditEntry, of connection: ConnectionID) throws {
        try require(connection)
        changes[connection, default: []].append(change)
    }
}

extension ForwardingStore {
    package func connectionCounts() async throws -> [ConnectionCount] {
        try await reading { try await store.connectionCounts() }
    }
    package func overdueCount(since time: Int64) async throws -> Int {
        try await reading { try await store.overdueCount(since: time) }
    }
    package func runSums(of plug: String?, since hour: Int64) async throws -> [RunSum] {
        try await reading { try await store.runSums(of: plug, since: hour) }
    }
    package func runCounts(since hour: Int64) async throws -> [String: [String: Int]] {
        try await reading { try await store.runCounts(since: hour) }
    }
    package func errorCounts(of plug: String?, since hour: Int64, limit: Int) async throws -> [ErrorCount] {
        try await reading { try await store.errorCounts(of: plug, since: hour, limit: limit) }
    }
    package func versions(of plug: String) async throws -> [VersionRuns] {
        try await reading { try await store.versions(of: plug) }
    }
    package func waitingBatches(of connection: ConnectionID, limit: Int) async throws -> [WaitingBatch] {
        try await reading { try await store.waitingBatches(of: connection, limit: limit) }
    }
    package func outboxHours() async throws -> [OutboxHour] {
        try await reading { try await store.outboxHours() }
    }
    package func longestWaiting(limit: Int) async throws -> [WaitingStream] {
        try await reading { try await store.longestWaiting(limit: limit) }
    }
    package func noteChange(_ change: AuditEntry, of connection: ConnectionID) async throws {
        try await writing("note a change of \(connection)") { try await store.noteChange(change, of: connection) }
    }
}
