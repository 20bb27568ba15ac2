internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch] {
        try await read([]) { database, key in
            guard let row = try StreamRow.find(stream, database, key) else { return [] }
            let statement = try database.cachedStatement(
                sql: "SELECT id, at, sealed, unanswered FROM outbox WHERE stream = ? AND id > ? ORDER BY id LIMIT ?"
            )
            return try Row.fetchAll(statement, arguments: [row.rowID, after, max(0, limit)]).map { stored in
                try row.batch(stored[0], at: stored[1], sealed: stored[2], unanswered: stored[3])
            }
        }
    }

    /// See `PlugStore`.
    package func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch? {
        try await read(nil) { database, key in
            let sql = """
                SELECT connection.name, stream.name, at, sealed, unanswered
                FROM outbox JOIN stream ON stream.id = outbox.stream
                JOIN connection ON connection.id = stream.connection
                WHERE outbox.id = ?
                """
            guard let stored = try Row.fetchOne(database, sql: sql, arguments: [id]) else { return nil }
            let stream = StreamID(connection: ConnectionID(stored[0]), stream: stored[1])
            return try StreamRow.find(stream, database, key)?
                .batch(id, at: stored[2], sealed: stored[3], unanswered: stored[4])
        }
    }

    /// See `PlugStore`.
    package func removeOutboxBatches(_ ids: [Int64]) async throws -> Int {
        try await write { database, _ in try database.delete(ids, from: "outbox") }
    }

    /// See `PlugStore`.
    package func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox] {
        try await read([]) { database, _ in try WaitingOutbox.all(of: connection, database) }
    }

    /// See `PlugStore`.
    package func waitingBatches(of connection: ConnectionID, limit: Int) async throws -> [WaitingBatch] {
        try await read([]) { database, _ in
            let sql = """
                SELECT outbox.id, stream.name, at, records, size
                FROM stream JOIN outbox INDEXED BY outbox_waiting ON outbox.stream = stream.id
                WHERE stream.connection = (SELECT id FROM connection WHERE name = ?) ORDER BY outbox.id LIMIT ?
                """
            let statement = try database.cachedStatement(sql: sql)
            return try Row.fetchAll(statement, arguments: [connection.name, max(0, limit)]).map { row in
                WaitingBatch(id: row[0], stream: row[1], at: row[2], records: row[3], bytes: row[4])
            }
        }
    }

    /// See `PlugStore`.
    package func outboxSize(of stream: StreamID?) async throws -> OutboxSize {
        try await read(OutboxSize()) { database, key in
            var sql = "SELECT count(*), coalesce(sum(size), 0) FROM outbox"
            var arguments: StatementArguments = []
            if let stream {
                guard let row = try StreamRow.find(stream, database, key) else { return OutboxSize() }
                sql += " WHERE stream = ?"
                arguments = [row.rowID]
            }
            return try Row.fetchOne(database, sql: sql, arguments: arguments)
                .map { OutboxSize(batches: $0[0], bytes: $0[1]) } ?? OutboxSize()
        }
    }
}

extension WaitingOutbox {
    /// The streams with waiting batches, the one with the oldest batch first.
    static func all(of connection: ConnectionID?, _ database: Database) throws -> [WaitingOutbox] {
        // Two statements: with one for both cases SQLite would read every batch of the host.
        func sql(_ condition: String) -> String {
            """
            SELECT connection.name, stream.name, count(*), sum(size), min(outbox.id), max(outbox.id), min(at),
                CASE WHEN count(records) = count(*) THEN sum(records) END, sum(unanswered > 0)
            FROM connection JOIN stream ON stream.connection = connection.id
            JOIN outbox INDEXED BY outbox_waiting ON outbox.stream = stream.id
            \(condition)
            GROUP BY outbox.stream ORDER BY min(outbox.id)
            """
        }
        guard let connection else { return try database.all(sql(""), read: WaitingOutbox.init) }
        return try database.all(sql("WHERE connection.name = ?"), connection.name, read: WaitingOutbox.init)
    }

    private init(_ row: SQLColumns) {
        self.init(
            stream: StreamID(connection: ConnectionID(row[0]), stream: row[1]),
            size: OutboxSize(batches: row[2], bytes: row[3]),
            records: (row[7] as Int64?).map { Int($0) },
            ids: row[4]...row[5],
            since: row[6],
            unanswered: row[8]
        )
    }
}

extension StreamRow {
    /// Opens a batch of this stream.
    func batch(_ batchID: Int64, at: Int64, sealed: Data, unanswered: Int) throws -> StoredOutboxBatch {
        let bytes = try key.open(sealed, in: .outbox(batchID, stream: id.stream, at: at))
        guard let batch = OutboxBatch(decoding: bytes, unanswered: unanswered) else {
            throw StoreErrors.damaged("outbox batch", connection: id.connection.name)
        }
        return StoredOutboxBatch(id: batchID, stream: id, at: at, batch: batch)
    }

    func insert(_ batch: OutboxBatch, at now: Int64, _ database: Database) throws {
        let batchID = try database.nextID(of: "outbox")
        let sealed = try key.seal(batch.encoded, in: .outbox(batchID, stream: id.stream, at: now))
        let sql = "INSERT INTO outbox (id, stream, at, size, sealed, records, unanswered) VALUES (?, ?, ?, ?, ?, ?, ?)"
        let (size, records) = (batch.records.bodySize, batch.records.entries.count)
        try database.cachedStatement(sql: sql)
            .execute(arguments: [batchID, rowID, now, size, sealed, records, batch.unanswered])
    }

    /// Replaces a batch with what is left of it, or removes it if nothing is left.
    func settle(_ batchID: Int64, leaving rest: OutboxBatch?, _ database: Database) throws {
        let find = try database.cachedStatement(sql: "SELECT at FROM outbox WHERE id = ? AND stream = ?")
        guard let at = try Int64.fetchOne(find, arguments: [batchID, rowID]) else {
            throw StoreErrors.outboxGone(batchID)
        }
        guard let rest else {
            return try database.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?").execute(arguments: [batchID])
        }
        let sealed = try key.seal(rest.encoded, in: .outbox(batchID, stream: id.stream, at: at))
        let (size, records) = (rest.records.bodySize, rest.records.entries.count)
        let sql = "UPDATE outbox SET size = ?, sealed = ?, records = ?, unanswered = ? WHERE id = ?"
        try database.cachedStatement(sql: sql).execute(arguments: [size, sealed, records, rest.unanswered, batchID])
    }
}
