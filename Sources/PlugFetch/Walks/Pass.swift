import LosslessJSON
import PlugCore
import PlugManifest

/// A reading of a whole stream: its bounds, what it has seen, and where it is. A state machine: pages in, states out.
struct Pass: Sendable {
    private let since: Since?
    /// Where the next pass of the stream begins.
    private(set) var watermark: SinceValue?
    /// The lower bound, as it is sent.
    let lower: SinceValue?
    /// The upper bound, frozen when the pass began; `nil` for what has no clock.
    let upper: SinceValue?
    /// Of a pass without a clock that was interrupted: the greatest value that was seen by then. What changed while
    /// nobody read, on pages that were read already, has greater ones, and the next pass has to ask for them.
    private var ceiling: SinceValue?
    /// The greatest value seen, never after `upper`.
    private(set) var maximum: SinceValue?
    /// The value of the last record.
    private(set) var last: SinceValue?
    /// Whether the watermark moves with each page.
    private(set) var isOrdered: Bool
    /// Whether it begins behind the watermark, as a person asked: then it proves nothing of what lies between, and the
    /// watermark stays.
    let isDetached: Bool
    /// When it began, in microseconds since 1970.
    let began: Int64
    private(set) var pager: Pager
    /// The end of the page before `pager.place`, for streams whose pages have to be joined.
    private(set) var tail: PageTail?
    /// Whether two pages were read of which nothing shows that they belong together.
    private(set) var isBroken = false
    /// Whether the next page is the first one of a continued pass.
    private(set) var isResuming = false

    /// A pass from the start.
    ///
    /// - Parameters:
    ///   - lower: The lower bound, overlap already taken off.
    ///   - isGiven: Whether a person gave the lower bound.
    ///   - now: Microseconds since 1970.
    init(_ stream: PlugManifest.Stream, watermark: SinceValue?, lower: SinceValue?, isGiven: Bool, now: Int64) {
        since = stream.since
        isDetached = isGiven && watermark.map { mark in lower.map { !Self.reaches($0, mark) } ?? false } ?? false
        began = now
        self.watermark = watermark
        self.lower = lower
        upper = stream.since.flatMap { Self.bound($0.type, now) }
        isOrdered = stream.since?.order == .ascending
        pager = Pager(stream.paging)
    }

    /// An interrupted pass; `nil` where what was saved does not suit the manifest any more.
    init?(
        _ stream: PlugManifest.Stream,
        watermark: SinceValue?,
        resuming saved: JSONValue,
        goesBack: Bool,
        now: Int64
    ) {
        let tail = saved["tail"].flatMap { PageTail($0) }
        // With the end of the last page at hand it shows whether pages have shifted, and how far.
        guard let pager = Pager(stream.paging, resuming: saved, goesBack: goesBack && tail == nil) else { return nil }
        since = stream.since
        self.watermark = watermark
        self.tail = tail
        isBroken = saved["broken"]?.bool == true && !pager.isAtStart
        isDetached = saved["detached"]?.bool == true
        began = saved["began"]?.number?.int64 ?? now
        let type = stream.since?.type
        func value(_ name: String) -> SinceValue? {
            type.flatMap { type in saved[name].flatMap { SinceValue($0, type) } }
        }
        lower = value("lower")
        upper = value("upper")
        maximum = value("max")
        ceiling = type == .integer ? value("ceiling") ?? maximum : nil
        isOrdered = stream.since?.order == .ascending && saved["unordered"]?.bool != true
        self.pager = pager
        isResuming = !pager.isAtStart
    }

    /// In whole seconds: many sources write no fraction, and what changes later in this second has the same time there.
    private static func bound(_ type: Since.Kind, _ now: Int64) -> SinceValue? {
        type.isTime ? .moment(Timestamp(microseconds: now - now % 1_000_000)) : nil
    }

