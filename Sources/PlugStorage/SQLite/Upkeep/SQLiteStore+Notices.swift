internal import GRDB
internal import PlugCore

extension SQLiteStore: NoticeStore {
    /// See `NoticeStore`.
    package func noticeCauses() async throws -> [CauseState] {
        try await read([]) { database, _ in
            let sql = "SELECT kind, plug, news, told_at FROM notice_cause ORDER BY kind, plug"
            return try Row.fetchAll(database.cachedStatement(sql: sql)).compactMap { row in
                NoticeCause.Kind(rawValue: row[0]).map {
                    CauseState(NoticeCause($0, plug: row[1]), news: row[2], toldAt: row[3])
                }
            }
        }
    }

    /// See `NoticeStore`.
    package func keepNotice(_ notice: NewNotice, unlessToldSince time: Int64) async throws -> Bool {
        try await write { database, _ in
            let told = try database.cachedStatement(
                sql: "SELECT 1 FROM notice_cause WHERE kind = ? AND plug = ? AND told_at > ? AND told_at <= ?"
            )
            for cause in notice.causes.keys {
                let arguments: StatementArguments = [cause.kind.rawValue, cause.plug, time, notice.at]
                if try Int.fetchOne(told, arguments: arguments) != nil { return false }
            }
            let tell = try database.cachedStatement(
                sql: """
                    INSERT INTO notice_cause (kind, plug, told_at) VALUES (?1, ?2, ?3)
                    ON CONFLICT DO UPDATE SET told_at = excluded.told_at, news = max(0, news - ?4)
                    """
            )
            for (cause, news) in notice.causes {
                try tell.execute(arguments: [cause.kind.rawValue, cause.plug, notice.at, news])
            }
            let keep = try database.cachedStatement(
                sql: "INSERT INTO notice (id, target, at, due_at, content) VALUES (?1, ?2, ?3, ?3, ?4)"
            )
            let trim = try database.cachedStatement(
                sql: """
                    DELETE FROM notice WHERE target = ?1 AND number <= (
                        SELECT number FROM notice WHERE target = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2
                    )
                    """
            )
            for target in notice.targets {
                try keep.execute(arguments: [notice.id, target, notice.at, notice.content])
                try trim.execute(arguments: [target, NoticeLimit.queue])
            }
            return true
        }
    }

    /// See `NoticeStore`.
    package func forgetNews(of cause: NoticeCause, count: Int) async throws {
        try await write { database, _ in
            let sql = "UPDATE notice_cause SET news = max(0, news - ?) WHERE kind = ? AND plug = ?"
            try database.cachedStatement(sql: sql).execute(arguments: [count, cause.kind.rawValue, cause.plug])
        }
    }

    /// See `NoticeStore`.
    package func claimNotices(at now: Int64, until: Int64, limit: Int) async throws -> [WaitingNotice] {
        // Called often, and nearly always in vain: in that case nothing is written.
        let next = try await read(Int64?.none) { database, _ in
            try Int64.fetchOne(database.cachedStatement(sql: "SELECT min(due_at) FROM notice"))
        }
        guard let next, next <= now else { return [] }
        return try await write { database, _ in
            let select = try database.cachedStatement(
                sql: """
                    SELECT number, id, target, at, tries, content FROM notice WHERE due_at <= ? ORDER BY due_at, number LIMIT ?
                    """
            )
            let claim = try database.cachedStatement(sql: "UPDATE notice SET due_at = ? WHERE number = ?")
            return try Row.fetchAll(select, arguments: [now, limit]).map { row in
                try claim.execute(arguments: [until, row[0] as Int64])
                return WaitingNotice(
                    number: row[0],
                    until: until,
                    id: row[1],
                    target: row[2],
                    at: row[3],
                    tries: row[4],
                    content: row[5]
                )
            }
        }
    }

    /// See `NoticeStore`.
    package func endNotice(_ notice: WaitingNotice, _ end: NoticeEnd) async throws {
        try await write { database, _ in
            switch end {
            case .gone:
                let sql = "DELETE FROM notice WHERE number = ? AND due_at = ?"
                try database.cachedStatement(sql: sql).execute(arguments: [notice.number, notice.until])
            case .again(let time, let failure):
                let sql = """
                    UPDATE notice SET due_at = ?, tries = tries + 1, failure = ? WHERE number = ? AND due_at = ?
                    """
                let text = String(failure.prefix(NoticeLimit.failure))
                try database.cachedStatement(sql: sql).execute(arguments: [time, text, notice.number, notice.until])
            }
        }
    }

