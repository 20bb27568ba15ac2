internal import GRDB
internal import Glibc
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
        // A reader holds no locks of its own, and checks those of others.
        let (lock, folder) = (lock, folder)
        return try await read(false) { database, key in
            guard let row = try ConnectionRow.find(connection, database, key)?.rowID else { return false }
            return lock?.isLeased(row) ?? StateLock.isLeased(row, in: folder)
        }
    }

    /// Performs some work in a write transaction that takes a connection's lease; a store that was opened to wait waits for the
    /// holder.
    ///
    /// - Throws: `state-locked` (75) if another task or process still holds it, and the errors of `work`.
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

/// One attempt to lease a connection, inside a transaction that may be repeated or not happen at all.
final class LeaseClaim: Sendable {
    private let locks: StateLock
    private let now: Int64
    private let row = Mutex<Int64?>(nil)

    init(_ locks: StateLock, at now: Int64) {
        self.locks = locks
        self.now = now
    }

    /// Takes the lease and records the holder, for others to name.
    func take(_ connection: ConnectionRow, _ database: Database) throws {
        let known = row.withLock { $0 }
        if known != connection.rowID {
            giveUp()
            guard try locks.lease(connection.rowID) else {
                throw StoreErrors.leased(connection.connection.id, by: try LockHolder(of: connection, database))
            }
            row.withLock { $0 = connection.rowID }
        }
        let sql = """
            INSERT INTO lease VALUES (?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET pid = excluded.pid, at = excluded.at, command = excluded.command
            """
        try database.run(sql, connection.rowID, getpid(), now, LockHolder.ownCommand)
    }

    /// Gives back what was taken, as the attempt failed.
    func giveUp() {
        let taken = row.withLock { row in
            defer { row = nil }
            return row
        }
        if let taken { locks.endLease(taken) }
    }

    /// The lease, which its owner must give back.
    func lease() -> ConnectionLease { ConnectionLease { self.giveUp() } }
}

extension LockHolder {
    /// The last holder of a connection's lease; `nil` if that is unknown.
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
