import LosslessJSON
import PlugCore
import PlugManifest

/// Walks through the pages of a stream, for one parent or none.
struct StreamWalk: Walk {
    let plan: StreamPlan
    let builder: RequestBuilder
    /// The stream for which its pages are read.
    let reader: String
    let lineage: Lineage
    let globals: [JSONValue]
    let given: GivenBound?
    /// When the source listed the parent, by the source's clock.
    private let listed: Timestamp?
    var pass: Pass
    var scan: SinceScan?
    var isOver = false
    /// Whether the pass in the saved state was abandoned, because something has changed since.
    private var hasDroppedPass = false
    /// Whether the saved cursor was forgotten, which happens once.
    private var hasForgotten = false
    /// Whether some window of this walk was found, and whether the last one was checked for that.
    var hasAnswered = false
    var hasProbed = false
    /// The answer whose blocks are being delivered.
    var open: OpenAnswer?
    /// What the last complete pass left, until the first request of this one.
    var validator: JSONValue?
    /// The error that ended the pass after a page whose records could still be delivered.
    var fault: PlugError?
    /// Whether answers requested by other readers may be used, and whether the last page was one.
    var (takesShared, hasTakenShared) = (true, false)
    /// The findings of the whole pass, as far as this run has read it.
    var findings = PassFindings()
    /// How often the walk went back without getting further than before, and how far that was, in records.
    var searches = (count: 0, furthest: 0)
    /// How many pages were requested again after a wait, because they did not show their list.
    var secondLooks = 0
    /// How many requests this run has sent, and how often it noticed that the source had changed since the previous one.
    var unrest = (requests: 0, changes: 0)

    /// A walk that starts, or continues from a state.
    ///
    /// - Parameters:
    ///   - saved: The watermark and the interrupted pass, in stored form.
    ///   - given: The lower bound that the user gave: a pass with another one is not continued.
    ///   - goesBack: Whether an interrupted pass over shifting pages goes one page back.
    init(
        _ plan: StreamPlan,
        _ builder: RequestBuilder,
        _ lineage: Lineage,
        for reader: String,
        saved: PartState,
        given: GivenBound?,
        goesBack: Bool,
        listed: Timestamp? = nil
    ) throws(PlugError) {
        self.plan = plan
        self.builder = builder
        self.reader = reader
        self.lineage = lineage
        self.given = given
        self.listed = listed
        globals = plan.globals(lineage)
        scan = plan.since
        let now = plan.exchange.clock.now()
        let watermark = plan.stream.since.flatMap { since in saved.watermark.flatMap { SinceValue($0, since.type) } }
        if let json = saved.pass, !json.isNull,
            let pass = Pass(plan.stream, watermark: watermark, resuming: json, goesBack: goesBack, now: now),
            given.map({ pass.isGiven($0) }) ?? true
        {
            self.pass = pass
            // Some window of it may have been found in an earlier run.
            hasAnswered = true
        } else {
            hasDroppedPass = saved.pass.map { !$0.isNull } ?? false
            validator = saved.pass == nil || saved.pass?.isNull == true ? saved.validator : nil
            pass = try plan.pass(watermark: watermark, given: given, lineage, listed: listed)
        }
    }

    var watermark: JSONValue? { pass.watermarkJSON }

