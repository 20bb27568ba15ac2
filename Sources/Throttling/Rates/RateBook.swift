import LosslessJSON
import PlugCore

/// All rates of a source, what the source itself asked for, and which processes hold leases. Times are microseconds of a steady
/// clock.
///
/// The book is on disk, and several processes write to it. A process that wants to send leases a few requests there before the
/// first of them is sent, and later records which of them it used, and when.
///
/// One rule keeps every time window within the limit: a lease is given only if recent requests, together with all that others
/// have on lease, leave room for it at once. Others' leases count as sent now until they end; what was not recorded by then
/// counts as sent at the end. So whatever they do, and whenever they die, it was counted. Only a process that is alone may lease
/// more than fits at once, and spreads it itself; others that arrive find it on lease, and wait.
struct RateBook: Sendable {
    /// A source can hold requests back for no longer than a day.
    static let longestClosing = Duration.seconds(86_400)
    private static let longest: Int64 = 86_400_000_000
    /// How long a lease lasts beyond the time that its requests need at their rate, and at most.
    private static let leaseTime: ClosedRange<Int64> = 1_000_000...11_000_000

    /// A process that holds a lease, or waits for one.
    struct Holder: Sendable, Equatable {
        /// A random name.
        var id: String
        /// How many requests may be sent on the lease.
        var count: Int
        /// When the lease ends, or when others need no longer wait for this process.
        var end: Int64
        /// Since when it has been waiting; `nil` if it is not.
        var asked: Int64?
    }

    private(set) var meters: [RateMeter]
    /// Nothing is sent between these times.
    private(set) var closing: (since: Int64, until: Int64)?
    private(set) var holders: [Holder] = []
    /// Whether the writer's clock was ahead: the corrected book is then worth writing.
    private(set) var isCorrected = false

    init(_ limits: [RateLimit]) { meters = limits.map { RateMeter($0) } }

    /// When a request that is ready at `time` may be sent.
    ///
    /// - Parameter id: This process's own lease does not count against it.
    func earliest(from time: Int64, for id: String? = nil) -> Int64 {
        view(at: time, without: id).reduce(max(time, closing?.until ?? .min)) { max($0, $1.earliest(from: time)) }
    }

    /// When a request that is ready at `time` could be sent if there were no leases.
    func ownEarliest(from time: Int64) -> Int64 {
        meters.reduce(max(time, closing?.until ?? .min)) { max($0, $1.earliest(from: time)) }
    }

    /// The same for a request with others before it in line: it is sent no sooner, but perhaps later.
    ///
    /// - Parameter waiting: How many are before it. Those for which there is room cost no time.
    func ownEarliest(from time: Int64, behind waiting: Int) -> Int64 {
        let room = meters.map { $0.room(at: time) }.min() ?? .max
        guard waiting >= room else { return ownEarliest(from: time) }
        var spent = self
        spent.take(room, at: time)
        let line = meters.map { $0.line(of: waiting - room + 1) }.max() ?? 0
        return spent.ownEarliest(from: time) + line
    }

    /// The meters as if all that others have on lease were sent now.
    private func view(at time: Int64, without id: String?) -> [RateMeter] {
        var view = meters
        for holder in holders where holder.id != id && holder.count > 0 {
            for index in view.indices { view[index].take(holder.count, at: min(time, holder.end)) }
        }
        return view
    }

    /// Records requests sent at `time`.
    mutating func take(_ count: Int = 1, at time: Int64) {
        for index in meters.indices { meters[index].take(count, at: time) }
    }

    /// Lets nothing out between two times.
    mutating func close(since: Int64, until: Int64) {
        if let closing, closing.until >= until { return }
        closing = (since, min(until, since + Self.longest))
    }

    /// Adopts other limits from now on, keeping what is known of the past.
    mutating func adopt(_ limits: [RateLimit]) {
        guard limits != meters.map(\.limit) else { return }
        let past = meters
        meters = limits.map { limit in
            if let same = past.first(where: { $0.limit == limit }) { return same }
            var meter = RateMeter(limit)
            // The longest memory serves best: changing a limit must not permit a new burst.
            if let longest = past.max(by: { $0.limit.per < $1.limit.per }) { meter.take(longest) }
            return meter
        }
    }

    // MARK: - Leases

    /// How many requests to lease at a time.
    var chunk: Int { meters.map(\.chunk).min() ?? 0 }

    /// Records the outcome of a process's lease: when its requests were sent.
    mutating func settle(_ id: String, used: [Int64]) {
        guard let index = holders.firstIndex(where: { $0.id == id }) else { return }
        // If another process found that the lease had ended, all of it is counted already.
        if holders.remove(at: index).count > 0 { for time in used { take(at: time) } }
    }

    /// The result of asking for a lease.
    enum Answer: Sendable, Equatable {
        /// This many requests may be sent before a time.
        case leased(Int, end: Int64)
        /// Nothing may be sent before a time; by then it may be another process's turn.
        case wait(until: Int64)
        /// Others hold what would be free, or have waited longer; they report by this time, perhaps sooner.
        case busy(until: Int64)
    }

