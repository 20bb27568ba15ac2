internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func beginRun(_ run: RunStart) async throws -> Int64 {
        try await write { database, key in
            let row = try ConnectionRow.require(run.connection, database, key)
            return try row.begin(run, database)
        }
    }

    /// See `PlugStore`.
    package func openRun(_ start: RunStart, plug: String, pda: String, streams: [String]) async throws -> OpenedRun {
        var ((opened, run), lease) = try await leasing { database, key, claim in
            let known = try ConnectionRow.find(start.connection, database, key)
            let row =
                try known
                ?? ConnectionRow.insert(start.connection, plug: plug, pda: pda, at: start.at, database, key)
            let connection = try row.connection.checked(plug: plug, pda: pda)
            try claim.take(row, database)
            var opened = OpenedRun(connection: connection, id: try row.begin(start, isFirst: known == nil, database))
            let run = RunRow(id: opened.id, connection: row, version: start.version, at: start.at)
            let letters = "SELECT rows FROM total WHERE name = 'dead_letter'"
            opened.hasDeadLetters = try database.first(letters) { $0[0] as Int } ?? 0 > 0
            guard known != nil else {
                // Nothing is stored for a new connection.
                for name in streams { opened.streams[name] = StreamSnapshot() }
                return (opened, run)
            }
            opened.token = try row.keptToken(database)
            opened.waiting = try WaitingOutbox.all(of: start.connection, database)
            for name in streams {
                let id = StreamID(connection: start.connection, stream: name)
                opened.streams[name] = try StreamRow.find(id, row, database)?.snapshot(database) ?? StreamSnapshot()
            }
            return (opened, run)
        }
        opened.lease = openRuns.add(run, lease)
        return opened
    }

    /// See `PlugStore`.
    package func snapshot(of stream: StreamID) async throws -> StreamSnapshot {
        try await read(StreamSnapshot()) { database, key in
            try StreamRow.find(stream, database, key)?.snapshot(database) ?? StreamSnapshot()
        }
    }

    /// See `PlugStore`.
    package func endRun(_ id: Int64, outcome: String, report: [UInt8], tally: RunTally) async throws {
        let now = clock.now()
        let (open, ended) = (openRuns, content?.writer?.endedRuns)
        try await write { database, key in
            let run = try open.takeForEnding(id) ?? RunRow.require(id, database, key)
            let sealed = try run.connection.key.seal(report, in: .run(id))
            let sql = "UPDATE run SET ended_at = ?, outcome = ?, sealed_report = ? WHERE id = ?"
            try database.run(sql, now, outcome, sealed, id)
            guard database.changesCount > 0 else { throw StoreErrors.runUnknown(id) }
            guard !run.hasEnded else { return }
            ended?.add(run, at: now, outcome: outcome, tally: tally)
            let change = ConnectionTrouble.Change(outcome: outcome, tally)
            try database.keep(change, of: run.connection.rowID, at: now)
        }
    }

    /// See `PlugStore`.
    package func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun] {
        try await read([]) { database, hostKeys in
            let end = "ORDER BY run.id DESC LIMIT ?"
            guard let connection else { return try Self.runs("true \(end)", [max(0, limit)], database, hostKeys) }
            // Uses the connection's index: a single statement for both cases would read all runs of the host.
            let condition = "run.connection = (SELECT id FROM connection WHERE name = ?) \(end)"
            return try Self.runs(condition, [connection.name, max(0, limit)], database, hostKeys)
        }
    }

    /// The number of each connection's newest run, ended or not; connections that never ran are missing. Of two runs the one with
    /// the greater number began later, whatever the clock said.
    package func newestRuns() async throws -> [ConnectionID: Int64] {
        try await read([:]) { database, _ in
            // One index seek for each connection, rather than reading all runs.
            let sql = """
                SELECT name, newest FROM (
                    SELECT name, (SELECT max(id) FROM run WHERE run.connection = connection.id) AS newest FROM connection
                ) WHERE newest IS NOT NULL
                """
            var newest: [ConnectionID: Int64] = [:]
            let rows = try Row.fetchCursor(database, sql: sql)
            while let row = try rows.next() { newest[ConnectionID(row[0])] = row[1] }
            return newest
        }
    }

    /// See `PlugStore`.
    package func run(_ id: Int64) async throws -> StoredRun? {
        try await read(nil) { try Self.runs("run.id = ?", [id], $0, $1).first }
    }

    private static func runs(
        _ condition: String,
        _ arguments: StatementArguments,
        _ database: Database,
        _ hostKeys: HostKeys
    ) throws -> [StoredRun] {
        var keys: [String: DataKey] = [:]
        let sql = """
            SELECT run.id, name, version, at, ended_at, outcome, sealed_report
            FROM run JOIN connection ON connection.id = run.connection WHERE \(condition)
            """
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments).map { row in
            let id: Int64 = row[0]
            let connection = ConnectionID(row[1])
            let key = try keys[connection.name] ?? ConnectionRow.require(connection, database, hostKeys).key
            keys[connection.name] = key
            return StoredRun(
                id: id,
                start: RunStart(connection: connection, version: row[2], at: row[3]),
                endedAt: row[4],
                outcome: row[5],
                report: try (row[6] as Data?).map { try key.open($0, in: .run(id)) } ?? []
            )
        }
    }
}

extension ConnectionRow {
    /// Records that a run has begun.
    ///
    /// - Parameter isFirst: Whether the connection is new, so that it has no other runs.
    fileprivate func begin(_ run: RunStart, isFirst: Bool = false, _ database: Database) throws -> Int64 {
        try database.run("INSERT INTO run (connection, version, at) VALUES (?, ?, ?)", rowID, run.version, run.at)
        let id = database.lastInsertedRowID
        // Every so often is enough, as each call removes more than accumulates in between.
        if id.isMultiple(of: 16), !isFirst { _ = try Self.forgetRuns(of: rowID, at: run.at, database) }
        return id
    }
}
