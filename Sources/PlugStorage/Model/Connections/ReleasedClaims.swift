/// What a starting host found of a previous one.
package struct ReleasedClaims: Sendable, Equatable {
    /// The number of claims.
    package var count = 0
    /// How many of them have to wait because a host died more than once while they ran.
    package var held = 0

    /// Creates an empty result.
    package init() {}

    /// When a connection whose host died is due again: at once after the first death, then later each time, and staggered, so
    /// that a connection that kills its host soon runs alone or with few others.
    ///
    /// - Parameters:
    ///   - deaths: The number of consecutive hosts that died while it ran.
    ///   - deaths: How many hosts in a row died while it ran.
    package mutating func add(due: Int64, deaths: Int, now: Int64) -> Int64 {
        count += 1
        guard deaths > 1 else { return due }
        defer { held += 1 }
        return now + (60_000_000 << Int64(min(deaths - 2, 6))) + Int64(held) * 10_000_000
    }
}
