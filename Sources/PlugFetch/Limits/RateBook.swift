import LosslessJSON
import PlugCore
import PlugManifest

/// All rates of a source, and what the source itself asked for. Times are microseconds of a steady clock.
struct RateBook: Sendable {
    /// No source keeps anybody waiting for longer than a day.
    static let longestClosing = Duration.seconds(86_400)

    private(set) var meters: [RateMeter]
    /// Nothing goes out before.
    private(set) var closedUntil: Int64 = .min
    /// How many requests may still go out that are on the disk as if they had.
    private(set) var leased = 0

    init(_ limits: [RateLimit]) { meters = limits.map { RateMeter($0) } }

    /// When a request may go out that is ready at `time`.
    func earliest(from time: Int64) -> Int64 {
        meters.reduce(max(time, closedUntil)) { max($0, $1.earliest(from: time)) }
    }

    /// Notes a request that goes out at `time`, which is of the lease.
    mutating func take(at time: Int64) {
        for index in meters.indices { meters[index].take(at: time) }
        leased = max(0, leased - 1)
    }

    /// Lets nothing out before a time.
    mutating func close(until time: Int64) { closedUntil = max(closedUntil, time) }

    /// Goes by other limits from now on, with what is known of the past.
    mutating func adopt(_ limits: [RateLimit]) {
        guard limits != meters.map(\.limit) else { return }
        let past = meters
        meters = limits.map { limit in
            if let same = past.first(where: { $0.limit == limit }) { return same }
            var meter = RateMeter(limit)
            // The longest memory serves best: a changed limit is no new burst.
            if let longest = past.max(by: { $0.limit.per < $1.limit.per }) { meter.take(longest) }
            return meter
        }
    }

    // MARK: - On the disk

    /// How many requests to lease at a time.
    var chunk: Int { meters.map(\.chunk).min() ?? 0 }

    /// Lets so many requests go out without another write.
    mutating func lease(_ count: Int) { leased = count }

    /// When it remembers nothing any more.
    var end: Int64 { meters.reduce(closedUntil) { max($0, $1.end) } }

    /// The book as it is stored, with so many requests on lease.
    func bytes(leasing count: Int, at mark: SteadyMark) -> [UInt8] {
        var object = JSONObject([("v", .integer(1)), ("leased", .integer(count))])
        mark.write(to: &object)
        if closedUntil != .min { object["closed"] = .integer(Int(closedUntil)) }
        object["meters"] = .array(meters.map(\.json))
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        return bytes
    }

    /// Reads a stored book. What was leased and not given back is taken for used, at the last moment it can have been.
    ///
    /// - Returns: `nil` where the bytes are of another version.
    init?(_ bytes: [UInt8], mark: SteadyMark, now: Int64) {
        guard let value = try? JSONValue(parsing: bytes), value["v"]?.number?.int64 == 1,
            let written = SteadyMark(value), let leased = value["leased"]?.number?.int64,
            let meters = value["meters"]?.elements
        else { return nil }
        let shift = written.shift(to: mark)
        self.meters = []
        for meter in meters {
            guard var meter = RateMeter(meter, shift: shift, now: now) else { return nil }
            if leased > 0 { meter.take(Int(leased), at: now) }
            self.meters.append(meter)
        }
        if let closed = value["closed"]?.number?.int64 {
            closedUntil = min(closed &+ shift, now + Int64(Self.longestClosing / .microseconds(1)))
        }
    }
}
