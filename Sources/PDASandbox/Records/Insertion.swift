internal import GRDB

/// Stores the records of one request; remembers the endpoints that it has encountered.
struct Insertion {
    let date: Int64
    let owner: Int64
    private var endpoints: [String: Int64] = [:]

    init(date: Int64, owner: Int64) {
        self.date = date
        self.owner = owner
    }

    /// Stores a record and those to be linked to it.
    ///
    /// - Throws: `InsertFailure`. What was stored before stays in the transaction.
    mutating func insert(_ record: IncomingRecord, _ database: Database) throws -> SandboxStore.Inserted {
        var stored = SandboxStore.Inserted(record: try row(record, database))
        for link in record.links { stored.links.append(try row(link, database)) }
        return stored
    }

    private mutating func row(_ record: IncomingRecord, _ database: Database) throws -> StoredRecord {
        if record.form.isRefused { throw InsertFailure.refused }
        let endpoint = try endpoints[record.endpoint] ?? Self.number(record.endpoint, database)
        endpoints[record.endpoint] = endpoint
        let id = UUIDText.random(at: date)
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO records (id, endpoint, data, hash, date, owner) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (hash) DO NOTHING
                """
        )
        try statement.execute(arguments: [id, endpoint, record.form.stored, record.form.hash, date, owner])
        if database.changesCount == 0 { throw InsertFailure.duplicate }
        return StoredRecord(id: id, endpoint: record.endpoint, data: record.form.stored, owner: owner)
    }

    private static func number(_ path: String, _ database: Database) throws -> Int64 {
        try database.execute(sql: "INSERT INTO endpoints (path) VALUES (?) ON CONFLICT DO NOTHING", arguments: [path])
        let id = try Int64.fetchOne(database, sql: "SELECT id FROM endpoints WHERE path = ?", arguments: [path])
        guard let id else { throw DatabaseError(message: "an endpoint is not kept") }
        return id
    }
}
