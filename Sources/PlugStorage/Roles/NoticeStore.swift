/// What may need a person's attention, who was notified, and which notices wait to be sent.
///
/// `PlugStore` states what all roles promise. Causes are counted together with the changes themselves, so that nothing is missed
/// between two checks or two processes, and no check reads all connections. They belong to no connection: they name plugs.
///
/// SQLite: `SQLiteStore+Notices.swift`.
package protocol NoticeStore: Sendable {
    /// The causes counted or notified so far, ordered by kind and plug.
    func noticeCauses() async throws -> [CauseState]

    /// Keeps a notice for its targets, and records that its causes were notified.
    ///
    /// - Parameter time: If a notice about a cause was made after this time, nothing is kept: another process was faster.
    /// - Returns: Whether it is kept.
    func keepNotice(_ notice: NewNotice, unlessToldSince time: Int64) async throws -> Bool

    /// Withdraws news that no longer needs anyone's attention.
    func forgetNews(of cause: NoticeCause, count: Int) async throws

    /// Claims due notices, oldest first: no one else gets them until the given time.
    func claimNotices(at now: Int64, until: Int64, limit: Int) async throws -> [WaitingNotice]

    /// Ends a claim, unless it has expired and another process has claimed the notice.
    func endNotice(_ notice: WaitingNotice, _ end: NoticeEnd) async throws

    /// Makes all notices due whose next attempt is further ahead than it can have been set: the clock was set back.
    func reviveNotices(at now: Int64, longest: Int64) async throws

    /// The waiting notices, ordered by target.
    func noticeQueues() async throws -> [NoticeQueue]

    /// A few of the connections behind a cause: those that wait for their person by name, those with dead letters with the newest
    /// first.
    func connections(behind cause: NoticeCause, limit: Int) async throws -> [Connection]

    /// How the last runs of some of a plug's connections ended; interrupted ones do not count.
    ///
    /// - Parameter limit: The maximum number of connections examined.
    func health(of plug: String, limit: Int) async throws -> PlugHealth

    /// How many active connections of a plug have made no progress for long (`ConnectionTrouble.lastingRuns`, `lastingTime`).
    func stuckCount(of plug: String) async throws -> Int
}
