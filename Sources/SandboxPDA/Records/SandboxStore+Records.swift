internal import Foundation
internal import GRDB
internal import PDAWire

/// A record as it is kept.
struct StoredRecord: Sendable, Equatable {
    var id: String
    var endpoint: String
    /// Compact JSON in `jsonb`'s key order.
    var data: String

    /// The namespace of its endpoint.
    var namespace: Substring { endpoint.prefix { $0 != "/" } }
}

/// A record on its way in, with those to be linked to it.
struct IncomingRecord: Sendable {
    var endpoint: String
    var form: RecordForm
    var links: [IncomingRecord] = []
}

/// Why records were not stored; nothing of the request was.
enum InsertFailure: Error, Equatable {
    case duplicate
    case refused
}

extension SandboxStore {
    /// A record that was stored, with those linked to it.
    struct Inserted: Sendable {
        var record: StoredRecord
        var links: [StoredRecord] = []
    }

    /// Stores records in one transaction: all of them, or, with `skipsErrors`, those that can be.
    ///
    /// - Parameter date: Milliseconds since 1970.
    /// - Throws: `InsertFailure` where one cannot be stored and errors are not skipped.
    func insert(_ records: [IncomingRecord], skipsErrors: Bool, date: Int64) async throws -> [Inserted] {
        try await write { database in
            var inserted: [Inserted] = []
            inserted.reserveCapacity(records.count)
            var endpoints: [String: Int64] = [:]
            for record in records {
                do {
                    var stored = Inserted(record: try Self.insert(record, date, &endpoints, database))
                    for link in record.links { stored.links.append(try Self.insert(link, date, &endpoints, database)) }
                    inserted.append(stored)
                } catch let failure as InsertFailure {
                    if !skipsErrors { throw failure }
                }
            }
            return inserted
        }
    }

    private static func insert(
        _ record: IncomingRecord,
        _ date: Int64,
        _ endpoints: inout [String: Int64],
        _ database: Database
    ) throws -> StoredRecord {
        if record.form.isRefused { throw InsertFailure.refused }
        let endpoint = try endpoints[record.endpoint] ?? endpointID(record.endpoint, database)
        endpoints[record.endpoint] = endpoint
        let id = RandomText.uuid()
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO records (id, endpoint, data, hash, date) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (hash) DO NOTHING
                """
        )
        try statement.execute(arguments: [id, endpoint, record.form.stored, record.form.hash, date])
        if database.changesCount == 0 { throw InsertFailure.duplicate }
        return StoredRecord(id: id, endpoint: record.endpoint, data: record.form.stored)
    }

    private static func endpointID(_ path: String, _ database: Database) throws -> Int64 {
        try database.execute(sql: "INSERT INTO endpoints (path) VALUES (?) ON CONFLICT DO NOTHING", arguments: [path])
        let id = try Int64.fetchOne(database, sql: "SELECT id FROM endpoints WHERE path = ?", arguments: [path])
        guard let id else { throw DatabaseError(message: "an endpoint is not kept") }
        return id
    }

    /// Gives records other data; all of them or none.
    ///
    /// - Returns: Whether all were there, and `InsertFailure.duplicate` thrown where a hash belongs to another record.
    func update(_ changes: [(id: String, form: RecordForm)], mayWrite: @escaping Writer, date: Int64) async throws
        -> Bool
    {
        do {
            try await write { database in
                for change in changes {
                    guard let kept = try Self.record(change.id, database), mayWrite(kept.namespace) else {
                        throw RecordsMissing()
                    }
                    do {
                        try database.execute(
                            sql: "UPDATE records SET data = ?, hash = ?, date = ? WHERE id = ?",
                            arguments: [change.form.stored, change.form.hash, date, change.id]
                        )
                    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                        throw InsertFailure.duplicate
                    }
                }
            }
            return true
        } catch is RecordsMissing {
            return false
        }
    }

    /// Whether a namespace may be written.
    typealias Writer = @Sendable (Substring) -> Bool
    private struct RecordsMissing: Error {}
    /// How a deletion by id ended.
    enum Deletion: Error { case done, missing, forbidden }

    /// Deletes records by id; all of them or none.
    func delete(_ ids: [String], mayWrite: @escaping Writer) async throws -> Deletion {
        guard Set(ids).count == ids.count else { return .missing }
        do {
            try await write { database in
                let records = try ids.map { try Self.record($0, database) }
                if records.contains(where: { $0.map { !mayWrite($0.namespace) } ?? false }) { throw Deletion.forbidden }
                if records.contains(where: { $0 == nil }) { throw Deletion.missing }
                for id in ids { try database.execute(sql: "DELETE FROM records WHERE id = ?", arguments: [id]) }
            }
            return .done
        } catch let failure as Deletion {
            return failure
        }
    }

    /// Deletes all records of exactly this endpoint.
    func deleteAll(at endpoint: String) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM records WHERE endpoint = (SELECT id FROM endpoints WHERE path = ?)",
                arguments: [endpoint]
            )
        }
    }

    /// One record, `nil` where there is none.
    func record(_ id: String) async throws -> StoredRecord? { try await read { try Self.record(id, $0) } }

    private static func record(_ id: String, _ database: Database) throws -> StoredRecord? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT records.id, path, data FROM records JOIN endpoints ON endpoints.id = endpoint WHERE records.id = ?
                """,
            arguments: [id.lowercased()]
        )
        return row.map { StoredRecord(id: $0[0], endpoint: $0[1], data: $0[2]) }
    }
}
