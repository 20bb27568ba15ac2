internal import GRDB
internal import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func connectionCounts() async throws -> [ConnectionCount] {
        try await read([]) { database, _ in
            let sql = "SELECT plug, status, connections FROM connection_count WHERE connections > 0"
            return try Row.fetchAll(database.cachedStatement(sql: sql)).map { row in
                ConnectionCount(plug: row[0], status: ConnectionSetup.Status(rawValue: row[1]), connections: row[2])
            }
        }
    }

    /// See `PlugStore`.
    package func overdueCount(since time: Int64) async throws -> Int {
        try await read(0) { database, _ in
            // By plug, so that each is a range of the index `setup_turn`.
            let sql = """
                SELECT count(*) FROM (SELECT DISTINCT plug FROM connection_count) AS plugs
                CROSS JOIN setup ON setup.plug = plugs.plug
                WHERE setup.status = 'active' AND setup.due_at IS NOT NULL AND setup.due_at <= ?
                """
            return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [time]) ?? 0
        }
    }

    /// See `PlugStore`.
    package func runSums(of plug: String?, since hour: Int64) async throws -> [RunSum] {
        try await read([]) { database, _ in
            let sql = """
                SELECT hour, outcome, runs, requests, records, dead_letters, microseconds
                FROM run_sum WHERE plug = ? AND hour >= ? ORDER BY hour, outcome
                """
            return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [plug ?? "", hour]).map { row in
                let tally = RunTally(requests: row[3], records: row[4], deadLetters: row[5])
                return RunSum(hour: row[0], outcome: row[1], runs: row[2], tally: tally, microseconds: row[6])
            }
        }
    }

    /// See `PlugStore`.
    package func runCounts(since hour: Int64) async throws -> [String: [String: Int]] {
        try await read([:]) { database, _ in
            let sql = """
                \(RunSum.plugs)
                SELECT run_sum.plug, outcome, sum(runs) FROM line CROSS JOIN run_sum ON run_sum.plug = line.plug
                WHERE line.plug IS NOT NULL AND hour >= ? GROUP BY 1, 2
                """
            var counts: [String: [String: Int]] = [:]
            for row in try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [hour]) {
                counts[row[0], default: [:]][row[1]] = row[2]
            }
            return counts
        }
    }

    /// See `PlugStore`.
    package func errorCounts(of plug: String?, since hour: Int64, limit: Int) async throws -> [ErrorCount] {
        try await read([]) { database, _ in
            let sql = """
                SELECT code, sum(runs) FROM run_error WHERE plug = ? AND hour >= ?
                GROUP BY code ORDER BY 2 DESC, code LIMIT ?
                """
            return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [plug ?? "", hour, max(0, limit)])
                .map { ErrorCount(code: $0[0], runs: $0[1]) }
        }
    }

    /// See `PlugStore`.
    package func versions(of plug: String) async throws -> [VersionRuns] {
        try await read([]) { database, _ in
            let sql = """
                SELECT version, runs, failed, first_at, last_at FROM plug_version WHERE plug = ?
                ORDER BY last_at DESC, version LIMIT 20
                """
            return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [plug]).map { row in
                VersionRuns(version: row[0], runs: row[1], failed: row[2], began: row[3]...row[4])
            }
        }
    }

    /// See `PlugStore`.
    package func outboxHours() async throws -> [OutboxHour] {
        try await read([]) { database, _ in
            let sql = "SELECT hour, batches, bytes, records FROM outbox_hour ORDER BY hour"
            return try Row.fetchAll(database.cachedStatement(sql: sql)).map { row in
                OutboxHour(hour: row[0], size: OutboxSize(batches: row[1], bytes: row[2]), records: row[3])
            }
        }
    }

    /// See `PlugStore`.
    package func longestWaiting(limit: Int) async throws -> [WaitingStream] {
        try await read([]) { database, _ in
            // Batches are numbered as they are queued. A stream may have very many, so only this many are examined.
            let sql = """
                SELECT connection.name, stream.name, min(waiting.at)
                FROM (SELECT id, stream, at FROM outbox ORDER BY id LIMIT 1000) AS waiting
                JOIN stream ON stream.id = waiting.stream JOIN connection ON connection.id = stream.connection
                GROUP BY waiting.stream ORDER BY min(waiting.id) LIMIT ?
                """
            return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [max(0, limit)]).map { row in
                WaitingStream(stream: StreamID(connection: ConnectionID(row[0]), stream: row[1]), since: row[2])
            }
        }
    }
}

extension RunSum {
    /// The plugs with sums, found with one seek each.
    fileprivate static let plugs = """
        WITH RECURSIVE line (plug) AS (
            SELECT min(plug) FROM run_sum WHERE plug > ''
            UNION ALL
            SELECT (SELECT min(run_sum.plug) FROM run_sum WHERE run_sum.plug > line.plug)
            FROM line WHERE line.plug IS NOT NULL
        )
        """

    /// Deletes sums older than the retention period.
    static func forget(before hour: Int64, _ database: Database) throws {
        let sql = "\(plugs) SELECT plug FROM line WHERE plug IS NOT NULL"
        for plug in try [""] + String.fetchAll(database.cachedStatement(sql: sql)) {
            for table in ["run_sum", "run_error"] {
                try database.cachedStatement(sql: "DELETE FROM \(table) WHERE plug = ? AND hour < ?")
                    .execute(arguments: [plug, hour])
            }
        }
    }
}
