import PlugCore
import PlugManifest

/// One reading of a whole stream: its bounds, what it has seen, and its position. A state machine: pages in, states out.
struct Pass: Sendable {
    let since: Since?
    /// Where the next pass of the stream starts.
    var watermark: SinceValue?
    /// The lower bound, as it is sent.
    let lower: SinceValue?
    /// The upper bound, frozen when the pass began; `nil` if there is no clock.
    let upper: SinceValue?
    /// How it is divided; `nil` if it is not.
    let windows: SinceWindows?
    /// The current window. They are read in order: when one is complete, everything before its end is.
    var window: SinceWindow?
    /// How many windows this run has completed.
    var windowCount = 0
    /// Whether this window has yielded records beyond its end, and some within it; and how many windows yielded only the former.
    var beyond = (hasAny: false, hasInside: false, windows: 0)
    /// For an interrupted pass without a clock: the greatest value seen before. Records that changed between runs, on pages
    /// already read, have greater ones, and the next pass has to request them.
    var ceiling: SinceValue?
    /// The greatest value on the first page, of the last window that had any; later changes have greater ones.
    var firstMaximum: SinceValue?
    /// Whether no record of this window so far was older than the one before it: then changes appear at the end.
    var isRising = true
    /// The greatest value seen, never after `upper`.
    var maximum: SinceValue?
    /// The value of the last record.
    var last: SinceValue?
    /// Where the search continues, because the source cut it short: the lower bound sent if records come oldest first, the upper
    /// one if they come newest first.
    var resetBound: SinceValue?
    /// Whether no record of this search was newer than the one before it.
    var isFalling = true
    /// Whether the watermark moves with each page.
    var isOrdered: Bool
    /// How many records were newer, and how many older, than the one before; counted if a pass stops at known records.
    var order = (rises: 0, falls: 0)
    /// Whether it ended because all further records are older than its lower bound.
    var hasStopped = false
    /// Whether it was reported that records do not come newest first.
    private var hasToldOrder = false
    /// Whether it starts beyond the watermark, as the user asked: then it proves nothing about what lies between, and the
    /// watermark stays.
    let isDetached: Bool
    /// The user's wording of its lower bound, if that was a length of time.
    let givenWords: String?
    /// When it began, in microseconds since 1970.
    let began: Int64
    var pager: Pager
    /// The end of the page before `pager.place`, for streams whose pages have to be joined.
    var tail: PageTail?
    /// Whether two pages were read that could not be shown to join.
    var isBroken = false
    /// Whether the next page is the first one of a continued pass.
    var isResuming = false

    /// A pass from the start.
    ///
    /// - Parameters:
    ///   - lower: The lower bound, overlap already subtracted.
    ///   - given: The lower bound if the user gave it.
    ///   - now: Microseconds since 1970.
    ///   - end: Up to when it reads; `nil` for now.
    ///   - last: Where it ends in any case. If that precedes its lower bound, it ends where it begins.
    init(
        _ stream: PlugManifest.Stream,
        watermark: SinceValue?,
        lower: SinceValue?,
        given: GivenBound?,
        now: Int64,
        end: Int64? = nil,
        last: SinceValue? = nil
    ) {
        since = stream.since
        isDetached = given != nil && watermark.map { mark in lower.map { !Self.reaches($0, mark) } ?? false } ?? false
        givenWords = given?.words
        began = now
        self.watermark = watermark
        self.lower = lower
        let bound = stream.since.flatMap { Self.bound($0, end ?? now) }
        upper = bound.map { SinceValue.earlier($0, SinceValue.later(last, last == nil ? nil : lower)) }
        windows = Self.windows(stream.since)
        window = windows.flatMap { [upper] windows in lower.map { windows.first(from: $0, end: upper) } }
        isOrdered = stream.since?.order == .ascending
        pager = Pager(stream.paging)
    }

