/// A number of requests per time, such as 180/60s.
package struct RateLimit: Sendable, Equatable {
    /// The number of requests.
    package var count: Int
    /// The time in which they may be made.
    package var per: Duration
    /// How many may go out at once; `nil` means the whole count.
    package var burst: Int?

    /// A rate.
    package init(count: Int, per: Duration, burst: Int? = nil) {
        self.count = count
        self.per = per
        self.burst = burst
    }
}
