internal import FoundationEssentials
internal import GRDB
package import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func briefs(_ search: ConnectionSearch) async throws -> FoundBriefs {
        try await read(FoundBriefs(briefs: [])) { database, keys in
            let (names, next) = try ConnectionFinding(search, database).page()
            let reading = try BriefReading(database, keys)
            return FoundBriefs(briefs: try names.compactMap(reading.brief), next: next)
        }
    }

    /// See `PlugStore`.
    package func brief(of connection: ConnectionID) async throws -> ConnectionBrief? {
        try await read(nil) { try BriefReading($0, $1).brief(connection.name) }
    }
}

/// Reads connections in brief, in one transaction: a few seeks for each.
private struct BriefReading {
    private let database: Database
    private let keys: HostKeys
    /// Most hosts have nothing waiting, and no dead letters.
    private let hasWaiting: Bool
    private let hasLetters: Bool

    init(_ database: Database, _ keys: HostKeys) throws {
        (self.database, self.keys) = (database, keys)
        hasWaiting = try database.first("SELECT 1 FROM outbox LIMIT 1") { _ in true } ?? false
        hasLetters = try database.first("SELECT 1 FROM dead_letter LIMIT 1") { _ in true } ?? false
    }

    private static let connection = """
        SELECT connection.id, connection.plug, pda, created_at, trouble_code, trouble_since, trouble_runs,
            setup.status, coalesce(claimed, due_at),
            (SELECT max(id) FROM run WHERE run.connection = connection.id),
            (
                SELECT ended_at FROM run WHERE run.connection = connection.id AND outcome = 'done'
                ORDER BY run.id DESC LIMIT 1
            )
        FROM connection LEFT JOIN setup ON setup.connection = connection.id WHERE name = ?
        """
    private static let waiting = """
        SELECT count(*), coalesce(sum(size), 0), min(at)
        FROM stream JOIN outbox INDEXED BY outbox_waiting ON outbox.stream = stream.id WHERE stream.connection = ?
        """
    private static let letters = """
        SELECT count(*) FROM stream JOIN dead_letter ON dead_letter.stream = stream.id WHERE stream.connection = ?
        """

    func brief(_ name: String) throws -> ConnectionBrief? {
        var (rowID, newest): (Int64, Int64?) = (0, nil)
        let found = try database.first(Self.connection, name) { row in
            rowID = row[0]
            newest = row[9]
            var brief = ConnectionBrief(id: ConnectionID(name), plug: row[1], pda: row[2], createdAt: row[3])
            if let code = row[4] as String?, let since = row[5] as Int64? {
                brief.trouble = ConnectionTrouble(code: code, since: since, runs: row[6])
            }
            if let status = row[7] as String? {
                guard let status = ConnectionSetup.Status(rawValue: status) else {
                    throw StoreErrors.damaged("set-up", connection: name)
                }
                brief.status = status
                if status == .active { brief.dueAt = row[8] }
            }
            brief.lastSuccess = row[10]
            return brief
        }
        guard var brief = found else { return nil }
        if let newest { brief.lastRun = try run(newest, of: brief.id) }
        if hasWaiting {
            try database.first(Self.waiting, rowID) { row in
                brief.waiting = OutboxSize(batches: row[0], bytes: row[1])
                brief.waitingSince = row[2]
            }
        }
        if hasLetters { brief.deadLetters = try database.first(Self.letters, rowID) { $0[0] as Int } ?? 0 }
        return brief
    }

    private func run(_ id: Int64, of connection: ConnectionID) throws -> StoredRun? {
        let sql = """
            SELECT version, at, ended_at, outcome, CASE WHEN outcome <> 'done' THEN sealed_report END FROM run WHERE id = ?
            """
        return try database.first(sql, id) { row in
            let report = try (row[4] as Data?).map { sealed in
                try ConnectionRow.require(connection, database, keys).key.open(sealed, in: .run(id))
            }
            return StoredRun(
                id: id,
                start: RunStart(connection: connection, version: row[0], at: row[1]),
                endedAt: row[2],
                outcome: row[3],
                report: report ?? []
            )
        }
    }
}
