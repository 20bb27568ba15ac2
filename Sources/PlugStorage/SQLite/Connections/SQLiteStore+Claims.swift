internal import FoundationEssentials
internal import GRDB
internal import PlugCore

extension SQLiteStore {
    /// See `PlugStore`.
    package func claimDue(_ wish: ClaimWish) async throws -> DueClaims {
        try await write { database, _ in
            let lines = try ClaimWish.lines(database)
            var due: [String: [Due]] = [:]
            for line in lines where line.first <= wish.at {
                let room = min(wish.limit, wish.room(of: line.plug, among: lines))
                if room > 0 { due[line.plug] = try Due.first(room, of: line.plug, at: wish.at, database) }
            }
            let shares = wish.shares(of: due.mapValues { $0.map(\.at) })
            let claim = try database.cachedStatement(sql: Due.claim)
            var claims: [DueClaim] = []
            for (plug, share) in shares {
                for row in due[plug, default: []].prefix(share) {
                    try claim.execute(arguments: [wish.until, row.rowID])
                    claims.append(row.claim(of: plug))
                }
            }
            claims.sort { ($0.dueAt, $0.connection.name) < ($1.dueAt, $1.connection.name) }
            return DueClaims(
                claims: claims,
                next: wish.next(among: claims.isEmpty ? lines : try ClaimWish.lines(database))
            )
        }
    }

    /// See `PlugStore`.
    package func releaseClaims(at now: Int64) async throws -> ReleasedClaims {
        try await write { database, _ in
            var released = ReleasedClaims()
            let sql = """
                SELECT connection, claimed, deaths + 1 FROM setup WHERE claimed IS NOT NULL ORDER BY waits_since, connection
                """
            let release = try database.cachedStatement(
                sql: "UPDATE setup SET due_at = ?, claimed = NULL, deaths = ?, epoch = epoch + 1 WHERE connection = ?"
            )
            for row in try Row.fetchAll(database, sql: sql) {
                let due = released.add(due: row[1], deaths: row[2], now: now)
                try release.execute(arguments: [due, row[2] as Int64, row[0] as Int64])
            }
            return released
        }
    }

    /// See `PlugStore`.
    package func nextDue() async throws -> Int64? {
        try await read(nil) { database, _ in try ClaimWish.lines(database).map(\.first).min() }
    }

    /// See `PlugStore`.
    package func plannedSetups(after name: String, limit: Int) async throws -> [PlannedSetup] {
        try await read([]) { database, key in
            let sql = """
                SELECT name, setup.plug, due_at, planned, ran_at, epoch, sealed
                FROM connection CROSS JOIN setup ON setup.connection = connection.id
                WHERE name > ? AND status = 'active' AND due_at IS NOT NULL AND claimed IS NULL
                ORDER BY name LIMIT ?
                """
            let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [name, limit])
            return try rows.map { row in
                let id = ConnectionID(row[0])
                let sealed: Data = row[6]
                let content = try ConnectionRow.require(id, database, key).key.open(sealed, in: .setup)
                return PlannedSetup(
                    connection: id,
                    plug: row[1],
                    dueAt: row[2],
                    isPlanned: row[3],
                    ranAt: row[4],
                    epoch: row[5],
                    content: Secret(String(decoding: content, as: UTF8.self))
                )
            }
        }
    }

    /// See `PlugStore`.
    package func reschedule(_ setups: [PlannedSetup]) async throws -> Int {
        try await write { database, _ in
            let sql = """
                UPDATE setup SET due_at = ?1, waits_since = ?1 WHERE epoch = ?2 AND status = 'active' AND claimed IS NULL
                    AND connection = (SELECT id FROM connection WHERE name = ?3)
                """
            let change = try database.cachedStatement(sql: sql)
            var count = 0
            for setup in setups {
                try change.execute(arguments: [setup.dueAt, setup.epoch, setup.connection.name])
                count += database.changesCount
            }
            return count
        }
    }
}

extension ClaimWish {
    /// One seek for each plug, and one for its first connection: the number of connections does not matter.
    static let lines = """
        WITH RECURSIVE line (plug) AS (
            SELECT min(plug) FROM setup WHERE status = 'active' AND due_at IS NOT NULL
            UNION ALL
            SELECT (
                SELECT min(setup.plug) FROM setup
                WHERE status = 'active' AND due_at IS NOT NULL AND setup.plug > line.plug
            ) FROM line WHERE line.plug IS NOT NULL
        )
        SELECT plug, (
            SELECT due_at FROM setup WHERE setup.plug = line.plug AND status = 'active' AND due_at IS NOT NULL
            ORDER BY due_at LIMIT 1
        ) FROM line WHERE plug IS NOT NULL
        """

    /// The lines of all plugs.
    fileprivate static func lines(_ database: Database) throws -> [Line] {
        try Row.fetchAll(database.cachedStatement(sql: lines)).map { Line(plug: $0[0], first: $0[1]) }
    }
}

/// A due connection.
struct Due {
    fileprivate var rowID: Int64
    fileprivate var name: String
    fileprivate var at: Int64
    private var waitsSince: Int64
    private var ranAt: Int64?
    private var epoch: Int64

    /// The first connections in a plug's line.
    static let first = """
        SELECT setup.connection, name, due_at, waits_since, ran_at, epoch FROM setup
        JOIN connection ON connection.id = setup.connection
        WHERE setup.plug = ? AND status = 'active' AND due_at IS NOT NULL AND due_at <= ?
        ORDER BY due_at, waits_since LIMIT ?
        """
    fileprivate static let claim = """
        UPDATE setup SET claimed = coalesce(claimed, due_at), due_at = ?, epoch = epoch + 1 WHERE connection = ?
        """

    fileprivate static func first(_ count: Int, of plug: String, at now: Int64, _ database: Database) throws -> [Due] {
        try Row.fetchAll(database.cachedStatement(sql: first), arguments: [plug, now, count]).map { row in
            Due(rowID: row[0], name: row[1], at: row[2], waitsSince: row[3], ranAt: row[4], epoch: row[5])
        }
    }

    /// The claim to this connection.
    fileprivate func claim(of plug: String) -> DueClaim {
        DueClaim(
            connection: ConnectionID(name),
            plug: plug,
            dueAt: at,
            waitsSince: waitsSince,
            ranAt: ranAt,
            epoch: epoch + 1
        )
    }
}
