internal import FoundationEssentials
internal import GRDB
public import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    public func beginRun(_ run: RunStart) async throws -> Int64 {
        try await write { database, key in
            let row = try ConnectionRow.require(run.connection, database, key)
            try database.execute(
                sql: "INSERT INTO run (connection, version, at) VALUES (?, ?, ?)",
                arguments: [row.rowID, run.version, run.at]
            )
            return database.lastInsertedRowID
        }
    }

    /// See `PlugStore`.
    public func endRun(_ id: Int64, outcome: String, report: [UInt8]) async throws {
        let now = clock.now()
        try await write { database, key in
            let name = try String.fetchOne(
                database,
                sql: "SELECT name FROM connection JOIN run ON run.connection = connection.id WHERE run.id = ?",
                arguments: [id]
            )
            guard let name else { throw StoreErrors.runUnknown(id) }
            let row = try ConnectionRow.require(ConnectionID(name), database, key)
            try database.execute(
                sql: "UPDATE run SET ended_at = ?, outcome = ?, sealed_report = ? WHERE id = ?",
                arguments: [now, outcome, try row.key.seal(report, in: .run(id)), id]
            )
        }
    }

    /// See `PlugStore`.
    public func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun] {
        try await read([]) { database, hostKey in
            var keys: [String: DataKey] = [:]
            let sql = """
                SELECT run.id, name, version, at, ended_at, outcome, sealed_report
                FROM run JOIN connection ON connection.id = run.connection
                WHERE :connection IS NULL OR name = :connection
                ORDER BY run.id DESC LIMIT :limit
                """
            let arguments: StatementArguments = ["connection": connection?.name, "limit": max(0, limit)]
            return try Row.fetchAll(database, sql: sql, arguments: arguments).map { row in
                let id: Int64 = row[0]
                let connection = ConnectionID(row[1])
                let key = try keys[connection.name] ?? ConnectionRow.require(connection, database, hostKey).key
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
}
