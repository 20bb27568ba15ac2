import LosslessJSON
import PlugCore

/// One rate: never more than its count in any window of its period, and within that spread as `burst` says.
///
/// A generic cell rate algorithm spreads requests; alone it lets twice the count through in its first window, which a source that
/// counts in windows refuses. So the times of the last requests are kept as well. Times are microseconds of a steady clock.
struct RateMeter: Sendable {
    /// Requests sent together, or nearly so.
    private struct Entry {
        var first: Int64
        var last: Int64
        var count: Int
    }

    /// About how many entries a log has; further requests are counted in groups, as if all were sent with the last.
    private static let resolution = 64

    let limit: RateLimit
    /// The limit's period plus a margin: requests do not all take equally long to arrive.
    private let period: Int64
    /// How much of the rate one request uses, as time.
    private let interval: Int64
    /// How far ahead of schedule a request may be.
    private let tolerance: Int64
    /// When the next request is due if all kept to the interval.
    private var due: Int64 = .min
    /// What was sent within the last period, oldest first.
    private var log: [Entry] = []

    init(_ limit: RateLimit) {
        self.limit = limit
        let per = max(1, limit.per.wholeMicroseconds)
        period = per + min(per / 40, 250_000)
        let count = Int64(max(1, limit.count))
        interval = (period + count - 1) / count
        tolerance = interval * Int64(max(1, limit.burst ?? limit.count) - 1)
    }

    /// When a request that is ready at `time` may be sent.
    func earliest(from time: Int64) -> Int64 {
        // A timestamp further ahead than is possible comes from a clock that was set back.
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

    /// How many requests may be sent together at `time`.
    func room(at time: Int64) -> Int {
        let inWindow = log.reduce(0) { min($1.last, time) + period > time ? $0 + $1.count : $0 }
        let next = min(max(due, time), time + tolerance + interval)
        return max(0, min(limit.count - inWindow, Int((time + tolerance + interval - next) / interval)))
    }

    /// Records requests sent at `time`. They may be recorded after requests that were sent later.
    mutating func take(_ count: Int = 1, at time: Int64) {
        guard count > 0 else { return }
        due = max(due, time) + interval * Int64(count)
        log.removeAll { $0.last <= time - period }
        let slot = limit.count > Self.resolution ? period / Int64(Self.resolution) : 0
        guard let newest = log.last, time < newest.last else {
            if let newest = log.last, time - newest.first <= slot {
                log[log.count - 1].last = time
                log[log.count - 1].count += count
            } else {
                log.append(Entry(first: time, last: time, count: count))
            }
            return
        }
        // Counting them with slightly later ones is the safe side.
        let at = log.firstIndex { $0.last >= time } ?? log.count - 1
        if time >= log[at].first || log[at].last - time <= slot || log.count >= 2 * Self.resolution {
            log[at].first = min(log[at].first, time)
            log[at].count += count
        } else {
            log.insert(Entry(first: time, last: time, count: count), at: at)
        }
    }

    /// Takes over what was sent under another limit.
    mutating func take(_ other: RateMeter) {
        for entry in other.log { take(entry.count, at: entry.last) }
    }

    /// How many requests justify one disk write, and can be lost at little cost: a quarter of the burst, at most eight or ten
    /// seconds' worth, and at least a second's.
    var chunk: Int {
        func worth(_ microseconds: Int64) -> Int { Int(microseconds / interval) }
        let quarter = max((limit.burst ?? limit.count) / 4, worth(1_000_000))
        return max(1, min(quarter, max(8, worth(10_000_000))))
    }

    /// The minimum time from the first of these requests until all are through: a whole burst may go at once.
    func line(of count: Int) -> Int64 { time(of: max(0, count - (limit.burst ?? limit.count))) }

    /// How much of the rate these requests use, as time.
    func time(of count: Int) -> Int64 { interval * Int64(count) }

    /// When it no longer remembers anything.
    var end: Int64 { max(due, log.last.map { $0.last + period } ?? .min) }

    // MARK: - On the disk

    var json: JSONValue {
        // One flat list, three numbers per entry: it is written and read with every lease.
        let log: [JSONValue] = log.flatMap {
            [JSONValue.integer(Int($0.last)), .integer($0.count), .integer(Int($0.last - $0.first))]
        }
        return .members(
            ("count", .integer(limit.count)),
            ("per", .integer(Int(limit.per.wholeMicroseconds))),
            ("burst", limit.burst.map { .integer($0) } ?? .null),
            ("due", .integer(Int(due))),
            ("log", .array(log))
        )
    }

    /// Reads `json`.
    ///
    /// - Parameters:
    ///   - shift: Added to every time.
    ///   - now: Later times are taken as this one: their writer's clock was ahead.
    ///   - isCorrected: Set to true if there was such a time.
    init?(_ value: JSONValue, shift: Int64, now: Int64, isCorrected: inout Bool) {
        guard let count = value["count"]?.number?.int64, let per = value["per"]?.number?.int64,
            let due = value["due"]?.number?.int64, let log = value["log"]?.elements
        else { return nil }
        let burst = value["burst"]?.number?.int64.map { Int($0) }
        self.init(RateLimit(count: Int(count), per: .microseconds(per), burst: burst))
        guard log.count.isMultiple(of: 3) else { return nil }
        for at in stride(from: 0, to: log.count, by: 3) {
            guard let time = log[at].number?.int64, let count = log[at + 1].number?.int64,
                let length = log[at + 2].number?.int64
            else { return nil }
            let shifted = time &+ shift
            if shifted > now { isCorrected = true }
            let last = min(shifted, now)
            // A group keeps its length, or it would grow with each process that adds to it.
            self.log.append(Entry(first: last &- max(0, length), last: last, count: Int(count)))
        }
        if due != .min {
            let (shifted, latest) = (due &+ shift, now + tolerance + interval)
            if shifted > latest { isCorrected = true }
            self.due = min(shifted, latest)
        }
    }
}
