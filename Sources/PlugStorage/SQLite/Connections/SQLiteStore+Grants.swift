internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func grant(_ id: GrantID) async throws -> StoredGrant? {
        try await read(nil) { database, key in
            guard let row = try ConnectionRow.find(id.connection, database, key) else { return nil }
            let statement = try database.cachedStatement(
                sql: "SELECT version, sealed FROM vault WHERE connection = ? AND name = ?"
            )
            return try Row.fetchOne(statement, arguments: [row.rowID, id.name]).map { grant in
                try row.openGrant(id.name, version: grant[0], sealed: grant[1])
            }
        }
    }

    /// See `PlugStore`.
    package func keepGrant(
        _ content: Secret,
        as id: GrantID,
        replacing version: Int64?,
        renewal: GrantRenewal
    ) async throws -> Int64? {
        try await write { database, key in
            let row = try ConnectionRow.require(id.connection, database, key)
            let next = (version ?? 0) + 1
            let sealed = try row.key.seal(Array(content.reveal().utf8), in: .grant(id.name, version: next))
            if let version {
                let sql = "UPDATE vault SET version = ?, sealed = ? WHERE connection = ? AND name = ? AND version = ?"
                try database.cachedStatement(sql: sql).execute(arguments: [next, sealed, row.rowID, id.name, version])
            } else {
                let sql = """
                    INSERT INTO vault (connection, name, version, sealed) VALUES (?, ?, ?, ?)
                    ON CONFLICT (connection, name) DO NOTHING
                    """
                try database.cachedStatement(sql: sql).execute(arguments: [row.rowID, id.name, next, sealed])
            }
            guard database.changesCount == 1 else { return nil }
            if case .at(let time) = renewal {
                let sql = "UPDATE vault SET renew_at = ?, renew_tries = 0 WHERE connection = ? AND name = ?"
                try database.cachedStatement(sql: sql).execute(arguments: [time, row.rowID, id.name])
            }
            return next
        }
    }

    /// See `PlugStore`.
    package func lockGrant(_ id: GrantID) async throws -> ConnectionLease? {
        let locks = try locks()
        let row = try await read(nil) { try ConnectionRow.find(id.connection, $0, $1)?.rowID }
        guard let row else { throw StoreErrors.connectionUnknown(id.connection) }
        return try locks.lockGrant(row) ? ConnectionLease { locks.unlockGrant(row) } : nil
    }
}

extension ConnectionRow {
    /// Opens a grant of this connection.
    fileprivate func openGrant(_ name: String, version: Int64, sealed: Data) throws -> StoredGrant {
        let bytes = try key.open(sealed, in: .grant(name, version: version))
        return StoredGrant(content: Secret(String(decoding: bytes, as: UTF8.self)), version: version)
    }

    /// Opens all grants of this connection.
    ///
    /// - Returns: How many there are.
    func openGrants(_ database: Database) throws -> Int {
        let sql = "SELECT name, version, sealed FROM vault WHERE connection = ?"
        let rows = try Row.fetchAll(database, sql: sql, arguments: [rowID])
        for row in rows { _ = try openGrant(row[0], version: row[1], sealed: row[2]) }
        return rows.count
    }
}
