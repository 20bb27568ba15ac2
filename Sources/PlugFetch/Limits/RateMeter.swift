import PlugManifest

/// One rate as a generic cell rate algorithm: one time stamp, exact, without timers. Times are microseconds since 1970.
struct RateMeter: Sendable {
    /// How long one request takes of the rate.
    private let interval: Int64
    /// How far ahead of its time a request may be.
    private let tolerance: Int64
    /// When the next request is due if all kept to the interval.
    private var due: Int64 = .min

    init(_ limit: RateLimit) {
        interval = max(1, Int64(limit.per / .microseconds(1)) / Int64(max(1, limit.count)))
        tolerance = interval * Int64(max(1, limit.burst ?? limit.count) - 1)
    }

    /// When a request may go out that is ready at `time`.
    func earliest(from time: Int64) -> Int64 {
        // Where the clock was set back, what was noted in its future does not count for more than it can be worth.
        due == .min ? time : max(time, min(due, time + tolerance + interval * 128) - tolerance)
    }

    /// Notes a request that goes out at `time`.
    mutating func take(at time: Int64) { due = max(due, time) + interval }
}

/// All rates of a connection, and what the source itself asked for.
struct RateBook: Sendable {
    private var meters: [RateMeter]
    /// Nothing goes out before.
    private(set) var closedUntil: Int64 = .min

    init(_ limits: [RateLimit]) { meters = limits.map { RateMeter($0) } }

    /// Reserves a place for a request, and says when it may go out.
    mutating func reserve(now: Int64) -> Int64 {
        let time = meters.reduce(now) { max($0, $1.earliest(from: now)) }
        for index in meters.indices { meters[index].take(at: time) }
        return time
    }

    /// Lets nothing out before a time.
    mutating func close(until time: Int64) { closedUntil = max(closedUntil, time) }
}
