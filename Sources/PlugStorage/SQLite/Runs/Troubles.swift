internal import GRDB
internal import PlugCore

extension Database {
    /// Keeps what the end of a run says about its connection.
    func keep(_ change: ConnectionTrouble.Change, of connection: Int64, at now: Int64) throws {
        switch change {
        case .keep: break
        case .clear:
            // The usual case writes nothing.
            let sql = """
                UPDATE connection SET trouble_code = NULL, trouble_since = NULL, trouble_runs = 0, trouble_lasts = 0
                WHERE id = ? AND trouble_code IS NOT NULL
                """
            try run(sql, connection)
        case .note(let code):
            let sql = """
                UPDATE connection SET trouble_code = ?1, trouble_since = coalesce(trouble_since, ?2),
                    trouble_runs = trouble_runs + 1,
                    trouble_lasts = max(trouble_lasts, trouble_runs + 1 >= ?3 OR ?2 - coalesce(trouble_since, ?2) >= ?4)
                WHERE id = ?5
                """
            let lasting = ConnectionTrouble.lastingTime
            try run(sql, code, now, ConnectionTrouble.lastingRuns, lasting, connection)
        }
    }
}

extension SQLiteStore {
    /// See `PlugStore`.
    package func troubleCounts() async throws -> [TroubleCount] {
        try await read([]) { database, _ in
            let sql = """
                SELECT plug, trouble_code, count(*) FROM connection INDEXED BY connection_trouble_code
                WHERE trouble_code IS NOT NULL AND setup_status IN ('active', '') GROUP BY 1, 2 ORDER BY 1, 2
                """
            return try database.all(sql) { TroubleCount(plug: $0[0], code: $0[1], connections: $0[2]) }
        }
    }
}