    /// Gives a process a lease if there is room. Its last one must be settled.
    ///
    /// - Parameters:
    ///   - asked: Since when it has been waiting.
    mutating func lease(to id: String, asked: Int64, at now: Int64) -> Answer {
        let own = ownEarliest(from: now)
        let isAlone = holders.isEmpty
        if own > now {
            if !isAlone { wait(id, asked, until: own + Self.leaseTime.lowerBound) }
            return .wait(until: own)
        }
        var count = chunk
        if !isAlone {
            let room = view(at: now, without: id).map { $0.room(at: now) }.min() ?? 0
            let before = holders.count { $0.asked.map { $0 < asked } ?? false }
            count = min(count, room - before)
        }
        guard count > 0 else {
            let free = earliest(from: now)
            wait(id, asked, until: max(free, now) + Self.leaseTime.lowerBound)
            return .busy(until: max(free, now + 1))
        }
        let needed = meters.reduce(0) { max($0, $1.time(of: count)) }
        let end = now + min(Self.leaseTime.upperBound, Self.leaseTime.lowerBound + needed)
        holders.append(Holder(id: id, count: count, end: end))
        return .leased(count, end: end)
    }

    private mutating func wait(_ id: String, _ asked: Int64, until end: Int64) {
        holders.append(Holder(id: id, count: 0, end: end, asked: asked))
    }

    // MARK: - On the disk

    /// When it no longer remembers anything.
    var end: Int64 {
        let closed = closing?.until ?? .min
        let leased = holders.map { max($0.end, view(at: $0.end, without: nil).map(\.end).max() ?? .min) }
        return (meters.map(\.end) + leased).reduce(closed) { max($0, $1) }
    }

    /// The book once it has been written.
    var uncorrected: RateBook {
        var book = self
        book.isCorrected = false
        return book
    }

    /// The book as it is stored.
    func bytes(at mark: SteadyMark) -> [UInt8] {
        var object = JSONObject([("v", .integer(2))])
        mark.write(to: &object)
        if let closing { object["closed"] = .array([.integer(Int(closing.since)), .integer(Int(closing.until))]) }
        object["meters"] = .array(meters.map(\.json))
        object["holders"] = .array(holders.map(\.json))
        var bytes: [UInt8] = []
        JSONValue.object(object).write(to: &bytes)
        return bytes
    }

    /// Reads a stored book. Leases that have ended without being settled count as used.
    ///
    /// Times in the future were written by a clock that was ahead: they are taken as now, and a closing as one of the same length
    /// from now on. `isCorrected` is then set and the book must be written: otherwise each reading would start again.
    ///
    /// - Parameter own: This process, which records what it used itself, whenever that is.
    /// - Returns: `nil` if the bytes are of another version.
    init?(_ bytes: [UInt8], mark: SteadyMark, now: Int64, keeping own: String? = nil) {
        guard let value = try? JSONValue(parsing: bytes), value["v"]?.number?.int64 == 2,
            let written = SteadyMark(value), let meters = value["meters"]?.elements,
            let holders = value["holders"]?.elements
        else { return nil }
        let shift = written.shift(to: mark)
        self.meters = []
        for meter in meters {
            guard let meter = RateMeter(meter, shift: shift, now: now, isCorrected: &isCorrected) else { return nil }
            self.meters.append(meter)
        }
        if let pair = value["closed"]?.elements, pair.count == 2, let since = pair[0].number?.int64,
            let until = pair[1].number?.int64
        {
            let length = min(max(0, until &- since), Self.longest)
            let start = min(since &+ shift, now)
            if since &+ shift > now || length != until &- since { isCorrected = true }
            closing = (start, start &+ length)
        }
        for holder in holders {
            guard var holder = Holder(holder, shift: shift) else { return nil }
            let latest = now + (holder.count > 0 ? Self.leaseTime.upperBound : Self.longest)
            if holder.end > latest { (holder.end, isCorrected) = (latest, true) }
            if holder.end > now || holder.id == own {
                self.holders.append(holder)
            } else {
                take(holder.count, at: holder.end)
            }
        }
    }
}

extension RateBook.Holder {
    fileprivate var json: JSONValue {
        .members(
            ("id", .text(id)),
            ("count", .integer(count)),
            ("end", .integer(Int(end))),
            ("asked", asked.map { .integer(Int($0)) } ?? .null)
        )
    }

    fileprivate init?(_ value: JSONValue, shift: Int64) {
        guard let id = value["id"]?.stringText, let count = value["count"]?.number?.int64, count >= 0,
            let end = value["end"]?.number?.int64
        else { return nil }
        let asked = value["asked"]?.number?.int64
        self.init(id: id, count: Int(count), end: end &+ shift, asked: asked.map { $0 &+ shift })
    }
}
