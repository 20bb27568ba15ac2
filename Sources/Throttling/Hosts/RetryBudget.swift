/// How many retries a host gets: one for every ten requests that it answers, and a few more.
///
/// So retries do not multiply the load on a failing host by five. Times are microseconds of a steady clock.
struct RetryBudget: Sendable {
    /// The initial budget, which time alone restores: one retry every two seconds. All in tenths.
    private static let floor: Int64 = 100
    private static let second: Int64 = 5
    /// The maximum budget, however many requests were answered.
    private static let most: Int64 = 500

    private var left = floor
    private var at: Int64?

    /// Takes one retry.
    ///
    /// - Returns: Whether there was one.
    mutating func take(now: Int64) -> Bool {
        // Whole seconds count; fractions carry over.
        let seconds = at.map { max(0, now - $0) / 1_000_000 } ?? 0
        at = seconds > 0 ? at.map { $0 + seconds * 1_000_000 } : at ?? now
        if left < Self.floor { left = min(Self.floor, left + min(seconds, Self.floor) * Self.second) }
        guard left >= 10 else { return false }
        left -= 10
        return true
    }

    /// Adds what one answered request is worth.
    mutating func earn() { left = min(Self.most, left + 1) }
}
