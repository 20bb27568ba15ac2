package import PlugCore

/// Batches that wait for their PDA.
///
/// What all roles promise stands at `PlugStore`.
package protocol OutboxStore: Sendable {
    /// A stream's frozen batches, in the order in which they have to be sent.
    ///
    /// - Parameters:
    ///   - after: Only those with greater numbers.
    ///   - limit: At most so many, the oldest: a batch may be 1 MiB.
    func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch]

    /// One batch, `nil` if there is none with this number.
    func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch?

    /// Removes batches that wait; a person asked for it. What the ledger says of their records stays: they count as settled.
    ///
    /// - Returns: How many there were of them.
    func removeOutboxBatches(_ ids: [Int64]) async throws -> Int

    /// The streams with batches that wait, of one connection or of all, the one with the oldest batch first.
    func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox]

    /// The oldest batches of a connection, in the order of their numbers, as far as it can be told without opening them.
    ///
    /// - Parameter limit: At most so many.
    func waitingBatches(of connection: ConnectionID, limit: Int) async throws -> [WaitingBatch]

    /// How much waits in the outbox of a stream, or of the whole host for `nil`.
    func outboxSize(of stream: StreamID?) async throws -> OutboxSize

    /// Removes from a batch what the PDA has answered to and applies what follows from the answer, in one transaction.
    ///
    /// - Parameters:
    ///   - batch: The id of a batch of the stream; any other throws `outbox-gone` (exit 70).
    ///   - rest: What is left of it, in its place; `nil` if nothing is.
    ///   - commit: What the answer proved. The states of a queued page were committed when it was queued, so that its
    ///     `states` are usually empty here. Its pass may be an older one; one that has not begun throws `commit-stale`.
    func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws
}

extension OutboxStore {
    /// A stream's oldest batches.
    package func outbox(of stream: StreamID, limit: Int) async throws -> [StoredOutboxBatch] {
        try await outbox(of: stream, after: 0, limit: limit)
    }
}