    /// What a state keeps of it: enough to ask for the page at `place`.
    var json: JSONValue {
        var object = JSONObject()
        if let type = since?.type {
            object["lower"] = lower?.json(type)
            object["upper"] = upper?.json(type)
            object["max"] = maximum?.json(type)
            object["ceiling"] = ceiling?.json(type)
            if since?.order == .ascending, !isOrdered { object["unordered"] = .bool(true) }
            if isDetached { object["detached"] = .bool(true) }
            object["tail"] = tail?.json
            if isBroken { object["broken"] = .bool(true) }
        }
        object["began"] = .integer(Int(began))
        for member in pager.members { object[member.key] = member.value }
        return .object(object)
    }

    /// The watermark as a state keeps it.
    var watermarkJSON: JSONValue? { since.flatMap { since in watermark?.json(since.type) } }

    /// What taking in a page came to.
    enum Outcome: Sendable, Equatable {
        /// There is another page.
        case goesOn
        /// The pass is complete, and the watermark has moved.
        case complete
        /// The pass cannot go on, and its watermark stays.
        case stuck(PagingFault)
        /// All pages were read, and they have fewer records than the source said there are: the watermark stays.
        case short(total: Int)
        /// The pages ended before the source said they would: the watermark stays.
        case fewPages(count: Int, read: Int)
        /// All pages were read, and there may be a gap between two of them: the watermark stays, and the next pass reads
        /// from there again.
        case broken
    }

    /// Goes back to an earlier page, because pages have shifted.
    mutating func goBack(to earlier: Pager) {
        pager = earlier
        // From the first page on everything is read anew.
        if earlier.isAtStart { (isBroken, tail) = (false, nil) }
        // The records before it are met again: they say nothing about the order.
        last = nil
    }

    /// Notes that nothing shows whether the next page follows the one before without a gap.
    mutating func noteGap() { isBroken = true }

    /// Takes in a page.
    ///
    /// - Parameter tail: The page's end, for streams whose pages have to be joined.
    /// - Returns: What came of it, and whether this page was the first one out of order.
    mutating func take(
        _ facts: PageFacts,
        _ summary: SinceSummary?,
        tail: PageTail?
    ) -> (outcome: Outcome, breaksOrder: Bool) {
        // A page without records leaves the one before it to be joined with.
        self.tail?.empties += 1
        if let tail { self.tail = tail }
        var goesOn = false
        var limit: PagingFault?
        do throws(PagingFault) { goesOn = try pager.take(facts) } catch {
            guard error == .limit else { return (.stuck(error), false) }
            // The page is good, and the next run goes on behind it.
            (goesOn, limit) = (true, error)
        }
        isResuming = false
        var breaksOrder = false
        if let summary {
            maximum = SinceValue.later(maximum, summary.maximum).map { SinceValue.earlier($0, upper) }
            last = summary.last
            if isOrdered, !summary.isAscending {
                isOrdered = false
                breaksOrder = true
            }
        }
        if !goesOn, isBroken, limit == nil { return (.broken, breaksOrder) }
        if !goesOn, let total = pager.missedTotal { return (.short(total: total), breaksOrder) }
        if !goesOn, let (count, read) = pager.missedPages { return (.fewPages(count: count, read: read), breaksOrder) }
        if !goesOn || (isOrdered && !isBroken) { moveWatermark() }
        return (limit.map { .stuck($0) } ?? (goesOn ? .goesOn : .complete), breaksOrder)
    }

    /// Whether a pass from `lower` on joins on to what was read up to the watermark. Opaque values have no order.
    private static func reaches(_ lower: SinceValue, _ watermark: SinceValue) -> Bool {
        if case .opaque = lower { return lower == watermark }
        return !watermark.precedes(lower)
    }

    /// To the smaller of bound and maximum, and never back.
    private mutating func moveWatermark() {
        guard let maximum, !isDetached else { return }
        let bound = isOrdered ? upper : upper ?? ceiling
        watermark = SinceValue.later(watermark, SinceValue.earlier(maximum, bound))
    }
}
