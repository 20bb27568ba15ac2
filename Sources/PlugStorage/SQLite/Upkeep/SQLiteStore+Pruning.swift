internal import GRDB
internal import PlugCore

/// What was removed because it is no longer needed.
package struct PruneCounts: Sendable, Equatable {
    /// Runs beyond those kept for their connections.
    package var runs = 0
    /// Notes about servers that have expired, or expire further in the future than any can.
    package var notes = 0
    /// Refusals of records in streams that hold more of them than any run creates.
    package var refusals = 0
    /// Dead letters older than the limit.
    package var deadLetters = 0
    /// Batches of records that waited for their PDA too long.
    package var batches = 0

    /// Creates counts of zero.
    package init() {}
}

extension SQLiteStore {
    /// The number of rows removed in one transaction, so that concurrent runs are not held up.
    private static let step = 500

    /// Sets how long history is kept, for all processes that use the state.
    package func keep(_ retention: Retention) async throws {
        try await write { database, _ in
            var rows: [(String, Int?, Duration?)] = [
                ("dead_letters", nil, retention.deadLetters), ("outbox", nil, retention.outbox),
            ]
            switch retention.runs {
            case .count(let count): rows.append(("runs", count, nil))
            case .age(let age): rows.append(("runs", nil, age))
            }
            for (name, count, age) in rows {
                let microseconds = age.map { $0.wholeMicroseconds }
                try database.execute(
                    sql: "INSERT OR REPLACE INTO retention (name, count, age) VALUES (?, ?, ?)",
                    arguments: [name, count, microseconds]
                )
            }
        }
    }

    /// How long history is kept.
    package func retention() async throws -> Retention {
        try await read(Retention()) { database, _ in try Retention(database) }
    }

    /// Removes what is no longer needed, in small steps, so that concurrent runs are not held up. Runs do the same for
    /// themselves.
    package func prune() async throws -> PruneCounts {
        var counts = PruneCounts()
        let now = clock.now()
        let retention = try await retention()
        // No limit of a source and no circuit is remembered for longer than its duration and a day.
        let latest = now + 400 * 86_400_000_000
        counts.notes = try await write { database, _ in
            try database.execute(
                sql: "DELETE FROM server_note WHERE expires_at <= ? OR expires_at > ?",
                arguments: [now, latest]
            )
            return database.changesCount
        }
        try await write { database, _ in
            try RunSum.forget(before: SummaryHour.of(now) - SummaryHour.kept, database)
        }
        counts.runs = try await pruneRuns(retention.runs, now)
        if let age = retention.deadLetters { counts.deadLetters = try await prune("dead_letter", age, now) }
        if let age = retention.outbox { counts.batches = try await prune("outbox", age, now) }
        counts.refusals = try await write { database, _ in
            // A record that vanishes from its source before it was refused often enough leaves its count behind.
            let sql = """
                DELETE FROM refusal WHERE stream IN (
                    SELECT stream FROM refusal GROUP BY stream HAVING count(*) > 10000
                ) AND runs = 1
                """
            try database.execute(sql: sql)
            return database.changesCount
        }
        return counts
    }

    /// Readers examine the connections; only those with something to remove are written to.
    private func pruneRuns(_ bound: Retention.Bound, _ now: Int64) async throws -> Int {
        var (last, removed): (Int64, Int) = (0, 0)
        while true {
            // A host that is shutting down does not wait for it.
            try Task.checkCancellation()
            let after = last
            let (looked, full) = try await read(([Int64](), [Int64]())) { database, _ in
                let looked = try Int64.fetchAll(
                    database.cachedStatement(sql: "SELECT id FROM connection WHERE id > ? ORDER BY id LIMIT ?"),
                    arguments: [after, Self.step]
                )
                return (looked, try looked.filter { try bound.isExceeded(by: $0, now, database) })
            }
            guard let next = looked.last else { return removed }
            last = next
            for connection in full {
                var some = 0
                repeat {
                    try Task.checkCancellation()
                    some = try await write { database, _ in
                        try ConnectionRow.forgetRuns(of: connection, at: now, database)
                    }
                    removed += some
                } while some > 0
            }
        }
    }

    /// Removes rows that are too old. Newer rows have greater numbers, so the first that is young enough ends the search.
    private func prune(_ table: String, _ age: Duration, _ now: Int64) async throws -> Int {
        let oldest = now - age.wholeMicroseconds
        var removed = 0
        while true {
            try Task.checkCancellation()
            let some = try await write { database, _ in
                let sql = "SELECT id, at FROM \(table) ORDER BY id LIMIT ?"
                let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [Self.step])
                let old = rows.prefix { ($0[1] as Int64) < oldest }.map { $0[0] as Int64 }
                return try database.delete(old, from: table)
            }
            removed += some
            if some < Self.step { return removed }
        }
    }
}

extension Retention {
    fileprivate init(_ database: Database) throws {
        self.init()
        for row in try Row.fetchAll(database.cachedStatement(sql: "SELECT name, count, age FROM retention")) {
            let age = (row[2] as Int64?).map { Duration.microseconds($0) }
            switch row[0] as String {
            case "runs": if let bound = (row[1] as Int?).map(Bound.count) ?? age.map(Bound.age) { runs = bound }
            case "dead_letters": deadLetters = age
            case "outbox": outbox = age
            default: break
            }
        }
    }
}

extension Retention.Bound {
    /// Whether a connection may have more runs than are kept.
    fileprivate func isExceeded(by connection: Int64, _ now: Int64, _ database: Database) throws -> Bool {
        switch self {
        case .count(let count):
            let sql = "SELECT id FROM run WHERE connection = ? ORDER BY id DESC LIMIT 1 OFFSET ?"
            return try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [connection, count]) != nil
        case .age(let age):
            // The newest is kept regardless of age.
            let sql = "SELECT at FROM run WHERE connection = ? ORDER BY id LIMIT 2"
            let times = try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [connection])
            return times.count > 1 && times[0] < now - age.wholeMicroseconds
        }
    }
}

extension ConnectionRow {
    /// Forgets a connection's runs beyond those that are kept, the last one that ended and the last one that was done: at most
    /// 1,000 at a time.
    ///
    /// - Returns: How many were removed.
    static func forgetRuns(of connection: Int64, at now: Int64, _ database: Database) throws -> Int {
        let bound: String
        let value: Int64
        switch try Retention(database).runs {
        case .count(let count):
            bound = "id < (SELECT id FROM run WHERE connection = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)"
            value = Int64(max(1, count) - 1)
        case .age(let age):
            bound = "at < ?2 AND id IS NOT (SELECT max(id) FROM run WHERE connection = ?1)"
            value = now - age.wholeMicroseconds
        }
        let sql = """
            DELETE FROM run WHERE id IN (
                SELECT id FROM run WHERE connection = ?1 AND \(bound)
                  AND id IS NOT (SELECT max(id) FROM run WHERE connection = ?1 AND outcome = 'done')
                  AND id IS NOT (SELECT max(id) FROM run WHERE connection = ?1 AND ended_at IS NOT NULL)
                ORDER BY id LIMIT 1000
            )
            """
        try database.cachedStatement(sql: sql).execute(arguments: [connection, value])
        return database.changesCount
    }
}
