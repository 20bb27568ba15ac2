import LosslessJSON
import PlugManifest

/// One rate: never more than its count in any stretch of its time, and within that spread as `burst` says.
///
/// A generic cell rate algorithm spreads requests; alone it lets twice the count through in its first stretch, which a
/// source that counts in windows refuses. So the times of the last requests are kept as well. Times are microseconds of
/// a steady clock.
struct RateMeter: Sendable {
    /// Requests that went out together, or nearly so.
    private struct Entry {
        var first: Int64
        var last: Int64
        var count: Int
    }

    /// How many entries a log has, about; more requests than that are counted in groups, as if all came with the last.
    private static let resolution = 64

    let limit: RateLimit
    /// The time of the limit and a little more: requests are not all equally long on their way.
    private let period: Int64
    /// How long one request takes of the rate.
    private let interval: Int64
    /// How far ahead of its time a request may be.
    private let tolerance: Int64
    /// When the next request is due if all kept to the interval.
    private var due: Int64 = .min
    /// What went out within the last period, oldest first.
    private var log: [Entry] = []

    init(_ limit: RateLimit) {
        self.limit = limit
        let per = max(1, Int64(limit.per / .microseconds(1)))
        period = per + min(per / 40, 250_000)
        let count = Int64(max(1, limit.count))
        interval = (period + count - 1) / count
        tolerance = interval * Int64(max(1, limit.burst ?? limit.count) - 1)
    }

    /// When a request may go out that is ready at `time`.
    func earliest(from time: Int64) -> Int64 {
        // A time stamp that lies further ahead than it can be worth is of a clock that was set back.
        let spread = due == .min ? time : max(time, min(due, time + tolerance + interval) - tolerance)
        var left = log.reduce(0) { $0 + $1.count } + 1 - limit.count
        var window = time
        for entry in log {
            guard left > 0 else { break }
            left -= entry.count
            window = max(window, min(entry.last, time) + period)
        }
        return max(spread, window)
    }

    /// Notes requests that go out at `time`.
    mutating func take(_ count: Int = 1, at time: Int64) {
        due = max(due, time) + interval * Int64(count)
        log.removeAll { $0.last <= time - period }
        let slot = limit.count > Self.resolution ? period / Int64(Self.resolution) : 0
        if let entry = log.last, time - entry.first <= slot {
            log[log.count - 1].last = time
            log[log.count - 1].count += count
        } else {
            log.append(Entry(first: time, last: time, count: count))
        }
    }

    /// Takes over what went out under another limit.
    mutating func take(_ other: RateMeter) {
        for entry in other.log { take(entry.count, at: entry.last) }
    }

    /// How many requests are worth one write to the disk, and the loss of which costs little: a quarter of the burst,
    /// at most eight or ten seconds' worth, and at least a second's.
    var chunk: Int {
        func worth(_ microseconds: Int64) -> Int { Int(microseconds / interval) }
        let quarter = max((limit.burst ?? limit.count) / 4, worth(1_000_000))
        return max(1, min(quarter, max(8, worth(10_000_000))))
    }

    /// When it remembers nothing any more.
    var end: Int64 { max(due, log.last.map { $0.last + period } ?? .min) }

    // MARK: - On the disk

    var json: JSONValue {
        let log = log.map { JSONValue.array([.integer(Int($0.last)), .integer($0.count)]) }
        return .members(
            ("count", .integer(limit.count)),
            ("per", .integer(Int(limit.per / .microseconds(1)))),
            ("burst", limit.burst.map { .integer($0) } ?? .null),
            ("due", .integer(Int(due))),
            ("log", .array(log))
        )
    }

    /// Reads what `json` gave.
    ///
    /// - Parameters:
    ///   - shift: Is added to every time.
    ///   - now: Times after it are taken for it.
    init?(_ value: JSONValue, shift: Int64, now: Int64) {
        guard let count = value["count"]?.number?.int64, let per = value["per"]?.number?.int64,
            let due = value["due"]?.number?.int64, let log = value["log"]?.elements
        else { return nil }
        let burst = value["burst"]?.number?.int64.map { Int($0) }
        self.init(RateLimit(count: Int(count), per: .microseconds(per), burst: burst))
        for entry in log {
            guard let pair = entry.elements, pair.count == 2, let time = pair[0].number?.int64,
                let count = pair[1].number?.int64
            else { return nil }
            let last = min(time &+ shift, now)
            self.log.append(Entry(first: last, last: last, count: Int(count)))
        }
        if due != .min { self.due = min(due &+ shift, now + tolerance + interval) }
    }
}
