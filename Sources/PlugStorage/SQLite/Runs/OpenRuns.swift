internal import PlugCore
internal import Synchronization

/// The runs of this process that hold their connections' leases: what each of a run's writes would otherwise look up again.
///
/// None of it can become outdated. While a connection exists, neither its row nor its key changes (a change of the host's key
/// wraps the same key again), and only the holder of its lease erases it.
final class OpenRuns: Sendable {
    private struct Content {
        var runs: [ConnectionID: RunRow] = [:]
        /// The connections of runs that have not ended.
        var connections: [Int64: ConnectionID] = [:]

        mutating func forget(_ connection: ConnectionID) {
            if let run = runs.removeValue(forKey: connection) { connections[run.id] = nil }
        }
    }

    private let content = Mutex(Content())

    /// Adds a run whose beginning is on disk.
    ///
    /// - Returns: Its lease, with which it is forgotten.
    func add(_ run: RunRow, _ lease: ConnectionLease) -> ConnectionLease {
        let name = run.connection.connection.id
        content.withLock { content in
            content.runs[name] = run
            content.connections[run.id] = name
        }
        return ConnectionLease {
            self.forget(name)
            lease.end()
        }
    }

    /// A connection that a run holds.
    func connection(_ id: ConnectionID) -> ConnectionRow? { content.withLock { $0.runs[id]?.connection } }

    /// A run that has not ended; from now on it counts as ended. If it is ended again, or its transaction is repeated, the database
    /// says whether it has ended.
    func takeForEnding(_ id: Int64) -> RunRow? {
        content.withLock { content in content.connections.removeValue(forKey: id).flatMap { content.runs[$0] } }
    }

    /// Forgets a connection: a key that is to be destroyed must not remain in memory.
    func forget(_ connection: ConnectionID) { content.withLock { $0.forget(connection) } }
}
