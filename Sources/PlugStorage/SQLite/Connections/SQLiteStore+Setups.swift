internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// The number of changes kept for a connection.
    fileprivate static let auditLimit = 200

    /// Takes the right to run connections when they are due, which no other process can have until it ends.
    ///
    /// - Throws: `state-served` (75) if another host has it.
    package func lockHost() throws -> ConnectionLease {
        let locks = try locks()
        guard try locks.lockHost() else { throw StoreErrors.served() }
        return ConnectionLease { locks.unlockHost() }
    }

    /// See `PlugStore`.
    package func addConnection(
        _ id: ConnectionID,
        plug: String,
        pda: String,
        token: KeptToken?,
        setup: ConnectionSetup,
        _ change: AuditEntry
    ) async throws -> Connection? {
        let now = clock.now()
        return try await write { database, key in
            guard try ConnectionRow.find(id, database, key) == nil else { return nil }
            let row = try ConnectionRow.insert(id, plug: plug, pda: pda, at: now, database, key)
            if let token { try row.keep(token, database) }
            try row.keep(setup, database)
            try row.note(change, database)
            return row.connection
        }
    }

    /// See `PlugStore`.
    package func keepSetup(
        _ setup: ConnectionSetup,
        of connection: ConnectionID,
        _ change: AuditEntry
    ) async throws {
        try await write { database, key in
            let row = try ConnectionRow.require(connection, database, key)
            try row.keep(setup, database)
            try row.note(change, database)
        }
    }

    /// See `PlugStore`.
    package func noteChange(_ change: AuditEntry, of connection: ConnectionID) async throws {
        try await write { try ConnectionRow.require(connection, $0, $1).note(change, $0) }
    }

    /// See `PlugStore`.
    package func setup(of connection: ConnectionID) async throws -> ConnectionSetup? {
        try await read(nil) { database, key in
            try ConnectionRow.find(connection, database, key)?.setup(database)
        }
    }

    /// See `PlugStore`.
    package func changeSetup(
        of connection: ConnectionID,
        status: ConnectionSetup.Status,
        dueAt: Int64?,
        _ change: AuditEntry
    ) async throws -> Bool {
        try await write { database, key in
            let row = try ConnectionRow.require(connection, database, key)
            let sql = """
                UPDATE setup SET status = ?1, due_at = ?2, waits_since = coalesce(?2, 0), claimed = NULL, ran_at = NULL,
                    deaths = 0, planned = 0, epoch = epoch + 1
                WHERE connection = ?3
                """
            try database.cachedStatement(sql: sql).execute(arguments: [status.rawValue, dueAt, row.rowID])
            guard database.changesCount == 1 else { return false }
            try row.note(change, database)
            return true
        }
    }

    /// See `PlugStore`.
    package func makeDue(_ connection: ConnectionID, at time: Int64) async throws -> Bool {
        try await write { database, _ in
            // A claimed connection is due when its claim ends.
            let sql = """
                UPDATE setup SET due_at = ?1, claimed = NULL, planned = 0, epoch = epoch + 1,
                    waits_since = CASE WHEN claimed IS NULL AND due_at IS NOT NULL THEN min(waits_since, ?1) ELSE ?1 END
                WHERE connection = (SELECT id FROM connection WHERE name = ?2) AND status = 'active'
                    AND (due_at IS NULL OR due_at > ?1)
                """
            try database.cachedStatement(sql: sql).execute(arguments: [time, connection.name])
            return database.changesCount == 1
        }
    }

    /// See `PlugStore`.
    package func extendClaim(_ claim: DueClaim, until: Int64) async throws -> Bool {
        try await write { database, _ in
            let sql = """
                UPDATE setup SET due_at = ? WHERE epoch = ? AND claimed IS NOT NULL
                    AND connection = (SELECT id FROM connection WHERE name = ?)
                """
            try database.cachedStatement(sql: sql).execute(arguments: [until, claim.epoch, claim.connection.name])
            return database.changesCount == 1
        }
    }

    /// See `PlugStore`.
    package func endClaim(
        _ claim: DueClaim,
        _ end: ClaimEnd
    ) async throws -> Bool {
        try await write { database, key in
            let sql = """
                UPDATE setup SET status = ?1, due_at = ?2, ran_at = coalesce(?3, ran_at), planned = ?3 IS NOT NULL,
                    waits_since = coalesce(?4, ?2, 0), deaths = 0, claimed = NULL
                WHERE epoch = ?5 AND claimed IS NOT NULL AND connection = (SELECT id FROM connection WHERE name = ?6)
                """
            try database.cachedStatement(sql: sql)
                .execute(
                    arguments: [
                        end.status.rawValue, end.dueAt, end.ranAt, end.waitsSince, claim.epoch, claim.connection.name,
                    ]
                )
            guard database.changesCount == 1 else { return false }
            if let failure = end.failure {
                let row = try ConnectionRow.require(claim.connection, database, key)
                let change = ConnectionTrouble.Change(outcome: "failed", RunTally(error: failure))
                try database.keep(change, of: row.rowID, at: end.at)
            }
            // Only active connections are claimed: any other status is a change.
            if end.status != .active {
                let row = try ConnectionRow.require(claim.connection, database, key)
                try row.note(AuditEntry(at: end.at, who: "host", what: end.status.rawValue), database)
            }
            return true
        }
    }

    /// See `PlugStore`.
    package func audit(of connection: ConnectionID) async throws -> [AuditEntry] {
        try await read([]) { database, _ in
            let sql = """
                SELECT audit.at, who, what FROM audit JOIN connection ON connection.id = audit.connection
                WHERE name = ? ORDER BY audit.id DESC LIMIT ?
                """
            let rows = try Row.fetchAll(database, sql: sql, arguments: [connection.name, Self.auditLimit])
            return rows.map { AuditEntry(at: $0[0], who: $0[1], what: $0[2]) }
        }
    }
}

