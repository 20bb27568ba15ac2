internal import FoundationEssentials
internal import GRDB
internal import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func keepConsent(_ consent: StoredConsent) async throws {
        let now = clock.now()
        try await write { database, keys in
            let connection = try consent.connection.map { try ConnectionRow.require($0, database, keys).rowID }
            try database.cachedStatement(sql: "DELETE FROM consent WHERE ends_at <= ?")
                .execute(arguments: [now - StoredConsent.memory])
            let oldest = """
                DELETE FROM consent WHERE name IN (
                    SELECT name FROM consent WHERE session = ? ORDER BY id DESC LIMIT -1 OFFSET ?
                )
                """
            try database.cachedStatement(sql: oldest)
                .execute(arguments: [Data(consent.session), StoredConsent.limitOfSession - 1])
            let count = try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM consent")) ?? 0
            guard count < StoredConsent.limit else { throw StoreErrors.consentsFull() }
            let sql = """
                INSERT INTO consent (name, session, connection, ends_at, poll_at, version, sealed)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
            try database.cachedStatement(sql: sql).execute(arguments: [
                Data(consent.name), Data(consent.session), connection, consent.endsAt, consent.pollAt, consent.version,
                try keys.current(database).seal(consent),
            ])
        }
    }

    /// See `PlugStore`.
    package func consent(_ name: [UInt8]) async throws -> StoredConsent? {
        let now = clock.now()
        return try await read(nil) { database, keys in
            try ConsentRow.find(name, database).flatMap { $0.isWaiting(at: now) ? try $0.consent(keys, database) : nil }
        }
    }

    /// See `PlugStore`.
    package func takeConsent(_ name: [UInt8], session: [UInt8]) async throws -> ConsentTaking {
        let now = clock.now()
        return try await write { database, keys in
            guard let row = try ConsentRow.find(name, database), row.session == session else { return .foreign }
            guard row.sealed != nil else { return .used }
            guard row.isWaiting(at: now) else { return .late }
            let sql = "UPDATE consent SET sealed = NULL, poll_at = NULL, version = version + 1 WHERE name = ?"
            try database.cachedStatement(sql: sql).execute(arguments: [Data(name)])
            return try row.consent(keys, database).map { .taken($0) } ?? .foreign
        }
    }

    /// See `PlugStore`.
    package func changeConsent(_ consent: StoredConsent) async throws -> StoredConsent? {
        let now = clock.now()
        return try await write { database, keys in
            var next = consent
            next.version += 1
            let sql = """
                UPDATE consent SET poll_at = ?, version = ?, sealed = ?
                WHERE name = ? AND version = ? AND sealed IS NOT NULL AND ends_at > ?
                """
            try database.cachedStatement(sql: sql).execute(arguments: [
                next.pollAt, next.version, try keys.current(database).seal(next), Data(next.name), consent.version, now,
            ])
            return database.changesCount == 1 ? next : nil
        }
    }

    /// See `PlugStore`.
    package func consentsToPoll(limit: Int) async throws -> [StoredConsent] {
        let now = clock.now()
        return try await read([]) { database, keys in
            try ConsentRow.due(at: now, limit: limit, database).compactMap { try $0.consent(keys, database) }
        }
    }
}

/// A row of the table `consent`.
struct ConsentRow {
    let id: Int64
    let name: [UInt8]
    let session: [UInt8]
    let connection: String?
    let endsAt: Int64
    let pollAt: Int64?
    let version: Int64
    /// `nil` once it was answered.
    let sealed: Data?

    private static let columns = """
        SELECT consent.name, session, connection.name, ends_at, poll_at, version, sealed, consent.id
        FROM consent LEFT JOIN connection ON connection.id = consent.connection
        """

    private init(_ row: Row) {
        (name, session) = ([UInt8](row[0] as Data), [UInt8](row[1] as Data))
        (connection, endsAt, pollAt, version, sealed) = (row[2], row[3], row[4], row[5], row[6])
        id = row[7]
    }

    static func find(_ name: [UInt8], _ database: Database) throws -> ConsentRow? {
        let statement = try database.cachedStatement(sql: "\(columns) WHERE consent.name = ?")
        return try Row.fetchOne(statement, arguments: [Data(name)]).map(ConsentRow.init)
    }

    static func due(at now: Int64, limit: Int, _ database: Database) throws -> [ConsentRow] {
        let sql = "\(columns) WHERE poll_at <= ? AND ends_at > ? AND sealed IS NOT NULL ORDER BY poll_at LIMIT ?"
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [now, now, limit]).map(ConsentRow.init)
    }

    /// Unanswered consents, in the order of their ids.
    static func some(after id: Int64, limit: Int, _ database: Database) throws -> [ConsentRow] {
        let sql = "\(columns) WHERE consent.id > ? AND sealed IS NOT NULL ORDER BY consent.id LIMIT ?"
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [id, limit]).map(ConsentRow.init)
    }

    func isWaiting(at now: Int64) -> Bool { sealed != nil && now < endsAt }

    /// The stored consent, sealed with any of the keys; `nil` if it is not as it was written.
    func consent(_ keys: HostKeys, _ database: Database) throws -> StoredConsent? {
        for key in try keys.all(database) {
            if let consent = consent(key) { return consent }
        }
        return nil
    }

    /// The stored consent; `nil` if it is not as it was written, or was sealed with another key.
    func consent(_ key: HostKey) -> StoredConsent? {
        guard let sealed else { return nil }
        var consent = StoredConsent(
            name: name,
            session: session,
            connection: connection.map { ConnectionID($0) },
            endsAt: endsAt,
            pollAt: pollAt,
            content: Secret(""),
            version: version
        )
        guard let content = key.openConsent(sealed, of: consent) else { return nil }
        consent.content = content
        return consent
    }
}
