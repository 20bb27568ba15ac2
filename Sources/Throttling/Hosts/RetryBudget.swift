/// How many second tries a host gets: one for every ten requests that it answers, and a few beside.
///
/// So an outage is not made worse by everybody trying five times. Times are microseconds of a steady clock.
struct RetryBudget: Sendable {
    /// What there is at the beginning, and what time alone brings it back to: one every two seconds. All in tenths.
    private static let floor: Int64 = 100
    private static let second: Int64 = 5
    /// What there is at most, however much was answered.
    private static let most: Int64 = 500

    private var left = floor
    private var at: Int64?

    /// Takes one second try.
    ///
    /// - Returns: Whether there was one.
    mutating func take(now: Int64) -> Bool {
        // Whole seconds count; what is left of one counts the next time.
        let seconds = at.map { max(0, now - $0) / 1_000_000 } ?? 0
        at = seconds > 0 ? at.map { $0 + seconds * 1_000_000 } : at ?? now
        if left < Self.floor { left = min(Self.floor, left + min(seconds, Self.floor) * Self.second) }
        guard left >= 10 else { return false }
        left -= 10
        return true
    }

    /// Adds what an answer is worth.
    mutating func earn() { left = min(Self.most, left + 1) }
}