extension SQLiteStore {
    /// See `PlugStore`.
    package func connectionsChanged(since place: Int64?) async throws -> (connections: [Connection], place: Int64) {
        try await read(([], place ?? 0)) { database, key in
            let newest = try Int64.fetchOne(database, sql: "SELECT coalesce(max(id), 0) FROM audit") ?? 0
            guard let place else { return ([], newest) }
            let sql = """
                SELECT DISTINCT connection.name FROM audit JOIN connection ON connection.id = audit.connection
                WHERE audit.id > ? ORDER BY connection.name
                """
            let names = try String.fetchAll(database, sql: sql, arguments: [place])
            let found = try names.compactMap { try ConnectionRow.find(ConnectionID($0), database, key)?.connection }
            return (found, newest)
        }
    }
}

extension ConnectionRow {
    /// Replaces the set-up.
    func keep(_ setup: ConnectionSetup, _ database: Database) throws {
        let sealed = try key.seal(Array(setup.content.reveal().utf8), in: .setup)
        let sql = """
            INSERT INTO setup (connection, plug, status, due_at, waits_since, epoch, sealed)
            VALUES (?1, ?2, ?3, ?4, coalesce(?4, 0), 1, ?5)
            ON CONFLICT (connection) DO UPDATE SET status = excluded.status, due_at = excluded.due_at,
                waits_since = excluded.waits_since, claimed = NULL, ran_at = NULL, deaths = 0, planned = 0,
                epoch = epoch + 1, sealed = excluded.sealed
            """
        try database.cachedStatement(sql: sql)
            .execute(arguments: [rowID, connection.plug, setup.status.rawValue, setup.dueAt, sealed])
    }

    /// The connection's set-up, `nil` if it has none.
    func setup(_ database: Database) throws -> ConnectionSetup? {
        let sql = "SELECT status, coalesce(claimed, due_at), sealed FROM setup WHERE connection = ?"
        return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [rowID]).map { row in
            guard let status = ConnectionSetup.Status(rawValue: row[0]) else {
                throw StoreErrors.damaged("set-up", connection: connection.id.name)
            }
            let content = Secret(String(decoding: try key.open(row[2], in: .setup), as: UTF8.self))
            return ConnectionSetup(status: status, dueAt: row[1], content: content)
        }
    }

    /// Adds a change to the connection's audit log, and deletes the oldest beyond the limit.
    func note(_ change: AuditEntry, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO audit (connection, at, who, what) VALUES (?, ?, ?, ?)")
            .execute(arguments: [rowID, change.at, change.who, change.what])
        let sql = """
            DELETE FROM audit WHERE connection = ?1 AND id <= (
                SELECT id FROM audit WHERE connection = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2
            )
            """
        try database.cachedStatement(sql: sql).execute(arguments: [rowID, SQLiteStore.auditLimit])
    }
}
