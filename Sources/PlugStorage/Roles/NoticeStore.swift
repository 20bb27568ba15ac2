/// What may need a person, whom it was told to, and what waits to be told.
///
/// What all roles promise stands at `PlugStore`. Causes are counted with the changes themselves, so that nothing is missed between
/// two looks or two processes, and no look reads all connections. They hang on no connection: they name plugs.
package protocol NoticeStore: Sendable {
    /// The causes that have been counted or told of, ordered by kind and plug.
    func noticeCauses() async throws -> [CauseState]

    /// Keeps a notice for its targets, and notes that its causes are told.
    ///
    /// - Parameter time: When a cause was told after it, nothing is kept: another process was faster.
    /// - Returns: Whether it is kept.
    func keepNotice(_ notice: NewNotice, unlessToldSince time: Int64) async throws -> Bool

    /// Takes news back that need nobody any more.
    func forgetNews(of cause: NoticeCause, count: Int) async throws

    /// Claims notices that are due, the oldest first: until a time nobody else gets them.
    func claimNotices(at now: Int64, until: Int64, limit: Int) async throws -> [WaitingNotice]

    /// Ends a claim, unless it has run out and somebody else has claimed the notice.
    func endNotice(_ notice: WaitingNotice, _ end: NoticeEnd) async throws

    /// Makes all notices due that wait for longer than they could have been told to: the clock was set back.
    func reviveNotices(at now: Int64, longest: Int64) async throws

    /// What waits, ordered by target.
    func noticeQueues() async throws -> [NoticeQueue]

    /// Connections that a cause is about, a few: those that wait for their person by name, those with dead letters with the newest
    /// first.
    func connections(behind cause: NoticeCause, limit: Int) async throws -> [Connection]

    /// How the last runs of some connections of a plug have ended; interrupted ones do not count.
    ///
    /// - Parameter limit: So many connections are looked at.
    func health(of plug: String, limit: Int) async throws -> PlugHealth
}
