/// What a whole host looks like, in sums that are kept with each change: none of these looks at all connections or runs.
///
/// What all roles promise stands at `PlugStore`. Sums outlive the connections that they are of: they name nobody. Those of runs are
/// kept for `SummaryHour.kept` hours.
package protocol SummaryStore: Sendable {
    /// How many connections there are of each plug in each state, ordered by plug; none of zero.
    func connectionCounts() async throws -> [ConnectionCount]

    /// How many active connections have been due since a time or longer. A claimed one is due when its claim ends.
    func overdueCount(since time: Int64) async throws -> Int

    /// The sums of runs by the hour in which they ended and how, in this order.
    ///
    /// - Parameters:
    ///   - plug: Those of a plug; `nil` for those of all plugs together.
    ///   - hour: The first hour.
    func runSums(of plug: String?, since hour: Int64) async throws -> [RunSum]

    /// How many runs of each plug have ended in which way since an hour: by the plug's id, and by outcome.
    func runCounts(since hour: Int64) async throws -> [String: [String: Int]]

    /// Which errors have ended runs since an hour, the most frequent first.
    ///
    /// - Parameters:
    ///   - plug: Those of a plug; `nil` for those of all plugs together.
    ///   - limit: At most so many.
    func errorCounts(of plug: String?, since hour: Int64, limit: Int) async throws -> [ErrorCount]

    /// Which versions of a plug have run, the one that ran last first; twenty at most.
    func versions(of plug: String) async throws -> [VersionRuns]

    /// What waits in all outboxes, by the hour since which it does.
    func outboxHours() async throws -> [OutboxHour]

    /// The streams with the oldest batches that wait, the oldest first.
    ///
    /// - Parameter limit: At most so many.
    func longestWaiting(limit: Int) async throws -> [WaitingStream]
}
