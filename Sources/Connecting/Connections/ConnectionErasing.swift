package import PlugCore
package import PlugStorage

/// Erases connections, also beside a host that runs them.
package enum ConnectionErasing {
    /// Erases a connection and everything that is kept for it.
    ///
    /// - Parameter who: For the audit log, which is erased with it unless this fails.
    /// - Returns: What was erased.
    /// - Throws: `PlugError` `connection-unknown`; `state-locked` (75) while it runs: it is paused then, so that the host does not
    ///   begin it once more, and can be erased when its run has ended. A store that was opened to wait waits for that.
    package static func erase(
        _ connection: ConnectionID,
        in store: any PlugStore,
        by who: String,
        at now: Int64
    ) async throws -> ErasureReceipt {
        let change = AuditEntry(at: now, who: who, what: "to be erased")
        // Without a set-up no host runs it: nothing to be paused.
        _ = try await store.changeSetup(of: connection, status: .paused, dueAt: nil, change)
        let lease = try await store.lease(connection)
        defer { lease.end() }
        guard let receipt = try await store.eraseConnection(connection) else {
            throw StoreErrors.connectionUnknown(connection)
        }
        return receipt
    }
}
