internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Synchronization

/// The claims of active runs: one run per connection at a time.
final class ActiveClaims: Sendable {
    private struct Active: Sendable {
        var claim: DueClaim
        /// When the run began, by the steady clock, in microseconds.
        var beganAt: Int64
        var yielding: YieldSignal
        var isWantedAgain = false
    }

    private let active = Mutex<[ConnectionID: Active]>([:])

    var count: Int { active.withLock { $0.count } }
    var all: [DueClaim] { active.withLock { $0.values.map(\.claim) } }

    /// The number of slots that each plug has.
    var places: [String: Int] {
        active.withLock { active in
            active.values.reduce(into: [:]) { places, active in places[active.claim.plug, default: 0] += 1 }
        }
    }

    /// Records a claim.
    ///
    /// - Parameter now: By the steady clock, in microseconds.
    /// - Returns: The signal that asks its run to make room; `nil` if an active run has taken the claim over.
    func begin(_ claim: DueClaim, at now: Int64) -> YieldSignal? {
        active.withLock { active in
            if var running = active[claim.connection] {
                (running.claim, running.isWantedAgain) = (claim, true)
                active[claim.connection] = running
                return nil
            }
            let yielding = YieldSignal()
            active[claim.connection] = Active(claim: claim, beganAt: now, yielding: yielding)
            return yielding
        }
    }

    /// Asks the run that has had its slot longest to make room, if it began before the given time. Each is asked once.
    func yield(begunBefore time: Int64) {
        let oldest = active.withLock { active in
            active.values.filter { $0.beganAt <= time && !$0.yielding.isAsked }.min { $0.beganAt < $1.beganAt }
        }
        oldest?.yielding.ask()
    }

    /// The newest claim of a run's connection, and whether it was claimed again since the run began.
    func newest(_ claim: DueClaim) -> (claim: DueClaim, isWantedAgain: Bool) {
        active.withLock { active in
            active[claim.connection].map { ($0.claim, $0.isWantedAgain) } ?? (claim, false)
        }
    }

    /// Releases a slot, unless the connection was claimed again.
    ///
    /// - Returns: Whether it was released.
    func end(_ claim: DueClaim) -> Bool {
        active.withLock { active in
            if let newest = active[claim.connection], newest.claim.epoch != claim.epoch { return false }
            active[claim.connection] = nil
            return true
        }
    }
}
