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
    /// How it is divided; `nil` for not at all.
    let windows: SinceWindows?
    /// The window that is read. They are read in their order: when one is complete, all before its end is.
    private(set) var window: SinceWindow?
    /// How many windows this run has read to their ends.
    private var windowCount = 0
    /// Whether this window has given records that lie behind its end, and some that do not; and how many windows gave nothing
    /// but the former.
    private var beyond = (hasAny: false, hasInside: false, windows: 0)
    /// Of a pass without a clock that was interrupted: the greatest value that was seen by then. What changed while
    /// nobody read, on pages that were read already, has greater ones, and the next pass has to ask for them.
    private var ceiling: SinceValue?
    /// The greatest value on the first page, of the last window that had any; what changes later has greater ones.
    private var firstMaximum: SinceValue?
    /// Whether no record so far, of this window, was older than the one before it: then what changes comes at the end.
    private var isRising = true
    /// The greatest value seen, never after `upper`.
    private(set) var maximum: SinceValue?
    /// The value of the last record.
    private(set) var last: SinceValue?
    /// Whether the watermark moves with each page.
    private(set) var isOrdered: Bool
    /// How many records were newer, and how many older, than the one before; counted where a pass stops at what is known.
    private var order = (rises: 0, falls: 0)
    /// Whether it ended where all is older than its lower bound.
    private(set) var hasStopped = false
    /// Whether it was said that records do not come newest first.
    private var hasToldOrder = false
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
        upper = stream.since.flatMap { Self.bound($0, now) }
        windows = Self.windows(stream.since)
        window = windows.flatMap { [upper] windows in lower.map { windows.first(from: $0, end: upper) } }
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
        windows = Self.windows(stream.since)
        window = type.flatMap { type in saved["window"].flatMap { SinceWindow($0, type) } }
        // Divided before or since, it was another question.
        guard (windows == nil) == (window == nil), windows != nil || saved["window"] == nil else { return nil }
        order = (Int(saved["rises"]?.number?.int64 ?? 0), Int(saved["falls"]?.number?.int64 ?? 0))
        isOrdered = stream.since?.order == .ascending && saved["unordered"]?.bool != true
        self.pager = pager
        isResuming = !pager.isAtStart
    }

    /// In whole seconds: many sources write no fraction, and what changes later in this second has the same time there.
    private static func bound(_ since: Since, _ now: Int64) -> SinceValue? {
        let end = now - Int64(since.settle / .microseconds(1))
        return since.type.isTime ? .moment(Timestamp(microseconds: end - end % 1_000_000)) : nil
    }

    private static func windows(_ since: Since?) -> SinceWindows? {
        since.flatMap { since in since.window.map { SinceWindows($0, since.type) } }
    }

    /// The lower bound as requests have it: the window's, where there are windows.
    var sentLower: SinceValue? { window.flatMap { windows?.sent($0) } ?? lower }

    /// The upper bound as requests have it; `nil` in the last window of what has no clock.
    var sentUpper: SinceValue? { window.map(\.to) ?? upper }

    /// Whether somebody wants to know which records are older than the lower bound.
    private var looksForOlder: Bool { since.map { $0.filters || $0.stopsAtKnown } ?? false }

    /// The value before which records are old, where somebody wants to know.
    var oldBound: SinceValue? { looksForOlder ? lower : nil }

    /// What a state keeps of it: enough to ask for the page at `place`.
    var json: JSONValue {
        var object = JSONObject()
        if let type = since?.type {
            object["lower"] = lower?.json(type)
            object["upper"] = upper?.json(type)
            object["max"] = maximum?.json(type)
            object["ceiling"] = bindingCeiling?.json(type)
            if since?.order == .ascending, !isOrdered { object["unordered"] = .bool(true) }
            if isDetached { object["detached"] = .bool(true) }
            object["window"] = window?.json(type)
            if since?.stopsAtKnown == true, order != (0, 0) {
                object["rises"] = .integer(order.rises)
                object["falls"] = .integer(order.falls)
            }
            object["tail"] = tail?.json
            if isBroken { object["broken"] = .bool(true) }
        }
        object["began"] = .integer(Int(began))
        for member in pager.members { object[member.key] = member.value }
        return .object(object)
    }

    /// Of a page that was read already, for one who goes on in the middle of it: what has changed on its first half since has
    /// greater values than all that were seen by then, and the next pass has to ask for it.
    ///
    /// - Parameter mark: What leads back to the page.
    func again(_ mark: JSONValue) -> JSONValue {
        guard let type = since?.type, var object = mark.object else { return mark }
        switch type {
        case .integer: object["ceiling"] = object["ceiling"] ?? maximum?.json(type)
        case .opaque: object["max"] = object["max"] ?? maximum?.json(type)
        default: break
        }
        return .object(object)
    }

    /// The watermark as a state keeps it.
    var watermarkJSON: JSONValue? { since.flatMap { since in watermark?.json(since.type) } }

    /// What taking in a page came to.
    enum Outcome: Sendable, Equatable {
        /// There is another page.
        case goesOn
        /// The window is complete, and there is another one.
        case nextWindow
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

    /// Begins the window that is read once more, because its place is not known any more.
    ///
    /// - Returns: `false` where the pass has no windows.
    mutating func restartWindow() -> Bool {
        guard window != nil else { return false }
        goBack(to: pager.restarted)
        isResuming = false
        return true
    }

    /// The last window of the pass; `nil` where it has none or this is the one.
    var lastWindow: SinceWindow? {
        guard let windows, let window, window.next != nil else { return nil }
        return windows.last(from: window.from, end: upper)
    }

    /// Looks at another window, to see whether there is anything.
    mutating func look(at other: SinceWindow) {
        goBack(to: pager.restarted)
        window = other
    }

    /// Takes a move of the watermark back: the page that seemed to prove it did not.
    mutating func moveBack(to earlier: SinceValue?) { watermark = earlier }

    /// Takes in a page.
    ///
    /// - Parameters:
    ///   - tail: The page's end, for streams whose pages have to be joined.
    ///   - sourceTime: The source's clock, where it shows one.
    /// - Returns: What came of it, and whether this page was the first one out of order.
    mutating func take(
        _ facts: PageFacts,
        _ summary: SinceSummary?,
        tail: PageTail?,
        sourceTime: Timestamp? = nil
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
            note(summary)
            if isOrdered, !summary.isAscending {
                isOrdered = false
                breaksOrder = true
            }
            if summary.isKnown, since?.stopsAtKnown == true, !isBroken {
                if comesNewestFirst {
                    hasStopped = true
                    moveWatermark()
                    return (.complete, false)
                }
                breaksOrder = order.rises > 0 && !hasToldOrder
                hasToldOrder = hasToldOrder || breaksOrder
            }
        }
        if let summary, summary.reached > 0 { window?.hasRecords = true }
        if let summary {
            beyond.hasAny = beyond.hasAny || summary.beyond > 0
            beyond.hasInside = beyond.hasInside || summary.inside > 0
        }
        if !goesOn, isBroken, limit == nil { return (.broken, breaksOrder) }
        if !goesOn, let total = pager.missedTotal { return (.short(total: total), breaksOrder) }
        if !goesOn, let (count, read) = pager.missedPages { return (.fewPages(count: count, read: read), breaksOrder) }
        if !goesOn, let windows, let window {
            if beyond.hasAny, !beyond.hasInside {
                beyond.windows += 1
                // One may be a slip of the service.
                if beyond.windows > 1 { return (.stuck(.ignored), breaksOrder) }
            }
            if !facts.isAbsent, !facts.showsList, !window.hasRecords, !window.isSecondLook {
                // An answer without the list may be a service's way to say that it is busy.
                var again = window
                again.isSecondLook = true
                return (begin(again), breaksOrder)
            }
            if !facts.isAbsent, !beyond.hasAny || beyond.hasInside { proved(window, sourceTime) }
            if window.showsFine, !window.isFine, let lower {
                let first = windows.first(from: lower, end: upper, isFine: true)
                // What lies between two granules at the borders before this window was in none.
                if first.from != window.from { return (begin(first), breaksOrder) }
            }
            if let next = windows.next(after: window, end: upper) { return (begin(next), breaksOrder) }
        }
        if !goesOn || (isOrdered && !isBroken) { moveWatermark() }
        return (limit.map { .stuck($0) } ?? (goesOn ? .goesOn : .complete), breaksOrder)
    }

    private mutating func note(_ summary: SinceSummary) {
        if since?.type == .opaque, since?.order == .descending {
            // Of opaque values the newest one is the first of the first page.
            maximum = maximum ?? summary.first
        } else {
            maximum = SinceValue.later(maximum, summary.maximum).map { SinceValue.earlier($0, upper) }
        }
        if firstMaximum == nil { firstMaximum = maximum }
        isRising = isRising && summary.isAscending
        last = summary.last
        if since?.stopsAtKnown == true {
            order.rises += summary.rises
            order.falls += summary.falls
        }
        if summary.isFine { window?.showsFine = true }
    }

    /// Whether records come newest first, as far as they show: single ones may stand elsewhere, such as those that are pinned.
    private var comesNewestFirst: Bool { order.falls > order.rises }

    // MARK: - Windows

    private mutating func begin(_ next: SinceWindow) -> Outcome {
        window = next
        pager = pager.restarted
        tail = nil
        // Windows may have a border in common: the first record says nothing about the order.
        last = nil
        (firstMaximum, isRising) = (nil, true)
        (beyond.hasAny, beyond.hasInside) = (false, false)
        windowCount += 1
        guard windowCount < SinceWindows.limit else {
            windowCount = 0
            return .stuck(.windows)
        }
        return .nextWindow
    }

    /// How far back from the start of a pass nothing is believed to be empty only because the clock says that it was there: a
    /// clock that is ahead would hide what comes until then.
    private static let doubt: Int64 = 4 * 86_400_000_000

    /// Moves the watermark to the end of a window that is complete, records or none: all before it is read.
    ///
    /// Only of times. A number beyond the greatest one that was seen may still be given to a record.
    private mutating func proved(_ window: SinceWindow, _ sourceTime: Timestamp?) {
        guard let to = window.to, since?.type.isTime == true, !isDetached else { return }
        moveWatermark()
        var proved = SinceValue.earlier(to, .moment(Timestamp(microseconds: began - Self.doubt)))
        if let sourceTime { proved = SinceValue.earlier(proved, .moment(sourceTime)) }
        if lower.map({ $0.precedes(proved) }) ?? false { watermark = SinceValue.later(watermark, proved) }
    }

    /// Whether a pass from `lower` on joins on to what was read up to the watermark. Opaque values have no order.
    private static func reaches(_ lower: SinceValue, _ watermark: SinceValue) -> Bool {
        if case .opaque = lower { return lower == watermark }
        return !watermark.precedes(lower)
    }

    /// What a watermark without a clock must not pass: what changed while the pass was read, on pages that had been read, has
    /// greater values than all that were there before.
    private var bindingCeiling: SinceValue? {
        guard since?.type == .integer else { return nil }
        return ceiling ?? (isRising ? nil : firstMaximum)
    }

    /// To the smaller of bound and maximum, and never back.
    private mutating func moveWatermark() {
        guard let maximum, !isDetached else { return }
        let bound = isOrdered ? upper : upper ?? bindingCeiling
        let seen = SinceValue.earlier(maximum, bound)
        // What a source gives from beyond the window's end proves nothing of what lies between.
        watermark = SinceValue.later(watermark, SinceValue.earlier(seen, window?.to))
    }
}
