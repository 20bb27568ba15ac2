/// What a host with free places wants to claim.
///
/// Each plug has a line of its own, in which who has waited longest is first. A place that is free goes to the plug that has the
/// fewest, so that one with thousands of connections that are due does not keep the others waiting.
package struct ClaimWish: Sendable {
    /// What counts as due.
    package var at: Int64
    /// When the claims end by themselves, so that others take up what a host has left.
    package var until: Int64
    /// At most so many.
    package var limit: Int
    /// How many places each plug has already.
    package var running: [String: Int] = [:]
    /// How many places one plug may have, where there are others.
    package var mostOfOne = Int.max
    /// Plugs of which nothing is to begin.
    package var resting: Set<String> = []

    /// A wish for so many of what is due.
    package init(at: Int64, until: Int64, limit: Int) {
        self.at = at
        self.until = until
        self.limit = limit
    }

    /// The first connection of a plug's line.
    package struct Line: Sendable, Equatable {
        package var plug: String
        /// When it is due.
        package var first: Int64

        /// A line.
        package init(plug: String, first: Int64) {
            self.plug = plug
            self.first = first
        }
    }

    /// How many of a plug may begin.
    ///
    /// - Parameter lines: Of all plugs.
    package func room(of plug: String, among lines: [Line]) -> Int {
        if resting.contains(plug) { return 0 }
        // Somebody else may come at any time and find all places taken by runs that last.
        let hasOthers = lines.contains { $0.plug != plug }
        return hasOthers ? max(0, mostOfOne - running[plug, default: 0]) : .max
    }

    /// How many are claimed of each plug.
    ///
    /// - Parameter due: For each plug with room, when its connections were due, from the first on, as many as there is room for.
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

    /// When to look again, where nothing else happens: when the next connection is due that could be claimed then.
    package func next(among lines: [Line]) -> Int64? {
        lines.filter { room(of: $0.plug, among: lines) > 0 }.map(\.first).min()
    }
}

/// What was claimed.
package struct DueClaims: Sendable, Equatable {
    /// The claims, those that were due first before the others.
    package var claims: [DueClaim]
    /// When the next connection is due that may begin; `nil` where there is none. Now, where some were left for want of places.
    package var next: Int64?

    /// Claims.
    package init(claims: [DueClaim], next: Int64?) {
        self.claims = claims
        self.next = next
    }
}
