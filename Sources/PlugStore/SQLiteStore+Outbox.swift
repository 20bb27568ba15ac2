internal import FoundationEssentials
internal import GRDB
internal import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    public func outbox(of stream: StreamID, limit: Int) async throws -> [StoredOutboxBatch] {
        try await read([]) { database, key in
            guard let row = try StreamRow.find(stream, database, key) else { return [] }
            let statement = try database.cachedStatement(
                sql: "SELECT id, at, sealed FROM outbox WHERE stream = ? ORDER BY id LIMIT ?"
            )
            return try Row.fetchAll(statement, arguments: [row.rowID, max(0, limit)]).map { stored in
                let (id, at): (Int64, Int64) = (stored[0], stored[1])
                let bytes = try row.key.open(stored[2], in: .outbox(id, stream: stream.stream, at: at))
                guard let batch = OutboxBatch(decoding: bytes) else {
                    throw StoreErrors.damaged("outbox batch", connection: stream.connection.name)
                }
                return StoredOutboxBatch(id: id, stream: stream, at: at, batch: batch)
            }
        }
    }

    /// See `PlugStore`.
    public func outboxSize(of stream: StreamID?) async throws -> OutboxSize {
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

extension StreamRow {
    func insert(_ batch: OutboxBatch, at now: Int64, _ database: Database) throws {
        let batchID = try database.nextID(of: "outbox")
        let sealed = try key.seal(batch.encoded, in: .outbox(batchID, stream: id.stream, at: now))
        try database.cachedStatement(sql: "INSERT INTO outbox (id, stream, at, size, sealed) VALUES (?, ?, ?, ?, ?)")
            .execute(arguments: [batchID, rowID, now, batch.bytes.count, sealed])
    }
}

extension OutboxBatch {
    /// Its fields, as they are sealed.
    fileprivate var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(path.namespace)
        writer.append(path.endpoint)
        writer.append(bytes)
        writer.append(fingerprints)
        for identity in identities { writer.append(identity) }
        return writer.bytes
    }

    /// Reads what `encoded` wrote.
    fileprivate init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let namespace = reader.text(), let endpoint = reader.text(),
            let path = DataPath(namespace: namespace, endpoint: endpoint),
            let body = reader.field(), let fingerprints = reader.field()
        else { return nil }
        var identities: [String] = []
        while !reader.isAtEnd {
            guard let identity = reader.text() else { return nil }
            identities.append(identity)
        }
        self.init(path: path, bytes: body, fingerprints: fingerprints, identities: identities)
    }
}