    // Not inlined, like the other functions here that are asynchronous or called by such: a frame reserves room for everything
    // inlined into it, and thousands of runs wait with theirs.
    @inline(never)
    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        if isOver { return .end }
        if let fault { throw fault }
        if let open { return .page(try await nextBlock(of: open)) }
        var cost = FetchedPage.Cost()
        var startedOver = hasDroppedPass
        hasDroppedPass = false
        while true {
            do {
                var page = try await read(&cost)
                page.cost += cost
                page.startedOver = startedOver
                return .page(page)
            } catch let refusal as PageTooBig {
                cost += refusal.cost
                pass.shrink()
                findings.noteSize()
            } catch let refusal as SearchFull {
                cost += refusal.cost
                if try await goesOn(after: refusal, &cost) { continue }
                startedOver = true
                try startOver(from: pass.watermark)
            } catch let refusal as CursorRefused {
                cost += refusal.cost
                startedOver = true
                try startOverWithoutCursor()
            } catch let refusal as PlaceRefused {
                cost += refusal.cost
                startedOver = true
                try startOverElsewhere()
            }
        }
    }

    /// Restarts the pass.
    ///
    /// - Parameter repeated: The pass whose lower bound the new one takes, instead of the one from the watermark.
    @inline(never)
    private mutating func startOver(from watermark: SinceValue?, repeating repeated: Pass? = nil) throws(PlugError) {
        pass = try plan.pass(watermark: watermark, given: given, lineage, listed: listed, repeating: repeated)
    }

    /// Restarts the pass and reads everything, as the source no longer recognises the cursor.
    @inline(never)
    private mutating func startOverWithoutCursor() throws(PlugError) {
        hasForgotten = true
        plan.exchange.warn(
            plan.stream.name,
            .cursorRefused,
            "the source no longer knows the saved position (do: reread): everything is read again"
        )
        try startOver(from: nil)
    }

    /// Restarts the window or the pass, as the source refuses the position that the last run, or another reader, left.
    @inline(never)
    private mutating func startOverElsewhere() throws(PlugError) {
        // A service may exclude records at the watermark itself: if that has moved within this pass, the pass has not been there
        // before.
        let repeated = plan.stream.since?.order == .ascending ? pass : nil
        if hasTakenShared {
            // From its start, with its own requests, each page leads to the next one in time.
            (takesShared, hasTakenShared) = (false, false)
            if !pass.restartWindow() { try startOver(from: pass.watermark, repeating: repeated) }
            return
        }
        let what = pass.window == nil ? "pass" : "window"
        plan.exchange.warn(
            plan.stream.name,
            .placeRefused,
            "the source does not accept the position where the last run stopped; this \(what) starts over"
        )
        if pass.restartWindow() { return }
        let pager = pass.pager.restarted
        try startOver(from: pass.watermark, repeating: repeated)
        // The source has shown how large its pages may be.
        pass.goBack(to: pager)
    }

    /// Reads the page at the pass's place, or an earlier one if pages have shifted.
    @inline(never)
    private mutating func read(_ cost: inout FetchedPage.Cost) async throws -> WalkedPage {
        var handling = Handling(isResuming: pass.isResuming, isDetail: isDetail)
        handling.hasCursor = pass.watermark != nil && !hasForgotten && given == nil
        // A window that showed no list is started once more.
        if pass.window?.isSecondLook == true, pass.pager.isAtStart { try await waitForSecondLook() }
        var fetched = try await fetch(pass.pager, handling, overlap: overlap)
        if case .unchanged = fetched.answer.content { return unchanged(fetched) }
        if isDoubtful(fetched) {
            cost += fetched.answer.cost
            try await waitForSecondLook()
            fetched = try await fetch(pass.pager, handling, overlap: overlap)
            if needsList, isDoubtful(fetched) { throw PagingMessages.listNotShown(plan.stream, fetched.name) }
        }
        if plan.marks != nil, let tail = pass.tail { fetched = try await confirmed(fetched, after: tail, &cost) }
        if fetched.joins, fetched.page.facts.count == 0 {
            // The previous page's record is all there is: the end, or pages of one record.
            cost += fetched.answer.cost
            fetched = try await fetch(pass.pager, handling)
            // Pages of one record may have shifted between these two requests.
            if let tail = pass.tail, tail.last == 0 || fetched.page.facts.count > 0 {
                fetched = try await joined(fetched, to: tail, &cost)
            }
        }
        if case .gone(let status) = fetched.answer.content {
            if try await isGone(fetched, &cost) { return gone(fetched, status) }
        } else {
            hasAnswered = true
        }
        if let (blocks, next) = fetched.decoded.open { return try begin(blocks, next, fetched) }
        return try take(fetched)
    }

    /// The end of a pass that read nothing, because it would repeat the last one.
    private mutating func unchanged(_ fetched: Fetched) -> WalkedPage {
        isOver = true
        var page = WalkedPage(
            records: [],
            mark: fetched.mark,
            following: nil,
            cost: fetched.answer.cost,
            origin: fetched.origin
        )
        page.isUnchanged = true
        return page
    }
}
