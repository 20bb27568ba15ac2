internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func serverNotes() async throws -> [ServerNote] {
        let now = clock.now()
        return try await read([]) { database, key in
            let sql = "SELECT name, expires_at, sealed FROM server_note WHERE expires_at > ?"
            return try Row.fetchAll(database, sql: sql, arguments: [now]).compactMap { row in
                key.openNote(row[2], row: row[0], expiresAt: row[1])
            }
        }
    }

    /// See `PlugStore`.
    package func serverNote(_ name: String) async throws -> ServerNote? {
        let now = clock.now()
        return try await read(nil) { try $1.note(name, at: now, $0) }
    }

    /// See `PlugStore`.
    package func keepServerNotes(_ notes: [ServerNote]) async throws {
        let now = clock.now()
        try await write { database, key in
            for note in notes { try key.keep(note, database) }
            try HostKey.removeExpiredNotes(at: now, database)
        }
    }

    /// See `PlugStore`.
    package func changeServerNote(
        _ name: String,
        _ change: @escaping @Sendable (ServerNote?) -> ServerNote?
    ) async throws {
        let now = clock.now()
        try await write { database, key in
            guard let note = change(try key.note(name, at: now, database)) else { return }
            try key.keep(note, database)
            try HostKey.removeExpiredNotes(at: now, database)
        }
    }
}

extension HostKey {
    /// The note of a name, `nil` where there is none, it has expired, or it is not as it was written: it is a memo, which
    /// is worth less than the runs that it would stop.
    fileprivate func note(_ name: String, at now: Int64, _ database: Database) throws -> ServerNote? {
        let row = hiddenName(ofNote: name)
        let sql = "SELECT expires_at, sealed FROM server_note WHERE name = ? AND expires_at > ?"
        return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [row, now]).flatMap { stored in
            openNote(stored[1], row: row, expiresAt: stored[0])
        }
    }

    fileprivate func keep(_ note: ServerNote, _ database: Database) throws {
        let arguments: StatementArguments = [hiddenName(ofNote: note.name), note.expiresAt, try seal(note)]
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO server_note VALUES (?, ?, ?)")
            .execute(arguments: arguments)
    }

    fileprivate static func removeExpiredNotes(at now: Int64, _ database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM server_note WHERE expires_at <= ?").execute(arguments: [now])
    }
}