    /// In whole seconds: many sources write no fraction, and later changes within this second have the same time there.
    private static func bound(_ since: Since, _ now: Int64) -> SinceValue? {
        let end = now - since.settle.wholeMicroseconds
        return since.type.isTime ? .moment(Timestamp(microseconds: end - end % 1_000_000)) : nil
    }

    static func windows(_ since: Since?) -> SinceWindows? {
        since.flatMap { since in since.window.map { SinceWindows($0, since.type) } }
    }

    /// The lower bound as sent in requests: the window's, if there are windows.
    var sentLower: SinceValue? {
        let reset = since?.order == .ascending ? resetBound : nil
        guard var window, let windows else { return reset ?? lower }
        window.from = reset ?? window.from
        return windows.sent(window)
    }

    /// The upper bound as sent in requests; `nil` in the last window without a clock.
    var sentUpper: SinceValue? {
        if since?.order == .descending, let resetBound { return resetBound }
        guard let window, let windows else { return upper }
        return windows.sentEnd(window)
    }

    /// Whether records older than the lower bound have to be identified.
    private var looksForOlder: Bool { since.map { $0.filters || $0.stopsAtKnown } ?? false }

    /// The value before which records are old, if that matters.
    var oldBound: SinceValue? { looksForOlder ? lower : nil }

    /// Goes back to an earlier page, because pages have shifted.
    mutating func goBack(to earlier: Pager) {
        pager = earlier
        // From the first page on everything is read again.
        if earlier.isAtStart { (isBroken, tail) = (isBroken && resetBound != nil, nil) }
        // The records before it occur again: they say nothing about the order.
        last = nil
    }

    /// Requests smaller pages from here on.
    mutating func shrink() {
        pager.shrink()
        tail?.isCut = true
        guard pager.isAtStart else { return }
        goBack(to: pager)
        isResuming = false
    }

    /// Notes that nothing shows whether the next page follows the previous one without a gap.
    mutating func noteGap() { isBroken = true }

    /// Processes a page.
    ///
    /// - Parameters:
    ///   - tail: The page's end, for streams whose pages have to be joined.
    ///   - sourceTime: The source's clock, if it shows one.
    /// - Returns: The outcome, and whether this page was the first one out of order.
    mutating func take(
        _ facts: PageFacts,
        _ summary: SinceSummary?,
        tail: PageTail?,
        sourceTime: Timestamp? = nil
    ) -> (outcome: Outcome, breaksOrder: Bool) {
        // After a page without records, the one before it is still the one to join.
        self.tail?.empties += 1
        if let tail { self.tail = tail }
        var goesOn = false
        var limit: PagingFault?
        do throws(PagingFault) { goesOn = try pager.take(facts) } catch {
            guard error == .limit else { return (.stuck(error), false) }
            // The page is good, and the next run continues after it.
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
                // A single one may be a slip of the service.
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
                // Records between two granules at the borders before this window were in none.
                if first.from != window.from { return (begin(first), breaksOrder) }
            }
            if let next = windows.next(after: window, end: upper) { return (begin(next), breaksOrder) }
        }
        if !goesOn || (isOrdered && !isBroken) { moveWatermark() }
        return (limit.map { .stuck($0) } ?? (goesOn ? .goesOn : .complete), breaksOrder)
    }

    private mutating func note(_ summary: SinceSummary) {
        if since?.type == .opaque, since?.order == .descending {
            // Of opaque values, the newest is the first of the first page.
            maximum = maximum ?? summary.first
        } else {
            maximum = SinceValue.later(maximum, summary.maximum).map { SinceValue.earlier($0, upper) }
        }
        if firstMaximum == nil { firstMaximum = maximum }
        isRising = isRising && summary.isAscending
        isFalling = isFalling && summary.rises == 0
        last = summary.last
        if since?.stopsAtKnown == true {
            order.rises += summary.rises
            order.falls += summary.falls
        }
        if summary.isFine { window?.showsFine = true }
    }

    /// Whether records come newest first, as far as they show: a few, such as pinned ones, may be out of place.
    private var comesNewestFirst: Bool { order.falls > order.rises }
}
