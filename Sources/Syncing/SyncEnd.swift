package import PlugCore
internal import PlugDeliver
package import PlugRuntime
package import PlugStorage
internal import Throttling

/// What follows from how a run of a schedule ended.
package struct SyncEnd: Sendable {
    private let claim: DueClaim
    private let startedAt: Int64
    private let next: Int64

    /// Between tries of what cannot be reached: a minute and then longer, but no longer than the schedule's interval.
    private static let backoff = Backoff(base: .seconds(60), maximum: .seconds(6 * 3600))

    /// Nobody is believed who asks for a longer rest, in microseconds: 31 days.
    private static let longestRest: Int64 = 31 * 86_400_000_000

    /// - Parameters:
    ///   - claim: What the connection was claimed for.
    ///   - startedAt: When the run began.
    ///   - next: When it is due next by its schedule.
    package init(claim: DueClaim, startedAt: Int64, next: Int64) {
        self.claim = claim
        self.startedAt = startedAt
        self.next = next
    }

    /// What follows.
    package func after(_ report: RunReport, clock: any HostClock) -> ClaimEnd {
        let now = clock.now()
        func active(_ due: Int64, counts: Bool) -> ClaimEnd {
            ClaimEnd(status: .active, dueAt: due, ranAt: counts ? startedAt : nil, at: now)
        }
        guard let error = report.error else { return active(next, counts: true) }
        switch error.exit {
        case .authorisation:
            let status: ConnectionSetup.Status = error.code == .pdaForbidden ? .disabled : .reconnect
            return ClaimEnd(status: status, dueAt: nil, at: now)
        case .interrupted, .terminated:
            return active(min(claim.dueAt, now), counts: false)
        case .unreachable, .tryLater, .stuck, .bug:
            let wait = Self.backoff.wait(after: max(1, report.runsWithoutProgress), random: 0.5 + clock.random() / 2)
            let again = min(next, now + Int64(wait / .microseconds(1)))
            return active(max(again, min(error.retryAt ?? 0, now + Self.longestRest)), counts: false)
        case .done, .failed, .usage, .data, .configuration:
            return active(next, counts: true)
        }
    }
}
