import PlugCore

/// A provider that keeps its own accounts of who came when, and finds the first request above its limit.
///
/// Its code has nothing in common with the limiter's: all arrivals of a window, and exact arithmetic for the rate.
struct ProviderLedger {
    private let limit: RateLimit
    private let window: Int64
    /// The newest arrivals, as many as are allowed in a window.
    private var arrivals: [Int64] = []
    private(set) var count = 0
    /// `count` times the time at which a bucket that leaks at the rate is empty.
    private var empty: Int64 = 0

    init(_ limit: RateLimit) {
        self.limit = limit
        window = Int64(limit.per / .microseconds(1))
    }

    /// - Parameter time: Microseconds of the provider's own clock, from 0.
    /// - Returns: What is wrong with a request at this time, `nil` where it is welcome.
    mutating func arrive(at time: Int64) -> String? {
        count += 1
        arrivals.append(time)
        if arrivals.count > limit.count {
            let first = arrivals.removeFirst()
            if time - first < window { return "\(limit.count + 1) requests in \(time - first) of \(window) µs" }
        }
        // A bucket of `burst` requests, each of which leaks away in window / count.
        let scaled = time * Int64(limit.count)
        let room = Int64(limit.burst ?? limit.count) * window
        empty = max(empty, scaled) + window
        return empty - scaled > room ? "request \(count) does not fit into the bucket" : nil
    }
}
