package import PlugCore

/// The history of runs, and how a run begins and ends.
///
/// `PlugStore` states what all roles promise.
///
/// SQLite: `SQLiteStore+Runs.swift`.
package protocol RunStore: Sendable {
    /// Opens the connection, takes its lease, records that a run has begun, and returns everything that a run needs to know from
    /// the store before its first request.
    ///
    /// - Parameters:
    ///   - start: The run, with its connection and time.
    ///   - plug: The plug's id.
    ///   - pda: The PDA's origin.
    ///   - streams: The names of the streams that the run will read.
    /// - Throws: As `openConnection` and `lease`; in that case no run has begun.
    func openRun(_ start: RunStart, plug: String, pda: String, streams: [String]) async throws -> OpenedRun

    /// Records that a run has begun.
    ///
    /// - Returns: The run's id, greater than all before it.
    func beginRun(_ run: RunStart) async throws -> Int64

    /// Records how a run ended. A run without an end was interrupted by the end of its process.
    ///
    /// - Parameter tally: Its result, for the sums of `SummaryStore`. A run is summed up once, with its first end.
    /// - Throws: `run-unknown` if there is no such run (its connection may have been erased).
    func endRun(_ id: Int64, outcome: String, report: [UInt8], tally: RunTally) async throws

    /// Runs, newest first: the newest hundred of each connection and a few more, always including the last one that ended and the
    /// last one that was `done`.
    func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun]

    /// Finds a run by number; `nil` if there is none.
    func run(_ id: Int64) async throws -> StoredRun?
}

extension RunStore {
    /// Records how a run ended when nothing else is known about it.
    package func endRun(_ id: Int64, outcome: String, report: [UInt8]) async throws {
        try await endRun(id, outcome: outcome, report: report, tally: RunTally())
    }
}
