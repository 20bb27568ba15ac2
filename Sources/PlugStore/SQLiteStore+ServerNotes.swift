internal import FoundationEssentials
internal import GRDB
public import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    public func serverNotes() async throws -> [ServerNote] {
        let now = clock.now()
        return try await read([]) { database, key in
            let sql = "SELECT name, expires_at, sealed FROM server_note WHERE expires_at > ?"
            return try Row.fetchAll(database, sql: sql, arguments: [now]).map { row in
                try key.openNote(row[2], row: row[0], expiresAt: row[1])
            }
        }
    }

    /// See `PlugStore`.
    public func keepServerNotes(_ notes: [ServerNote]) async throws {
        let now = clock.now()
        try await write { database, key in
            for note in notes {
                let arguments: StatementArguments = [
                    key.hiddenName(ofNote: note.name), note.expiresAt, try key.seal(note),
                ]
                try database.cachedStatement(sql: "INSERT OR REPLACE INTO server_note VALUES (?, ?, ?)")
                    .execute(arguments: arguments)
            }
            try database.cachedStatement(sql: "DELETE FROM server_note WHERE expires_at <= ?")
                .execute(arguments: [now])
        }
    }
}
