/// An overview of a whole host, from sums updated with each change: none of these calls reads all connections or runs.
///
/// `PlugStore` states what all roles promise. Sums outlive their connections: they name no one. Sums of runs are kept for
/// `SummaryHour.kept` hours.
///
/// SQLite: `SQLiteStore+Summaries.swift`.
package protocol SummaryStore: Sendable {
    /// The number of connections of each plug in each status, ordered by plug; zeros are omitted.
    func connectionCounts() async throws -> [ConnectionCount]

    /// The number of connections of each plug that are in trouble, by the trouble's code, ordered by both. Only those count that
    /// are active or have no set-up.
    func troubleCounts() async throws -> [TroubleCount]

    /// The number of active connections that have been due since a time or longer. A claimed one is due when its claim ends.
    func overdueCount(since time: Int64) async throws -> Int

    /// The sums of runs by the hour in which they ended and by outcome, in this order.
    ///
    /// - Parameters:
    ///   - plug: The plug; `nil` for all plugs together.
    ///   - hour: The first hour.
    func runSums(of plug: String?, since hour: Int64) async throws -> [RunSum]

    /// The number of runs of each plug that have ended since an hour: by the plug's id, and by outcome.
    func runCounts(since hour: Int64) async throws -> [String: [String: Int]]

    /// The errors that have ended runs since an hour, the most frequent first.
    ///
    /// - Parameters:
    ///   - plug: The plug; `nil` for all plugs together.
    ///   - limit: The maximum number.
    func errorCounts(of plug: String?, since hour: Int64, limit: Int) async throws -> [ErrorCount]

    /// The versions of a plug that have run, the most recently run first; twenty at most.
    func versions(of plug: String) async throws -> [VersionRuns]

    /// What waits in all outboxes, by the hour in which it was queued.
    func outboxHours() async throws -> [OutboxHour]

    /// The streams with the oldest waiting batches, oldest first.
    ///
    /// - Parameter limit: The maximum number.
    func longestWaiting(limit: Int) async throws -> [WaitingStream]
}
