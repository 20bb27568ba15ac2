internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func state(of stream: StreamID, part: String) async throws -> StreamState? {
        try await read(nil) { database, key in
            try StreamRow.find(stream, database, key)?.state(of: part, database)
        }
    }

    /// See `PlugStore`.
    package func profile(of stream: StreamID) async throws -> StreamProfile? {
        try await read(nil) { try StreamRow.find(stream, $0, $1)?.profile($0) }
    }

    /// See `PlugStore`.
    package func currentPass(of stream: StreamID) async throws -> Int64 {
        try await read(1) { try StreamRow.find(stream, $0, $1)?.pass ?? 1 }
    }

    /// See `PlugStore`.
    package func forEachLedgerRow(
        of stream: StreamID,
        _ body: @Sendable (_ pass: Int64, _ packed: [UInt8]) -> Void
    ) async throws {
        try await read(()) { database, key in
            guard let row = try StreamRow.find(stream, database, key) else { return }
            let statement = try database.cachedStatement(
                sql: "SELECT pass, packed FROM ledger WHERE stream = ? ORDER BY pass, id"
            )
            let rows = try Row.fetchCursor(statement, arguments: [row.rowID])
            while let row = try rows.next() {
                let packed: [UInt8] = try row.withUnsafeData(atIndex: 1) { $0.map { [UInt8]($0) } ?? [] }
                body(row[0], packed)
            }
        }
    }

    /// See `PlugStore`.
    package func forEachInventoryRow(
        of stream: StreamID,
        pass: Int64,
        newestFirst: Bool,
        _ body: @Sendable (_ inventory: [UInt8]) -> Void
    ) async throws {
        try await read(()) { database, key in
            guard let row = try StreamRow.find(stream, database, key) else { return }
            let sql = "SELECT id, sealed FROM inventory WHERE stream = ? AND pass = ? ORDER BY id"
            let statement = try database.cachedStatement(sql: newestFirst ? sql + " DESC" : sql)
            let found = try Row.fetchCursor(statement, arguments: [row.rowID, pass])
            while let next = try found.next() {
                body(try row.key.open(next[1], in: .inventory(next[0], stream: stream.stream, pass: pass)))
            }
        }
    }

    /// See `PlugStore`.
    package func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        try await read([:]) { database, key in
            try StreamRow.find(stream, database, key)?.refusals(database) ?? [:]
        }
    }
}

extension StreamRow {
    /// Where a part continues.
    func state(of part: String, _ database: Database) throws -> StreamState? {
        let name = key.hiddenName(ofPart: part, stream: id.stream)
        return try database.first("SELECT sealed FROM state WHERE stream = ? AND part = ?", rowID, name) { row in
            StreamState(try key.open(row[0], in: .state(stream: id.stream, part: part)))
        }
    }

    /// What runs have learnt about the stream.
    func profile(_ database: Database) throws -> StreamProfile? {
        let found = try database.first("SELECT profile FROM stream WHERE id = ?", rowID) { $0[0] as Data? }
        guard let sealed = found ?? nil else { return nil }
        let bytes = try key.open(sealed, in: .profile(stream: id.stream))
        guard let profile = StreamProfile(decoding: bytes) else {
            throw StoreErrors.damaged("profile of a stream", connection: id.connection.name)
        }
        return profile
    }

    /// Stores what runs have learnt about the stream.
    func write(_ profile: StreamProfile, _ database: Database) throws {
        let sealed = try key.seal(profile.encoded, in: .profile(stream: id.stream))
        try database.run("UPDATE stream SET profile = ? WHERE id = ?", sealed, rowID)
    }

    /// Records that were refused alone and are not settled.
    func refusals(_ database: Database) throws -> [RecordFingerprint: Int] {
        var refusals: [RecordFingerprint: Int] = [:]
        let rows = try database.all("SELECT fingerprint, runs FROM refusal WHERE stream = ?", rowID) { row in
            (fingerprint: row[0] as Data, runs: row[1] as Int)
        }
        for row in rows { RecordFingerprint.forEach(in: [UInt8](row.fingerprint)) { refusals[$0] = row.runs } }
        return refusals
    }

    /// The stream's stored data.
    func snapshot(_ database: Database) throws -> StreamSnapshot {
        var snapshot = StreamSnapshot()
        snapshot.pass = pass
        snapshot.state = try state(of: "", database)
        snapshot.refusals = try refusals(database)
        snapshot.profile = try profile(database)
        let sql = """
            SELECT EXISTS (SELECT 1 FROM ledger WHERE stream = ?1), EXISTS (SELECT 1 FROM inventory WHERE stream = ?1)
            """
        let kept = try database.first(sql, rowID) { ($0[0] as Bool, $0[1] as Bool) }
        (snapshot.hasLedger, snapshot.hasInventory) = kept ?? (false, false)
        return snapshot
    }
}
