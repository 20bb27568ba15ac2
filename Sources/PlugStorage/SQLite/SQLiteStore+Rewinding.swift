internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// Forgets where streams of a connection continue, those of their parents too. What is proved to be in the PDA, the
    /// outbox and dead letters stay. Whoever asks holds the connection's lease.
    ///
    /// - Parameter stream: The only one that is meant; `nil` for all.
    /// - Returns: The streams that had a place, in order.
    package func rewind(_ connection: ConnectionID, stream: String?) async throws -> [String] {
        try await write { database, key in
            let row = try ConnectionRow.require(connection, database, key)
            let sql = """
                SELECT id, name FROM stream
                WHERE connection = ?1 AND (?2 IS NULL OR name = ?2)
                  AND EXISTS (SELECT 1 FROM state WHERE state.stream = stream.id)
                ORDER BY name
                """
            let streams = try Row.fetchAll(database, sql: sql, arguments: [row.rowID, stream])
            for stream in streams {
                try database.execute(sql: "DELETE FROM state WHERE stream = ?", arguments: [stream["id"] as Int64])
            }
            return streams.map { $0["name"] }
        }
    }
}
