internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// The number of attempts to empty the log while others read.
    private static let emptyingTries = 40

    /// See `PlugStore`.
    @discardableResult
    package func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt? {
        let now = clock.now()
        let erased = try await write { [openRuns] database, key in
            openRuns.forget(id)
            return try ErasureReceipt.erase(id, database, key, at: now)
        }
        guard var receipt = erased else { return nil }
        // The log holds the old pages until it is emptied; readers that use it are gone in a moment.
        for _ in 0..<Self.emptyingTries where !receipt.isLogEmpty {
            receipt.isLogEmpty = await content?.emptyLog() ?? false
            if !receipt.isLogEmpty { try? await clock.sleep(for: .milliseconds(50)) }
        }
        return receipt
    }
}

extension ErasureReceipt {
    /// How to find the rows of each kind from the connection's row id.
    private static let kinds: [(kind: String, sql: String)] = [
        ("changes", "audit WHERE connection = ?"),
        ("consents", "consent WHERE connection = ?"),
        ("dead_letters", "dead_letter WHERE stream IN (SELECT id FROM stream WHERE connection = ?)"),
        ("grants", "vault WHERE connection = ?"),
        ("inventory", "inventory WHERE stream IN (SELECT id FROM stream WHERE connection = ?)"),
        ("ledger", "ledger WHERE stream IN (SELECT id FROM stream WHERE connection = ?)"),
        ("outbox_batches", "outbox WHERE stream IN (SELECT id FROM stream WHERE connection = ?)"),
        ("refusals", "refusal WHERE stream IN (SELECT id FROM stream WHERE connection = ?)"),
        ("runs", "run WHERE connection = ?"),
        ("setups", "setup WHERE connection = ?"),
        ("states", "state WHERE stream IN (SELECT id FROM stream WHERE connection = ?)"),
        ("streams", "stream WHERE connection = ?"),
        ("tokens", "token WHERE connection = ?"),
    ]

    /// Erases a connection. It need not be readable: a damaged one can be erased as well.
    fileprivate static func erase(
        _ id: ConnectionID,
        _ database: Database,
        _ keys: HostKeys,
        at now: Int64
    ) throws -> ErasureReceipt? {
        let sql = """
            SELECT connection.id, plug, pda, created_at, data_key.id, host_key
            FROM connection LEFT JOIN data_key ON data_key.connection = connection.id WHERE name = ?
            """
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [id.name]) else { return nil }
        let rowID: Int64 = row[0]
        var rows = try kinds.map { kind, sql in
            let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(sql)", arguments: [rowID])
            return Rows(kind: kind, count: count ?? 0)
        }
        keys.forgetDataKeys()
        // Freed space is overwritten with zeros, whole pages included, or the key would remain in the file.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        defer { try? database.execute(sql: "PRAGMA secure_delete = FAST") }
        try database.execute(sql: "DELETE FROM connection WHERE id = ?", arguments: [rowID])
        var notes = 0
        for key in try keys.all(database) {
            try database.execute(
                sql: "DELETE FROM server_note WHERE name = ?",
                arguments: [key.hiddenName(ofNote: ServerNote.name(of: id))]
            )
            notes += database.changesCount
        }
        rows.append(Rows(kind: "notes", count: notes))
        rows.sort { $0.kind < $1.kind }
        let (keyID, hostKey): (Int64?, String?) = (row[4], row[5])
        return ErasureReceipt(
            connection: id,
            plug: row[1],
            pda: row[2],
            createdAt: row[3],
            key: "\(hostKey ?? "?")/\(keyID ?? 0)",
            erasedAt: now,
            rows: rows,
            isLogEmpty: false
        )
    }
}
