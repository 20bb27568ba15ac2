/// What a host that begins has found of one before.
package struct ReleasedClaims: Sendable, Equatable {
    /// How many claims there were.
    package var count = 0
    /// How many of them have to wait, because a host died more than once while they ran.
    package var held = 0

    /// Nothing.
    package init() {}

    /// When a connection is due again whose host has died: at once after the first time, then later each time, and one after the
    /// other, so that one of which a host dies is soon alone with few.
    ///
    /// - Parameters:
    ///   - due: When it was due.
    ///   - deaths: How many hosts in a row died while it ran.
    package mutating func add(due: Int64, deaths: Int, now: Int64) -> Int64 {
        count += 1
        guard deaths > 1 else { return due }
        defer { held += 1 }
        return now + (60_000_000 << Int64(min(deaths - 2, 6))) + Int64(held) * 10_000_000
    }
}
