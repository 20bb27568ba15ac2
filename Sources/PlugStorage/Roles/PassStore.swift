package import PlugCore

/// The progress of each stream in its current pass, and what is proved of its records.
///
/// `PlugStore` states what all roles promise.
///
/// SQLite: `SQLiteStore+Streams.swift` and `SQLiteStore+Commit.swift`.
package protocol PassStore: Sendable {
    /// The folder for files with data that does not fit into memory; `nil` if there is no disk.
    var scratchFolder: String? { get }

    /// A stream's stored data.
    func snapshot(of stream: StreamID) async throws -> StreamSnapshot

    /// Where a part of a stream continues; `nil` if nothing was committed yet.
    func state(of stream: StreamID, part: String) async throws -> StreamState?

    /// The pass that the next commit of this stream belongs to. A new stream begins with pass 1.
    func currentPass(of stream: StreamID) async throws -> Int64

    /// Passes the ledger to `body` row by row, in the order in which the rows were committed.
    ///
    /// A ledger holds the last complete pass and what the current pass has proved so far. One million records take 16 MB; only
    /// one row of them is in memory at a time.
    ///
    /// - Parameter body: Receives a row's pass and its fingerprints (see `RecordFingerprint.forEach`). It runs on another thread,
    ///   one call after another, before this call returns.
    func forEachLedgerRow(
        of stream: StreamID,
        _ body: @Sendable (_ pass: Int64, _ packed: [UInt8]) -> Void
    ) async throws

    /// Passes on the inventory rows of a pass, in the order in which they were committed. The current pass has what it has found
    /// so far, the previous one everything it found; older ones have none.
    ///
    /// - Parameters:
    ///   - newestFirst: Whether the last one comes first.
    ///   - body: As for `forEachLedgerRow`.
    func forEachInventoryRow(
        of stream: StreamID,
        pass: Int64,
        newestFirst: Bool,
        _ body: @Sendable (_ inventory: [UInt8]) -> Void
    ) async throws

    /// The number of runs in which each unsettled record was refused alone.
    func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int]

    /// What runs have learnt about a stream; `nil` if nothing was committed yet.
    func profile(of stream: StreamID) async throws -> StreamProfile?

    /// Commits the result of one or more pages in one transaction: states, ledger and inventory rows, dead letters, refusals, outbox
    /// batches, profile.
    ///
    /// Commits of many streams that arrive together share one database transaction, but each succeeds or fails on its own.
    ///
    /// - Throws: `commit-stale` (exit 75) if `commit.pass` is not the stream's current pass: the stream has moved on in the
    ///   meantime, and nothing of this commit is stored.
    func commit(_ commit: StreamCommit) async throws
}

extension PassStore {
    /// `nil`, unless a store has a disk.
    package var scratchFolder: String? { nil }
}
