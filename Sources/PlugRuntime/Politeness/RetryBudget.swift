/// How many second tries a host gets: one for every ten requests that it answers, and a few beside.
///
/// So an outage is not made worse by everybody trying five times. Times are microseconds of a steady clock.
struct RetryBudget: Sendable {
    /// What there is at the beginning, and what time alone brings it back to: one every two seconds.
    private static let floor = 10.0
    private static let perSecond = 0.5
    /// What there is at most, however much was answered.
    private static let most = 50.0

    private var left = floor
    private var at: Int64?

    /// Takes one second try.
    ///
    /// - Returns: Whether there was one.
    mutating func take(now: Int64) -> Bool {
        if let at, left < Self.floor {
            left = min(Self.floor, left + Double(max(0, now - at)) / 1_000_000 * Self.perSecond)
        }
        at = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }

    /// Adds what an answer is worth.
    mutating func earn() { left = min(Self.most, left + 0.1) }
}
