internal import FoundationEssentials
internal import GRDB
internal import PlugCore

extension SQLiteStore {
    /// See `AccessStore`.
    package func beginSession(_ session: StoredSession, replacing old: [UInt8]?) async throws {
        try await write { database, _ in
            try database.cachedStatement(sql: "DELETE FROM session WHERE hash = ? OR min(ends_at, lasts_until) <= ?")
                .execute(arguments: [Data(old ?? []), session.createdAt])
            let insert = """
                INSERT INTO session (hash, role, subject, created_at, seen_at, ends_at, lasts_until)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
            try database.cachedStatement(sql: insert)
                .execute(arguments: [
                    Data(session.hash), session.role.rawValue, session.subject, session.createdAt, session.seenAt,
                    session.endsAt, session.lastsUntil,
                ])
            let bound = """
                DELETE FROM session WHERE hash IN (
                    SELECT hash FROM session ORDER BY seen_at DESC, created_at DESC LIMIT -1 OFFSET ?
                )
                """
            // Counting is cheap, sorting is not.
            let count = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM session")) ?? 0
            guard count > AccessLimit.sessions else { return }
            try database.cachedStatement(sql: bound).execute(arguments: [AccessLimit.sessions])
        }
    }

    /// See `AccessStore`.
    package func session(_ hash: [UInt8], at now: Int64) async throws -> StoredSession? {
        try await read(nil) { database, _ in
            let sql = """
                SELECT role, subject, created_at, seen_at, ends_at, lasts_until FROM session
                WHERE hash = ? AND min(ends_at, lasts_until) > ?
                """
            let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [Data(hash), now])
            return row.flatMap { row in
                guard let role = StoredSession.Role(rawValue: row[0]) else { return nil }
                var session = StoredSession(
                    hash: hash,
                    role: role,
                    subject: row[1],
                    createdAt: row[2],
                    endsAt: row[4],
                    lastsUntil: row[5]
                )
                session.seenAt = row[3]
                return session
            }
        }
    }

    /// See `AccessStore`.
    package func extendSession(_ hash: [UInt8], seenAt: Int64, endsAt: Int64) async throws -> Bool {
        try await write { database, _ in
            let sql = "UPDATE session SET seen_at = ?, ends_at = min(?, lasts_until) WHERE hash = ?"
            try database.cachedStatement(sql: sql).execute(arguments: [seenAt, endsAt, Data(hash)])
            return database.changesCount == 1
        }
    }

    /// See `AccessStore`.
    package func endSession(_ hash: [UInt8]) async throws -> Bool {
        try await write { database, _ in
            try database.cachedStatement(sql: "DELETE FROM session WHERE hash = ?").execute(arguments: [Data(hash)])
            return database.changesCount == 1
        }
    }

    /// See `AccessStore`.
    package func addAPIKey(_ key: StoredAPIKey, _ change: AuditEntry) async throws -> Bool {
        try await write { database, _ in
            let sql = """
                INSERT INTO api_key (name, hash, scopes, created_at, used_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (name) DO NOTHING
                """
            let scopes = key.scopes.joined(separator: " ")
            try database.cachedStatement(sql: sql)
                .execute(arguments: [key.name, Data(key.hash), scopes, key.createdAt, key.usedAt])
            guard database.changesCount == 1 else { return false }
            try Self.note(change, database)
            return true
        }
    }

    /// See `AccessStore`.
    package func apiKey(_ hash: [UInt8]) async throws -> StoredAPIKey? {
        try await read(nil) { database, _ in
            let sql = "SELECT name, hash, scopes, created_at, used_at FROM api_key WHERE hash = ?"
            return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [Data(hash)]).map(StoredAPIKey.init)
        }
    }

    /// See `AccessStore`.
    package func apiKeys() async throws -> [StoredAPIKey] {
        try await read([]) { database, _ in
            let sql = "SELECT name, hash, scopes, created_at, used_at FROM api_key ORDER BY name"
            return try Row.fetchAll(database, sql: sql).map(StoredAPIKey.init)
        }
    }

    /// See `AccessStore`.
    package func removeAPIKey(_ name: String, _ change: AuditEntry) async throws -> Bool {
        try await write { database, _ in
            try database.cachedStatement(sql: "DELETE FROM api_key WHERE name = ?").execute(arguments: [name])
            guard database.changesCount == 1 else { return false }
            try Self.note(change, database)
            return true
        }
    }

    /// See `AccessStore`.
    package func noteUse(ofAPIKey name: String, at: Int64) async throws {
        try await write { database, _ in
            try database.cachedStatement(sql: "UPDATE api_key SET used_at = ? WHERE name = ?")
                .execute(arguments: [at, name])
        }
    }

    /// See `AccessStore`.
    package func keepLink(_ link: OneTimeLink, _ change: AuditEntry) async throws {
        let now = clock.now()
        try await write { database, _ in
            try database.cachedStatement(sql: "DELETE FROM one_time_link WHERE ends_at <= ?").execute(arguments: [now])
            try database.cachedStatement(sql: "INSERT INTO one_time_link VALUES (?, ?, ?, ?)")
                .execute(arguments: [Data(link.hash), link.role.rawValue, link.subject, link.endsAt])
            let bound = """
                DELETE FROM one_time_link WHERE hash IN (
                    SELECT hash FROM one_time_link ORDER BY ends_at DESC, hash LIMIT -1 OFFSET ?
                )
                """
            try database.cachedStatement(sql: bound).execute(arguments: [AccessLimit.links])
            try Self.note(change, database)
        }
    }

    /// See `AccessStore`.
    package func link(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink? {
        try await read(nil) { database, _ in
            let sql = "SELECT hash, role, subject, ends_at FROM one_time_link WHERE hash = ? AND ends_at > ?"
            return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [Data(hash), now])
                .flatMap(OneTimeLink.init)
        }
    }

    /// See `AccessStore`.
    package func takeLink(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink? {
        try await write { database, _ in
            let sql = "DELETE FROM one_time_link WHERE hash = ? AND ends_at > ? RETURNING hash, role, subject, ends_at"
            let link = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [Data(hash), now])
                .flatMap(OneTimeLink.init)
            if let link { try Self.note(link.used(at: now), database) }
            return link
        }
    }

    /// See `AccessStore`.
    package func hostAudit() async throws -> [AuditEntry] {
        try await read([]) { database, _ in
            let rows = try Row.fetchAll(database, sql: "SELECT at, who, what FROM host_audit ORDER BY id DESC")
            return rows.map { AuditEntry(at: $0[0], who: $0[1], what: $0[2]) }
        }
    }

    /// Adds a change to the host's audit log, and deletes the oldest beyond the limit.
    private static func note(_ change: AuditEntry, _ database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO host_audit (at, who, what) VALUES (?, ?, ?)")
            .execute(arguments: [change.at, change.who, change.what])
        let bound = """
            DELETE FROM host_audit WHERE id <= (SELECT id FROM host_audit ORDER BY id DESC LIMIT 1 OFFSET ?)
            """
        try database.cachedStatement(sql: bound).execute(arguments: [AccessLimit.changes])
    }
}

extension StoredAPIKey {
    fileprivate init(_ row: Row) {
        let scopes: String = row[2]
        self.init(
            name: row[0],
            hash: [UInt8](row[1] as Data),
            scopes: scopes.split(separator: " ").map(String.init),
            createdAt: row[3],
            usedAt: row[4]
        )
    }
}

extension OneTimeLink {
    fileprivate init?(_ row: Row) {
        guard let role = StoredSession.Role(rawValue: row[1]) else { return nil }
        self.init(hash: [UInt8](row[0] as Data), role: role, subject: row[2], endsAt: row[3])
    }
}
