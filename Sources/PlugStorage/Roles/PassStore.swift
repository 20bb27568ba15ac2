package import PlugCore

/// How far each stream has come in its current pass, and what is proved of its records.
///
/// What all roles promise stands at `PlugStore`.
package protocol PassStore: Sendable {
    /// Where files may be made for what does not fit into memory; `nil` if there is no disk.
    var scratchFolder: String? { get }

    /// A stream as it stands.
    func snapshot(of stream: StreamID) async throws -> StreamSnapshot

    /// Where a part of a stream continues, `nil` if nothing was committed yet.
    func state(of stream: StreamID, part: String) async throws -> StreamState?

    /// The pass that the next commit of this stream belongs to. A new stream begins with pass 1.
    func currentPass(of stream: StreamID) async throws -> Int64

    /// Hands over the ledger row by row, in the order in which the rows were committed.
    ///
    /// A ledger holds the last complete pass and what the current pass has proved so far. One million records are
    /// 16 MB; only one row of them is in memory at a time.
    ///
    /// - Parameter body: Receives a row's pass and its fingerprints (see `RecordFingerprint.forEach`). It runs on
    ///   another thread, one call after another, before this call returns.
    func forEachLedgerRow(
        of stream: StreamID,
        _ body: @Sendable (_ pass: Int64, _ packed: [UInt8]) -> Void
    ) async throws

    /// Hands over the inventory rows of a pass, in the order in which they were committed. The current pass has what it has found
    /// so far, the one before it all that it has found; older ones have none.
    ///
    /// - Parameters:
    ///   - newestFirst: Whether the last one comes first.
    ///   - body: As that of `forEachLedgerRow`.
    func forEachInventoryRow(
        of stream: StreamID,
        pass: Int64,
        newestFirst: Bool,
        _ body: @Sendable (_ inventory: [UInt8]) -> Void
    ) async throws

    /// In how many runs a record was refused alone, for each record that is not settled yet.
    func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int]

    /// What runs have learnt of a stream, `nil` if nothing was committed yet.
    func profile(of stream: StreamID) async throws -> StreamProfile?

    /// Commits what one page led to, in one transaction: states, ledger and inventory rows, dead letters, refusals, outbox batches,
    /// profile.
    ///
    /// Commits of many streams that arrive together share one transaction of the database, and still succeed or fail
    /// each for itself.
    ///
    /// - Throws: `commit-stale` (exit 75) if `commit.pass` is not the stream's current pass: somebody else has moved
    ///   the stream on, and nothing of this commit is stored.
    func commit(_ commit: StreamCommit) async throws
}

extension PassStore {
    /// None, unless a store has a disk.
    package var scratchFolder: String? { nil }
}
