package import PlugCore
package import PlugStorage

/// Erases records kept for a connection, at a person's request: not while it runs, as the run may be sending them.
/// to have ended.
package struct KeptRecords: Sendable {
    private let store: any PlugStore
    private let connection: ConnectionID

    /// Refers to the records of a connection.
    package init(of connection: ConnectionID, in store: any PlugStore) {
        (self.connection, self.store) = (connection, store)
    }

    /// Erases dead letters of the connection.
    ///
    /// - Returns: How many of them there were.
    /// - Throws: `PlugError` `state-locked` (75) while it runs.
    package func drop(deadLetters ids: [Int64]) async throws -> Int {
        let lease = try await store.lease(connection)
        defer { lease.end() }
        return try await store.removeDeadLetters(ids)
    }

    /// Erases waiting batches of the connection.
    ///
    /// - Returns: How many of them there were.
    /// - Throws: `PlugError` `state-locked` (75) while it runs.
    package func drop(batches ids: [Int64]) async throws -> Int {
        let lease = try await store.lease(connection)
        defer { lease.end() }
        return try await store.removeOutboxBatches(ids)
    }
}

extension DeadLetter {
    /// The reason in our own words: the PDA's explanation may repeat the record, or a token.
    package var shownReason: String {
        guard stage == .deliver else { return reason }
        let status = reason.prefix { $0.isNumber }
        return status.isEmpty ? "the PDA refused it" : "the PDA refused it with \(status)"
    }
}
