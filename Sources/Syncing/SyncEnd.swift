package import PlugCore
internal import PlugDeliver
internal import PlugFetch
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
        let errors = report.errors.isEmpty ? [report.error].compactMap(\.self) : report.errors
        if errors.contains(where: { $0.exit == .interrupted || $0.exit == .terminated }) {
            return active(min(claim.dueAt, now), counts: false)
        }
        // What the person has to do outweighs all else: nothing will change before.
        if let error = errors.first(where: { $0.exit == .authorisation && Self.concernsAll($0, report) }) {
            let status: ConnectionSetup.Status = error.code == .pdaForbidden ? .disabled : .reconnect
            return ClaimEnd(status: status, dueAt: nil, at: now)
        }
        let passing = errors.filter { [.unreachable, .tryLater, .bug].contains($0.exit) }
        guard !passing.isEmpty else { return active(next, counts: true) }
        let wait = Self.backoff.wait(after: max(1, report.runsWithoutProgress), random: 0.5 + clock.random() / 2)
        let again = min(next, now + Int64(wait / .microseconds(1)))
        let asked = passing.compactMap(\.retryAt)
        // Where each of them says when, the first to be over counts.
        guard asked.count == passing.count, let first = asked.min() else { return active(again, counts: false) }
        return active(max(again, min(first, now + Self.longestRest)), counts: false)
    }

    /// Whether a missing authorisation keeps all of the connection from running: a source may refuse one stream, and give the
    /// others.
    private static func concernsAll(_ error: PlugError, _ report: RunReport) -> Bool {
        error.code != .sourceUnauthorised || report.streams.allSatisfy { $0.counts.pages == 0 }
    }
}
