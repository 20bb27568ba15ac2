package import PlugCore
internal import PlugDeliver
internal import PlugFetch
package import PlugRuntime
package import PlugStorage
internal import Throttling

/// What follows from the end of a scheduled run.
package struct SyncEnd: Sendable {
    private let claim: DueClaim
    private let startedAt: Int64
    private let next: Int64

    /// Between attempts to reach something unreachable: a minute and then longer, but no longer than the schedule's interval.
    private static let backoff = Backoff(base: .seconds(60), maximum: .seconds(6 * 3600))

    /// The longest rest that is accepted, in microseconds: 31 days.
    private static let longestRest: Int64 = 31 * 86_400_000_000

    /// - Parameters:
    ///   - claim: What the connection was claimed for.
    ///   - startedAt: When the run began.
    ///   - next: When it is next due by its schedule.
    package init(claim: DueClaim, startedAt: Int64, next: Int64) {
        self.claim = claim
        self.startedAt = startedAt
        self.next = next
    }

    /// What follows from a report.
    package func after(_ report: RunReport, clock: any HostClock) -> ClaimEnd {
        let now = clock.now()
        func active(_ due: Int64, counts: Bool) -> ClaimEnd {
            ClaimEnd(status: .active, dueAt: due, ranAt: counts ? startedAt : nil, at: now)
        }
        let errors = report.errors.isEmpty ? [report.error].compactMap(\.self) : report.errors
        if errors.contains(where: { $0.exit == .interrupted || $0.exit == .terminated }) {
            return active(min(claim.dueAt, now), counts: false)
        }
        // Whatever the person has to do comes first: nothing will change before that.
        if let error = errors.first(where: { $0.exit == .authorisation && Self.concernsAll($0, report) }) {
            let status: ConnectionSetup.Status = error.code == .pdaForbidden ? .disabled : .reconnect
            return ClaimEnd(status: status, dueAt: nil, at: now)
        }
        // Queued behind those that have waited longer.
        if !errors.isEmpty, errors.allSatisfy({ $0.code == .runYielded }) {
            return ClaimEnd(status: .active, dueAt: now, waitsSince: now, at: now)
        }
        let passing = errors.filter { [.unreachable, .tryLater, .bug].contains($0.exit) }
        guard !passing.isEmpty else { return active(next, counts: true) }
        let wait = Self.backoff.wait(after: max(1, report.runsWithoutProgress), random: 0.5 + clock.random() / 2)
        let again = min(next, now + wait.wholeMicroseconds)
        if let end = sharedEnd(of: passing) {
            // It keeps its place in the plug's queue. One that has made progress goes to the end: others are waiting, too.
            let since = report.hasMoved ? now : min(claim.waitsSince, now)
            return ClaimEnd(status: .active, dueAt: end > now ? since : again, waitsSince: since, at: now)
        }
        let asked = passing.compactMap(\.retryAt)
        // If every error gives a time, the earliest counts.
        guard asked.count == passing.count, let first = asked.min() else { return active(again, counts: false) }
        // Nearly equal times become the same one, so that whichever has waited longest goes first.
        let due = Self.roundedUp(min(first, now + Self.longestRest))
        var end = active(max(again, due), counts: false)
        end.waitsSince = report.hasMoved ? nil : min(claim.waitsSince, now)
        return end
    }

    /// Until when no connection of the plug can read, if nothing else is in the way.
    package static func sharedEnd(of report: RunReport) -> Int64? {
        let errors = report.errors.isEmpty ? [report.error].compactMap(\.self) : report.errors
        return sharedEnd(of: errors.filter { [.unreachable, .tryLater, .bug].contains($0.exit) })
    }

    private static func sharedEnd(of errors: [PlugError]) -> Int64? {
        guard !errors.isEmpty, errors.allSatisfy(\.concernsPlug) else { return nil }
        return errors.compactMap(\.retryAt).min()
    }

    private func sharedEnd(of errors: [PlugError]) -> Int64? { Self.sharedEnd(of: errors) }

    /// The next full second.
    private static func roundedUp(_ moment: Int64) -> Int64 { (moment + 999_999) / 1_000_000 * 1_000_000 }

    /// Whether a missing authorisation prevents the whole connection from running: a source may refuse one stream, and allow the
    /// others.
    private static func concernsAll(_ error: PlugError, _ report: RunReport) -> Bool {
        error.code != .sourceUnauthorised || report.streams.allSatisfy { $0.counts.pages == 0 }
    }
}
