package import PlugCore
package import PlugStorage

/// Erasing records that are kept for a connection, at a person's command: while nobody runs it, as a run that sends them just now has
/// to have ended.
package struct KeptRecords: Sendable {
    private let store: any PlugStore
    private let connection: ConnectionID

    /// The records of a connection.
    package init(of connection: ConnectionID, in store: any PlugStore) {
        (self.connection, self.store) = (connection, store)
    }

    /// Erases dead letters of the connection.
    ///
    /// - Returns: How many there were of them.
    /// - Throws: `PlugError` `state-locked` (75) while it runs.
    package func drop(deadLetters ids: [Int64]) async throws -> Int {
        let lease = try await store.lease(connection)
        defer { lease.end() }
        return try await store.removeDeadLetters(ids)
    }

    /// Erases batches of the connection that wait.
    ///
    /// - Returns: How many there were of them.
    /// - Throws: `PlugError` `state-locked` (75) while it runs.
    package func drop(batches ids: [Int64]) async throws -> Int {
        let lease = try await store.lease(connection)
        defer { lease.end() }
        return try await store.removeOutboxBatches(ids)
    }
}

extension DeadLetter {
    /// Why it is one, in our words: what a PDA says of a record may repeat the record, or a token.
    package var shownReason: String {
        guard stage == .deliver else { return reason }
        let status = reason.prefix { $0.isNumber }
        return status.isEmpty ? "the PDA refused it" : "the PDA refused it with \(status)"
    }
}
