internal import FoundationEssentials
internal import GRDB
public import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    public func state(of stream: StreamID, part: String) async throws -> StreamState? {
        try await read(nil) { database, key in
            guard let row = try StreamRow.find(stream, database, key) else { return nil }
            let statement = try database.cachedStatement(sql: "SELECT sealed FROM state WHERE stream = ? AND part = ?")
            let name = row.key.hiddenName(ofPart: part, stream: stream.stream)
            guard let sealed = try Data.fetchOne(statement, arguments: [row.rowID, name]) else { return nil }
            return StreamState(try row.key.open(sealed, in: .state(stream: stream.stream, part: part)))
        }
    }

    /// See `PlugStore`.
    public func currentPass(of stream: StreamID) async throws -> Int64 {
        try await read(1) { try StreamRow.find(stream, $0, $1)?.pass ?? 1 }
    }

    /// See `PlugStore`.
    public func forEachLedgerRow(
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
    public func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        try await read([:]) { database, key in
            guard let row = try StreamRow.find(stream, database, key) else { return [:] }
            let statement = try database.cachedStatement(sql: "SELECT fingerprint, runs FROM refusal WHERE stream = ?")
            var refusals: [RecordFingerprint: Int] = [:]
            let rows = try Row.fetchCursor(statement, arguments: [row.rowID])
            while let row = try rows.next() {
                let runs: Int = row[1]
                RecordFingerprint.forEach(in: [UInt8](row[0] as Data)) { refusals[$0] = runs }
            }
            return refusals
        }
    }
}
