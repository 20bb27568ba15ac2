internal import PlugCore
internal import PlugStorage
internal import Synchronization

/// The claims whose runs are under way: one run of a connection at a time.
final class ActiveClaims: Sendable {
    private struct Active: Sendable {
        var claim: DueClaim
        var isWantedAgain = false
    }

    private let active = Mutex<[ConnectionID: Active]>([:])

    var count: Int { active.withLock { $0.count } }
    var all: [DueClaim] { active.withLock { $0.values.map(\.claim) } }

    /// How many places each plug has.
    var places: [String: Int] {
        active.withLock { active in
            active.values.reduce(into: [:]) { places, active in places[active.claim.plug, default: 0] += 1 }
        }
    }

    /// Notes a claim.
    ///
    /// - Returns: Whether its run may begin; otherwise the run that is under way has taken the claim over.
    func begin(_ claim: DueClaim) -> Bool {
        active.withLock { active in
            let isFree = active[claim.connection] == nil
            active[claim.connection] = Active(claim: claim, isWantedAgain: !isFree)
            return isFree
        }
    }

    /// The newest claim of a run's connection, and whether it was claimed once more since the run began.
    func newest(_ claim: DueClaim) -> (claim: DueClaim, isWantedAgain: Bool) {
        active.withLock { active in
            let newest = active[claim.connection] ?? Active(claim: claim)
            return (newest.claim, newest.isWantedAgain)
        }
    }

    /// Gives a place back, unless the connection was claimed once more.
    ///
    /// - Returns: Whether it did.
    func end(_ claim: DueClaim) -> Bool {
        active.withLock { active in
            if let newest = active[claim.connection], newest.claim.epoch != claim.epoch { return false }
            active[claim.connection] = nil
            return true
        }
    }
}
