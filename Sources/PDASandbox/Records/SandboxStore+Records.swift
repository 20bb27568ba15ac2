internal import Foundation
internal import GRDB
internal import PDAWire

/// A stored record.
struct StoredRecord: Sendable, Equatable {
    var id: String
    var endpoint: String
    /// Compact JSON in `jsonb`'s key order.
    var data: String
    /// Its owner: the user of the token that stored it.
    var owner: Int64

    /// The namespace of its endpoint.
    var namespace: Substring { endpoint.prefix { $0 != "/" } }
}

/// An incoming record, with those to be linked to it.
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
    /// - Parameters:
    ///   - date: Milliseconds since 1970.
    ///   - owner: The user who owns them.
    /// - Throws: `InsertFailure` if one cannot be stored and errors are not skipped.
    func insert(
        _ records: [IncomingRecord],
        skipsErrors: Bool,
        date: Int64,
        owner: Int64 = User.ownerNumber
    ) async throws -> [Inserted] {
        try await write { database in
            var inserted: [Inserted] = []
            inserted.reserveCapacity(records.count)
            var work = Insertion(date: date, owner: owner)
            for record in records {
                do {
                    let stored = try work.insert(record, database)
                    if !record.links.isEmpty { try Self.group([stored.record.id] + stored.links.map(\.id), database) }
                    inserted.append(stored)
                } catch let failure as InsertFailure {
                    if !skipsErrors { throw failure }
                }
            }
            return inserted
        }
    }

    /// Puts existing records into one group, so that queries find each through the others.
    static func group(_ ids: [String], _ database: Database) throws {
        let last = try Int64.fetchOne(database, sql: "SELECT max(number) FROM recordGroups") ?? 0
        for id in ids {
            try database.execute(
                sql: "INSERT INTO recordGroups (number, record) SELECT ?, sequence FROM records WHERE id = ?",
                arguments: [last + 1, id]
            )
        }
    }

    /// Groups existing records, all or none; the caller must be allowed to write each.
    ///
    /// - Returns: `missing` if one does not exist or belongs to another user.
    func link(_ ids: [String], of owner: Int64, mayWrite: @escaping Writer) async throws -> Deletion {
        try await write { database in
            let records = try Set(ids).sorted().map { try Self.record($0, database) }
            if records.contains(where: { $0?.owner != owner }) { return .missing }
            if records.contains(where: { $0.map { !mayWrite($0.namespace) } ?? false }) { return .forbidden }
            try Self.group(records.compactMap { $0?.id }, database)
            return .done
        }
    }

    /// Replaces the data of records; all of them or none.
    ///
    /// - Returns: Whether all existed; throws `InsertFailure.duplicate` if a hash belongs to another record.
    func update(
        _ changes: [(id: String, form: RecordForm)],
        of owner: Int64,
        mayWrite: @escaping Writer,
        date: Int64
    ) async throws -> Bool {
        do {
            try await write { database in
                for change in changes {
                    guard let kept = try Self.record(change.id, database), kept.owner == owner,
                        mayWrite(kept.namespace)
                    else {
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
    /// The outcome of a deletion by id.
    enum Deletion: Error { case done, missing, forbidden }

    /// Deletes a user's records by id; all of them or none.
    func delete(_ ids: [String], of owner: Int64, mayWrite: @escaping Writer) async throws -> Deletion {
        guard Set(ids).count == ids.count else { return .missing }
        do {
            try await write { database in
                let records = try ids.map { try Self.record($0, database).flatMap { $0.owner == owner ? $0 : nil } }
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

    /// One record, `nil` if there is none.
    func record(_ id: String) async throws -> StoredRecord? { try await read { try Self.record(id, $0) } }

    static func record(_ id: String, _ database: Database) throws -> StoredRecord? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT records.id, path, data, owner FROM records JOIN endpoints ON endpoints.id = endpoint WHERE records.id = ?
                """,
            arguments: [id.lowercased()]
        )
        return row.map { StoredRecord(id: $0[0], endpoint: $0[1], data: $0[2], owner: $0[3]) }
    }
}
