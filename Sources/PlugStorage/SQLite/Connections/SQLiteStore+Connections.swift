internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func openConnection(_ id: ConnectionID, plug: String, pda: String) async throws -> Connection {
        let known = try await read(nil) { try ConnectionRow.find(id, $0, $1)?.connection }
        if let known { return try known.checked(plug: plug, pda: pda) }
        let now = clock.now()
        return try await write { database, key in
            // Another process may have created it between the check and this transaction.
            if let known = try ConnectionRow.find(id, database, key)?.connection {
                return try known.checked(plug: plug, pda: pda)
            }
            return try ConnectionRow.insert(id, plug: plug, pda: pda, at: now, database, key).connection
        }
    }

    /// See `PlugStore`.
    package func connection(_ id: ConnectionID) async throws -> Connection? {
        try await read(nil) { try ConnectionRow.find(id, $0, $1)?.connection }
    }

    /// See `PlugStore`.
    package func connections() async throws -> [Connection] {
        try await read([]) { try ConnectionRow.all($0, $1).map(\.connection) }
    }

    /// See `PlugStore`.
    package func connections(of plug: String, at pda: String) async throws -> [Connection] {
        try await read([]) { try ConnectionRow.all(of: plug, at: pda, $0, $1).map(\.connection) }
    }

    /// See `PlugStore`.
    package func connections(at pda: String) async throws -> [Connection] {
        try await read([]) { try ConnectionRow.all(at: pda, $0, $1).map(\.connection) }
    }

    /// See `PlugStore`.
    package func connections(_ search: ConnectionSearch) async throws -> FoundConnections {
        try await read(FoundConnections(connections: [])) { database, keys in
            let (names, next) = try ConnectionFinding(search, database).page()
            let found = try names.map { try ConnectionRow.require(ConnectionID($0), database, keys).connection }
            return FoundConnections(connections: found, next: next)
        }
    }

    /// See `PlugStore`.
    package func streamNames(of connection: ConnectionID) async throws -> [String] {
        try await read([]) { database, _ in
            let sql = """
                SELECT stream.name FROM stream JOIN connection ON connection.id = stream.connection
                WHERE connection.name = ? AND stream.name <> ? ORDER BY stream.name
                """
            return try String.fetchAll(database, sql: sql, arguments: [connection.name, StreamID.shared])
        }
    }

    /// See `PlugStore`.
    package func keptToken(of connection: ConnectionID) async throws -> KeptToken? {
        try await read(nil) { database, key in
            try ConnectionRow.find(connection, database, key)?.keptToken(database)
        }
    }

    /// See `PlugStore`.
    package func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws {
        try await write { database, key in
            try ConnectionRow.require(connection, database, key).keep(token, database)
        }
    }
}

extension ConnectionRow {
    /// Keeps a token of the PDA, unless the one already kept is newer.
    func keep(_ token: KeptToken, _ database: Database) throws {
        let sealed = try key.seal(Array(token.token.reveal().utf8), in: .token(issuedAt: token.issuedAt))
        try database.execute(
            sql: """
                INSERT INTO token (connection, issued_at, sealed) VALUES (?, ?, ?)
                ON CONFLICT (connection) DO UPDATE SET issued_at = excluded.issued_at, sealed = excluded.sealed
                WHERE excluded.issued_at > token.issued_at
                """,
            arguments: [rowID, token.issuedAt, sealed]
        )
    }

    /// The newest token that the PDA's answers returned.
    func keptToken(_ database: Database) throws -> KeptToken? {
        try database.first("SELECT issued_at, sealed FROM token WHERE connection = ?", rowID) { token in
            let issuedAt: Int64 = token[0]
            let bytes = try key.open(token[1], in: .token(issuedAt: issuedAt))
            return KeptToken(token: Secret(String(decoding: bytes, as: UTF8.self)), issuedAt: issuedAt)
        }
    }
}

extension Connection {
    /// This connection, if it belongs to the same plug and PDA.
    package func checked(plug: String, pda: String) throws -> Connection {
        guard self.plug == plug, self.pda == pda else {
            throw StoreErrors.connectionElsewhere(self, plug: plug, pda: pda)
        }
        return self
    }
}