    /// See `NoticeStore`.
    package func reviveNotices(at now: Int64, longest: Int64) async throws {
        let isAny = try await read(false) { database, _ in
            let sql = "SELECT 1 FROM notice WHERE due_at > ? LIMIT 1"
            return try Int.fetchOne(database.cachedStatement(sql: sql), arguments: [now + longest]) != nil
        }
        guard isAny else { return }
        try await write { database, _ in
            let sql = "UPDATE notice SET due_at = ?1, at = min(at, ?1) WHERE due_at > ?2"
            try database.cachedStatement(sql: sql).execute(arguments: [now, now + longest])
        }
    }

    /// See `NoticeStore`.
    package func noticeQueues() async throws -> [NoticeQueue] {
        try await read([]) { database, _ in
            let sql = """
                SELECT target, count(*), min(at), (
                    SELECT failure FROM notice AS one WHERE one.target = notice.target AND failure IS NOT NULL
                    ORDER BY number DESC LIMIT 1
                ) FROM notice GROUP BY target ORDER BY target
                """
            return try Row.fetchAll(database.cachedStatement(sql: sql)).map { row in
                NoticeQueue(target: row[0], count: row[1], since: row[2], failure: row[3])
            }
        }
    }

    /// See `NoticeStore`.
    package func connections(behind cause: NoticeCause, limit: Int) async throws -> [Connection] {
        let ids: [String] = try await read([]) { database, _ in
            let arguments: StatementArguments = [cause.plug, limit]
            switch cause.kind {
            case .reconnect:
                let sql = """
                    SELECT name FROM connection WHERE plug = ? AND setup_status = 'reconnect' ORDER BY name LIMIT ?
                    """
                return try String.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
            case .stuck:
                let sql = "SELECT name FROM connection \(Self.stuck) ORDER BY name LIMIT ?"
                return try String.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
            case .deadLetters:
                // A stream may have very many, so only this many are examined.
                let sql = """
                    SELECT connection.name FROM (SELECT id, stream FROM dead_letter ORDER BY id DESC LIMIT 1000) AS letter
                    JOIN stream ON stream.id = letter.stream JOIN connection ON connection.id = stream.connection
                    WHERE connection.plug = ? GROUP BY connection.id ORDER BY max(letter.id) DESC LIMIT ?
                    """
                return try String.fetchAll(database.cachedStatement(sql: sql), arguments: arguments)
            // The others concern a plug or the host.
            default: return []
            }
        }
        var found: [Connection] = []
        for id in ids { if let connection = try await connection(ConnectionID(id)) { found.append(connection) } }
        return found
    }

    private static let stuck =
        "WHERE trouble_code IS NOT NULL AND plug = ? AND setup_status = 'active' AND trouble_lasts = 1"

    /// See `NoticeStore`.
    package func stuckCount(of plug: String) async throws -> Int {
        try await read(0) { database, _ in
            try database.first("SELECT count(*) FROM connection \(Self.stuck)", plug) { $0[0] as Int } ?? 0
        }
    }

    /// See `NoticeStore`.
    package func health(of plug: String, limit: Int) async throws -> PlugHealth {
        try await read(PlugHealth(connections: 0, failed: 0)) { database, _ in
            // The last run of each is one seek through the index `run_connection`.
            let sql = """
                SELECT count(outcome), coalesce(sum(outcome = 'failed'), 0) FROM (
                    SELECT (
                        SELECT outcome FROM run WHERE run.connection = some.id AND outcome <> 'interrupted'
                        ORDER BY run.id DESC LIMIT 1
                    ) AS outcome
                    FROM (
                        SELECT id FROM connection WHERE plug = ? AND setup_status IN ('active', 'reconnect') LIMIT ?
                    ) AS some
                )
                """
            let row = try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [plug, limit])
            return PlugHealth(connections: row?[0] ?? 0, failed: row?[1] ?? 0)
        }
    }
}
