internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func serverNotes() async throws -> [ServerNote] {
        let now = clock.now()
        return try await readThroughOpen([]) { database, keys in
            let keys = try keys.all(database)
            let sql = "SELECT name, expires_at, sealed FROM server_note WHERE expires_at > ?"
            return try Row.fetchAll(database, sql: sql, arguments: [now]).compactMap { row in
                keys.lazy.compactMap { $0.openNote(row[2], row: row[0], expiresAt: row[1]) }.first
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
        try await write { database, keys in
            for note in notes { try keys.keep(note, database) }
            try HostKeys.removeExpiredNotes(at: now, database)
        }
    }

    /// See `PlugStore`.
    package func changeServerNote(
        _ name: String,
        _ change: @escaping @Sendable (ServerNote?) -> ServerNote?
    ) async throws {
        let now = clock.now()
        try await write { database, keys in
            guard let note = change(try keys.note(name, at: now, database)) else { return }
            try keys.keep(note, database)
            try HostKeys.removeExpiredNotes(at: now, database)
        }
    }
}

extension HostKeys {
    /// Finds a note by name; `nil` if there is none, it has expired, or it is not as it was written: it is a memo, which is
    /// worth less than the runs that it would stop.
    fileprivate func note(_ name: String, at now: Int64, _ database: Database) throws -> ServerNote? {
        let sql = "SELECT expires_at, sealed FROM server_note WHERE name = ? AND expires_at > ?"
        for key in try all(database) {
            let row = key.hiddenName(ofNote: name)
            let stored = try database.first(sql, row, now) { key.openNote($0[1], row: row, expiresAt: $0[0]) }
            if let stored { return stored }
        }
        return nil
    }

    /// Keeps a note under the sealing key, and removes it under the others.
    func keep(_ note: ServerNote, _ database: Database) throws {
        let keys = try all(database)
        for other in keys.dropFirst() {
            try database.cachedStatement(sql: "DELETE FROM server_note WHERE name = ?")
                .execute(arguments: [other.hiddenName(ofNote: note.name)])
        }
        guard let key = keys.first else { return }
        let arguments: StatementArguments = [
            key.hiddenName(ofNote: note.name), note.expiresAt, try key.seal(note),
        ]
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO server_note VALUES (?, ?, ?)")
            .execute(arguments: arguments)
    }

    fileprivate static func removeExpiredNotes(at now: Int64, _ database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM server_note WHERE expires_at <= ?").execute(arguments: [now])
    }
}
