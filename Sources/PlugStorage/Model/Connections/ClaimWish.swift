/// What a host with free places wants to claim.
///
/// Each plug has its own line, in which whoever has waited longest is first. A free place goes to the plug that has the fewest,
/// so that one with thousands of due connections does not keep the others waiting.
package struct ClaimWish: Sendable {
    /// The time up to which a connection counts as due.
    package var at: Int64
    /// When the claims expire, so that other hosts take over what a host has left.
    package var until: Int64
    /// The maximum number of claims.
    package var limit: Int
    /// The number of places each plug already has.
    package var running: [String: Int] = [:]
    /// How many places one plug may have if there are others.
    package var mostOfOne = Int.max
    /// Plugs for which nothing may begin.
    package var resting: Set<String> = []

    /// Creates a wish for up to this many due connections.
    package init(at: Int64, until: Int64, limit: Int) {
        self.at = at
        self.until = until
        self.limit = limit
    }

    /// The head of a plug's line.
    package struct Line: Sendable, Equatable {
        package var plug: String
        /// When its first connection is due.
        package var first: Int64

        /// Creates a line.
        package init(plug: String, first: Int64) {
            self.plug = plug
            self.first = first
        }
    }

    /// How many connections of a plug may begin.
    ///
    /// - Parameter lines: The lines of all plugs.
    package func room(of plug: String, among lines: [Line]) -> Int {
        if resting.contains(plug) { return 0 }
        // Another plug may turn up at any time and find all places taken by long runs.
        let hasOthers = lines.contains { $0.plug != plug }
        return hasOthers ? max(0, mostOfOne - running[plug, default: 0]) : .max
    }

    /// How many connections of each plug are claimed.
    ///
    /// - Parameter due: For each plug with room, when its connections were due, earliest first, as many as fit.
    package func shares(of due: [String: [Int64]]) -> [String: Int] {
        var shares: [String: Int] = [:]
        for _ in 0..<max(0, limit) {
            let next = due.filter { shares[$0.key, default: 0] < $0.value.count }.min { first, second in
                func rank(_ plug: String, _ times: [Int64]) -> (Int, Int64, String) {
                    let share = shares[plug, default: 0]
                    return (running[plug, default: 0] + share, times[share], plug)
                }
                return rank(first.key, first.value) < rank(second.key, second.value)
            }
            guard let next else { break }
            shares[next.key, default: 0] += 1
        }
        return shares
    }

    /// When to look again if nothing else happens: when the next connection that could then be claimed is due.
    package func next(among lines: [Line]) -> Int64? {
        lines.filter { room(of: $0.plug, among: lines) > 0 }.map(\.first).min()
    }
}

/// The result of claiming.
package struct DueClaims: Sendable, Equatable {
    /// The claims, in the order in which they were due.
    package var claims: [DueClaim]
    /// When the next connection that may begin is due; `nil` if there is none. Now, if some were left for lack of places.
    package var next: Int64?

    /// Creates a result.
    package init(claims: [DueClaim], next: Int64?) {
        self.claims = claims
        self.next = next
    }
}
