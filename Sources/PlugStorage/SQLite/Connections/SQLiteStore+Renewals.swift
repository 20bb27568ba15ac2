internal import GRDB
internal import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func claimRenewals(at now: Int64, until: Int64, limit: Int) async throws -> [DueRenewal] {
        // Called often, and nearly always in vain: in that case nothing is written.
        guard let next = try await nextRenewal(), next <= now else { return [] }
        return try await write { database, _ in
            let select = """
                SELECT vault.connection, connection.name, plug, vault.name, renew_tries
                FROM vault JOIN connection ON connection.id = vault.connection
                WHERE renew_at <= ? ORDER BY renew_at LIMIT ?
                """
            let rows = try Row.fetchAll(database.cachedStatement(sql: select), arguments: [now, limit])
            let claim = try database.cachedStatement(
                sql: "UPDATE vault SET renew_at = ? WHERE connection = ? AND name = ?"
            )
            return try rows.map { row in
                let name: String = row[3]
                try claim.execute(arguments: [until, row[0] as Int64, name])
                let grant = GrantID(connection: ConnectionID(row[1]), name: name)
                return DueRenewal(grant: grant, plug: row[2], tries: row[4], until: until)
            }
        }
    }

    /// See `PlugStore`.
    package func endRenewal(_ renewal: DueRenewal, _ end: RenewalEnd) async throws {
        let (connection, name) = (renewal.grant.connection, renewal.grant.name)
        try await write { database, keys in
            let own = "connection = (SELECT id FROM connection WHERE name = ?) AND name = ?"
            switch end {
            case .done:
                let sql = "UPDATE vault SET renew_at = NULL WHERE \(own) AND renew_at = ?"
                try database.cachedStatement(sql: sql).execute(arguments: [connection.name, name, renewal.until])
            case .again(let time):
                let sql = """
                    UPDATE vault SET renew_at = ?, renew_tries = renew_tries + 1 WHERE \(own) AND (renew_at = ? OR renew_at < ?)
                    """
                try database.cachedStatement(sql: sql)
                    .execute(arguments: [time, connection.name, name, renewal.until, time])
            case .reconnect(let version, let now):
                guard let row = try ConnectionRow.find(connection, database, keys) else { return }
                let sql = """
                    UPDATE setup SET status = 'reconnect', due_at = NULL, claimed = NULL, epoch = epoch + 1
                    WHERE connection = ?1 AND status = 'active'
                        AND EXISTS (SELECT 1 FROM vault WHERE connection = ?1 AND name = ?2 AND version = ?3)
                    """
                try database.cachedStatement(sql: sql).execute(arguments: [row.rowID, name, version])
                guard database.changesCount == 1 else { return }
                try row.note(AuditEntry(at: now, who: "host", what: "reconnect"), database)
            }
        }
    }

    /// See `PlugStore`.
    package func nextRenewal() async throws -> Int64? {
        try await read(nil) { database, _ in
            let sql = "SELECT renew_at FROM vault WHERE renew_at IS NOT NULL ORDER BY renew_at LIMIT 1"
            return try Int64.fetchOne(database.cachedStatement(sql: sql))
        }
    }
}
