internal import GRDB
package import PlugCore
internal import Synchronization

extension SQLiteStore {
    /// See `PlugStore`. Waits as long as the store was opened to wait.
    package func lease(_ connection: ConnectionID) async throws -> ConnectionLease {
        try await leasing { database, key, claim in
            let row = try ConnectionRow.require(connection, database, key)
            try claim.take(row, database)
        }.lease
    }

    /// See `PlugStore`.
    package func isLeased(_ connection: ConnectionID) async throws -> Bool {
        // Whoever only reads holds no locks, and looks at those of others.
        let (lock, folder) = (lock, folder)
        return try await read(false) { database, key in
            guard let row = try ConnectionRow.find(connection, database, key)?.rowID else { return false }
            return lock?.isLeased(row) ?? StateLock.isLeased(row, in: folder)
        }
    }

    /// Does some work in a write transaction that takes a connection's lease; a store that was opened to wait waits for
    /// whoever holds it.
    ///
    /// - Throws: `state-locked` (75) where another task or process still holds it; what `work` throws.
    func leasing<Value: Sendable>(
        _ work: @escaping @Sendable (Database, HostKeys, LeaseClaim) throws -> Value
    ) async throws -> (value: Value, lease: ConnectionLease) {
        let locks = try locks()
        let now = clock.now()
        return try await Patience(patience, clock).untilFree { () async throws(PlugError) in
            let claim = LeaseClaim(locks, at: now)
            do {
                let value = try await write { try work($0, $1, claim) }
                return (value, claim.lease())
            } catch {
                claim.giveUp()
                throw StoreErrors.plugError(error)
            }
        }
    }
}

/// One attempt to lease a connection, inside a transaction that may be done twice or not at all.
final class LeaseClaim: Sendable {
    private let locks: StateLock
    private let now: Int64
    private let row = Mutex<Int64?>(nil)

    init(_ locks: StateLock, at now: Int64) {
        self.locks = locks
        self.now = now
    }

    /// Takes the lease and writes down who has it, for others to name.
    func take(_ connection: ConnectionRow, _ database: Database) throws {
        let known = row.withLock { $0 }
        if known != connection.rowID {
            giveUp()
            guard try locks.lease(connection.rowID) else {
                throw StoreErrors.leased(connection.connection.id, by: try LockHolder(of: connection, database))
            }
            row.withLock { $0 = connection.rowID }
        }
        let holder = LockHolder.current(at: now)
        let sql = "INSERT OR REPLACE INTO lease VALUES (?, ?, ?, ?)"
        try database.run(sql, connection.rowID, holder.pid, now, holder.command)
    }

    /// Gives back what was taken, as nothing came of it.
    func giveUp() {
        let taken = row.withLock { row in
            defer { row = nil }
            return row
        }
        if let taken { locks.endLease(taken) }
    }

    /// The lease, whose owner gives it back from now on.
    func lease() -> ConnectionLease { ConnectionLease { self.giveUp() } }
}

extension LockHolder {
    /// Who leased a connection last, `nil` where that is not known.
    init?(of connection: ConnectionRow, _ database: Database) throws {
        let sql = "SELECT pid, at, command FROM lease WHERE connection = ?"
        let found = try database.first(sql, connection.rowID) { row in
            let since = Timestamp(seconds: (row[1] as Int64) / 1_000_000).rfc3339
            return LockHolder(pid: Int32(truncatingIfNeeded: row[0] as Int64), since: since, command: row[2])
        }
        guard let found else { return nil }
        self = found
    }
}
