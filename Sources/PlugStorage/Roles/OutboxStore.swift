package import PlugCore

/// Batches that wait for their PDA.
///
/// `PlugStore` states what all roles promise.
///
/// SQLite: `SQLiteStore+Outbox.swift` and `SQLiteStore+Commit.swift`.
package protocol OutboxStore: Sendable {
    /// A stream's frozen batches, in the order in which they must be sent.
    ///
    /// - Parameters:
    ///   - after: Only those with greater numbers.
    ///   - limit: The maximum number, oldest first: a batch may be 1 MiB.
    func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch]

    /// Finds a batch by number; `nil` if there is none.
    func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch?

    /// Removes waiting batches, at a person's request. The ledger entries of their records stay: they count as settled.
    ///
    /// - Returns: How many of them there were.
    func removeOutboxBatches(_ ids: [Int64]) async throws -> Int

    /// The streams with waiting batches, of one connection or of all, the one with the oldest batch first.
    func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox]

    /// The oldest batches of a connection, in the order of their numbers, as far as is known without opening them.
    ///
    /// - Parameter limit: The maximum number.
    func waitingBatches(of connection: ConnectionID, limit: Int) async throws -> [WaitingBatch]

    /// The size of a stream's outbox, or of the whole host's for `nil`.
    func outboxSize(of stream: StreamID?) async throws -> OutboxSize

    /// Removes from a batch what the PDA has answered, and applies the consequences of the answer, in one transaction.
    ///
    /// - Parameters:
    ///   - batch: The id of a batch of the stream; any other throws `outbox-gone` (exit 70).
    ///   - rest: What remains of it, in its place; `nil` if nothing does.
    ///   - commit: What the answer proved. The states of a queued page were committed when it was queued, so `states` is usually
    ///     empty here. Its pass may be an older one; one that has not begun throws `commit-stale`.
    func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws
}

extension OutboxStore {
    /// A stream's oldest batches.
    package func outbox(of stream: StreamID, limit: Int) async throws -> [StoredOutboxBatch] {
        try await outbox(of: stream, after: 0, limit: limit)
    }
}
