internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// Forgets where a connection's streams continue, and those of their parents too. What is proved to be in the PDA, the outbox
    /// and dead letters stay. The caller must hold the connection's lease.
    ///
    /// - Parameter stream: The only stream to rewind; `nil` for all.
    /// - Returns: The streams that had a position, in order: all of them if they share one.
    /// - Throws: `PlugError` `stream-state-shared` if only one stream is requested, and all share one position.
    package func rewind(_ connection: ConnectionID, stream: String?) async throws -> [String] {
        try await write { database, key in
            let row = try ConnectionRow.require(connection, database, key)
            let sql = """
                SELECT id, name, EXISTS (SELECT 1 FROM state WHERE state.stream = stream.id) AS hasPlace FROM stream
                WHERE connection = ?1 AND (?2 IS NULL OR name IN (?2, ?3))
                ORDER BY name
                """
            let streams = try Row.fetchAll(database, sql: sql, arguments: [row.rowID, stream, StreamID.shared])
            let shares = streams.contains { $0["name"] == StreamID.shared && $0["hasPlace"] }
            if shares, let stream { throw StoreErrors.stateShared(stream, of: connection) }
            for stream in streams where stream["hasPlace"] {
                try database.execute(sql: "DELETE FROM state WHERE stream = ?", arguments: [stream["id"] as Int64])
            }
            return streams.filter { $0["name"] != StreamID.shared && (shares || $0["hasPlace"]) }.map { $0["name"] }
        }
    }
}
