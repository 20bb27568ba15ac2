internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter] {
        try await read([]) { database, key in
            // Two statements: with one for both cases SQLite would read every dead letter of the host.
            let ofConnection = """
                AND dead_letter.stream IN (
                    SELECT id FROM stream WHERE connection = (SELECT id FROM connection WHERE name = :connection)
                )
                """
            let sql = """
                \(Self.deadLetterColumns)
                WHERE dead_letter.id > :after \(filter.connection == nil ? "" : ofConnection)
                  AND (:stream IS NULL OR stream.name = :stream)
                ORDER BY dead_letter.id LIMIT :limit
                """
            var arguments: StatementArguments = [
                "after": filter.after, "stream": filter.stream, "limit": max(0, filter.limit),
            ]
            if let connection = filter.connection { arguments += ["connection": connection.name] }
            return try Self.deadLetters(sql, arguments, database, key)
        }
    }

    /// See `PlugStore`.
    package func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize {
        try await read(DeadLetterSize()) { database, _ in
            // The host's are counted by triggers, as there may be a million.
            var sql = "SELECT rows, bytes FROM total WHERE name = 'dead_letter'"
            if connection != nil {
                sql = """
                    SELECT count(*), coalesce(sum(length(sealed)), 0)
                    FROM connection JOIN stream ON stream.connection = connection.id
                    JOIN dead_letter ON dead_letter.stream = stream.id
                    WHERE connection.name = ?
                    """
            }
            let arguments: StatementArguments = connection.map { [$0.name] } ?? []
            return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
                .map { DeadLetterSize(letters: $0[0], bytes: $0[1]) } ?? DeadLetterSize()
        }
    }

    /// See `PlugStore`.
    package func deadLetter(_ id: Int64) async throws -> StoredDeadLetter? {
        try await read(nil) { database, key in
            try Self.deadLetters("\(Self.deadLetterColumns) WHERE dead_letter.id = ?", [id], database, key).first
        }
    }

    /// See `PlugStore`.
    package func removeDeadLetters(_ ids: [Int64]) async throws -> Int {
        try await write { database, _ in try database.delete(ids, from: "dead_letter") }
    }

    /// See `PlugStore`.
    package func renewDeadLetter(_ id: Int64, reason: String) async throws {
        try await write { database, hostKeys in
            let sql = "\(Self.deadLetterColumns) WHERE dead_letter.id = ?"
            guard let stored = try Self.deadLetters(sql, [id], database, hostKeys).first else { return }
            var letter = stored.letter
            letter.reason = reason
            let key = try ConnectionRow.require(stored.connection, database, hostKeys).key
            let place = SealedPlace.deadLetter(id, stream: stored.stream, at: stored.at)
            let arguments: StatementArguments = [try key.seal(letter.encoded, in: place), id]
            try database.execute(sql: "UPDATE dead_letter SET sealed = ? WHERE id = ?", arguments: arguments)
        }
    }

    private static let deadLetterColumns = """
        SELECT dead_letter.id, connection.name, stream.name, at, sealed
        FROM dead_letter JOIN stream ON stream.id = dead_letter.stream
        JOIN connection ON connection.id = stream.connection
        """

    private static func deadLetters(
        _ sql: String,
        _ arguments: StatementArguments,
        _ database: Database,
        _ hostKeys: HostKeys
    ) throws -> [StoredDeadLetter] {
        var keys: [String: DataKey] = [:]
        var letters: [StoredDeadLetter] = []
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            let (id, connection, stream, at): (Int64, String, String, Int64) = (row[0], row[1], row[2], row[3])
            let known =
                try keys[connection]
                ?? ConnectionRow.require(ConnectionID(connection), database, hostKeys).key
            keys[connection] = known
            let bytes = try known.open(row[4], in: .deadLetter(id, stream: stream, at: at))
            guard let letter = DeadLetter(decoding: bytes) else {
                throw StoreErrors.damaged("dead letter", connection: connection)
            }
            letters.append(
                StoredDeadLetter(id: id, connection: ConnectionID(connection), stream: stream, at: at, letter: letter)
            )
        }
        return letters
    }
}

extension StreamRow {
    /// Keeps a letter, replacing one about the same record.
    func insert(_ letter: DeadLetter, at now: Int64, _ database: Database) throws {
        let mark = key.mark(of: letter, stream: id.stream)
        let find = try database.cachedStatement(sql: "SELECT id, at FROM dead_letter WHERE stream = ? AND mark = ?")
        if let known = try Row.fetchOne(find, arguments: [rowID, mark]) {
            let place = SealedPlace.deadLetter(known[0], stream: id.stream, at: known[1])
            let sealed = try key.seal(letter.encoded, in: place)
            return try database.cachedStatement(sql: "UPDATE dead_letter SET sealed = ? WHERE id = ?")
                .execute(arguments: [sealed, known[0] as Int64])
        }
        let letterID = try database.nextID(of: "dead_letter")
        let sealed = try key.seal(letter.encoded, in: .deadLetter(letterID, stream: id.stream, at: now))
        try database.cachedStatement(
            sql: "INSERT INTO dead_letter (id, stream, at, sealed, mark) VALUES (?, ?, ?, ?, ?)"
        )
        .execute(arguments: [letterID, rowID, now, sealed, mark])
    }
}

extension DeadLetter {
    /// Its fields in the form in which they are sealed.
    fileprivate var encoded: [UInt8] {
        var writer = ByteWriter()
        for text in [stage.rawValue, code, reason, identity, path?.namespace ?? "", path?.endpoint ?? ""] {
            writer.append(text)
        }
        writer.append(record)
        return writer.bytes
    }

    /// Reads what `encoded` wrote.
    fileprivate init?(decoding bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let stage = reader.text().flatMap(Stage.init), let code = reader.text(), let reason = reader.text(),
            let identity = reader.text(), let namespace = reader.text(), let endpoint = reader.text(),
            let record = reader.field(), reader.isAtEnd
        else { return nil }
        let path = DataPath(namespace: namespace, endpoint: endpoint)
        self.init(stage: stage, code: code, reason: reason, record: record, identity: identity, path: path)
    }
}
