package import PlugCore

/// The runs there were, and how one begins and ends.
///
/// What all roles promise stands at `PlugStore`.
package protocol RunStore: Sendable {
    /// Opens the connection, takes its lease, writes down that a run has begun, and says what it finds: all that a run
    /// needs to know of the store before its first request, at once.
    ///
    /// - Parameters:
    ///   - start: The run, its connection and its time.
    ///   - plug: The plug's id.
    ///   - pda: The PDA's origin.
    ///   - streams: The names of the streams that the run will read.
    /// - Throws: As `openConnection` and `lease`; then no run has begun.
    func openRun(_ start: RunStart, plug: String, pda: String, streams: [String]) async throws -> OpenedRun

    /// Writes down that a run has begun.
    ///
    /// - Returns: The run's id, greater than all before it.
    func beginRun(_ run: RunStart) async throws -> Int64

    /// Writes down how a run ended. A run that has none of this was interrupted by the end of its process.
    ///
    /// - Parameter tally: What it led to, for the sums of `SummaryStore`. A run is summed up once, with its first end.
    /// - Throws: `run-unknown` if there is no such run (its connection may have been erased).
    func endRun(_ id: Int64, outcome: String, report: [UInt8], tally: RunTally) async throws

    /// Runs, newest first: the newest hundred of each connection and a few more, always with the last one that ended and
    /// the last one that was `done`.
    func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun]

    /// One run, `nil` if there is none with this number.
    func run(_ id: Int64) async throws -> StoredRun?
}

extension RunStore {
    /// Writes down how a run ended of which nothing is known but that.
    package func endRun(_ id: Int64, outcome: String, report: [UInt8]) async throws {
        try await endRun(id, outcome: outcome, report: report, tally: RunTally())
    }
}
