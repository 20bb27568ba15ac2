import CurlTransport
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Goes through the pages of a stream, for one parent or none.
struct StreamWalk: Walk {
    let plan: StreamPlan
    private let builder: RequestBuilder
    /// The stream for which its pages are read.
    private let reader: String
    let lineage: Lineage
    let globals: [JSONValue]
    let given: GivenBound?
    var pass: Pass
    var scan: SinceScan?
    var previous: [JSONView] = []
    var isOver = false
    /// Whether the pass that a state told of is not the one that is read, because something has changed since.
    private var hasDroppedPass = false
    /// Whether some window of this walk was there, and whether the last one was looked at to see that.
    var hasAnswered = false
    var hasProbed = false
    /// The answer whose blocks are being given.
    var open: OpenAnswer?
    /// What the last complete pass left, until the first request of this one.
    private var validator: JSONValue?
    /// What ended the pass after a page whose records were still worth giving.
    var fault: PlugError?
    /// Whether answers that other readers have asked for may be taken, and whether the last page was one.
    private var (takesShared, hasTakenShared) = (true, false)
    /// What the whole pass has shown, as far as this run has read it.
    var findings = PassFindings()
    /// How often the walk went back without coming further than before, and how far that was, in records.
    var searches = (count: 0, furthest: 0)
    /// How many requests this run has sent, and how often it noticed that the source had changed since the one before.
    var unrest = (requests: 0, changes: 0)

    /// A walk that begins, or continues where a state says.
    ///
    /// - Parameters:
    ///   - saved: The watermark and the interrupted pass, as a state keeps them.
    ///   - given: The lower bound that the person gave: a pass with another one is not continued.
    ///   - goesBack: Whether an interrupted pass of pages that shift goes one page back.
    init(
        _ plan: StreamPlan,
        _ builder: RequestBuilder,
        _ lineage: Lineage,
        for reader: String,
        saved: PartState,
        given: GivenBound?,
        goesBack: Bool
    ) throws(PlugError) {
        self.plan = plan
        self.builder = builder
        self.reader = reader
        self.lineage = lineage
        self.given = given
        globals = plan.globals(lineage)
        scan = plan.since
        let now = plan.exchange.clock.now()
        let watermark = plan.stream.since.flatMap { since in saved.watermark.flatMap { SinceValue($0, since.type) } }
        if let json = saved.pass, !json.isNull,
            let pass = Pass(plan.stream, watermark: watermark, resuming: json, goesBack: goesBack, now: now),
            given.map({ pass.isGiven($0) }) ?? true
        {
            self.pass = pass
            // Some window of it may have been there in an earlier run.
            hasAnswered = true
        } else {
            hasDroppedPass = saved.pass.map { !$0.isNull } ?? false
            validator = saved.pass == nil || saved.pass?.isNull == true ? saved.validator : nil
            pass = try plan.pass(watermark: watermark, given: given, lineage)
        }
    }

    var watermark: JSONValue? { pass.watermarkJSON }

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
                pass = try plan.pass(watermark: pass.watermark, given: given, lineage)
            } catch let refusal as PlaceRefused {
                cost += refusal.cost
                startedOver = true
                let watermark = pass.watermark
                if hasTakenShared {
                    // From its start, with requests of its own, each page leads to the next one in time.
                    (takesShared, hasTakenShared) = (false, false)
                    if pass.restartWindow() { continue }
                    pass = try plan.pass(watermark: watermark, given: given, lineage)
                    continue
                }
                let what = pass.window == nil ? "pass" : "window"
                plan.exchange.warn(
                    plan.stream.name,
                    .placeRefused,
                    "the source does not accept the position where the last run stopped; this \(what) starts over"
                )
                if pass.restartWindow() { continue }
                let pager = pass.pager.restarted
                pass = try plan.pass(watermark: watermark, given: given, lineage)
                // The source has shown how large its pages may be.
                pass.goBack(to: pager)
            }
        }
    }

    /// Reads the page at the pass's place, or an earlier one where pages have shifted.
    private mutating func read(_ cost: inout FetchedPage.Cost) async throws -> WalkedPage {
        let handling = Handling(isResuming: pass.isResuming, isDetail: isDetail)
        var fetched = try await fetch(pass.pager, handling, overlap: overlap)
        if case .unchanged = fetched.answer.content { return unchanged(fetched) }
        if plan.marks != nil, let tail = pass.tail { fetched = try await confirmed(fetched, after: tail, &cost) }
        if fetched.joins, fetched.page.facts.count == 0 {
            // The record of the page before is all there is: the end, or pages of one record.
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
        return try fetched.decoded.open.map { try begin($0, fetched) } ?? take(fetched)
    }

    /// The end of a pass of which nothing was read, because it would be the last one over again.
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

    // MARK: - One request

    /// A page, and how it was asked for.
    struct Fetched {
        var mark: JSONValue
        var answer: Answer
        var page: PageReading.Page
        /// What decoding has shown beside the records; nothing where it is JSON.
        var decoded: Decoded
        /// The marks of its records, where pages have to be joined.
        var marks: [UInt64]
        /// Whether the last record of the page before was met where it has to be.
        var joins: Bool
        /// What the request asked for, of `since`.
        var bounds: FetchedPage.Bounds?
        /// How the request is called in messages.
        var name: String
        var origin: String
        var validatorKey: String?
    }

    /// Whether an answer may say that the parent is gone: not where one is asked for many, or for what nobody has listed.
    private var isDetail: Bool { plan.stream.parent?.mayBeGone == true && pass.pager.isAtStart }

    /// How many records of the page before are asked for once more: by offsets one, which joins the pages without another
    /// request.
    var overlap: Int {
        guard plan.marks != nil, let tail = pass.tail, tail.empties == 0, case .offset(let offset) = pass.pager.place,
            offset > 0
        else { return 0 }
        return 1
    }

    /// - Parameters:
    ///   - overlap: How many records before the pager's place are asked for, too.
    ///   - window: Another one than the pass's, asked for from its start.
    mutating func fetch(
        _ pager: Pager,
        _ handling: Handling,
        overlap: Int = 0,
        in window: SinceWindow? = nil
    ) async throws -> Fetched {
        var pass = pass
        pass.goBack(to: pager)
        if let window { pass.look(at: window) }
        let context = RequestContext(
            place: pager.place.earlier(by: overlap),
            size: pager.paging?.size,
            pages: pager.pages,
            began: pass.began,
            lineage: lineage,
            lower: pass.sentLower,
            upper: pass.sentUpper
        )
        var request: PreparedRequest
        do throws(PlugError) {
            request = try builder.request(context)
        } catch {
            // The place lies outside the hosts of a manifest that has changed since.
            if pass.isResuming, error.code == .paginationEscape { throw PlaceRefused(cost: FetchedPage.Cost()) }
            throw error
        }
        let isNew = pager.isAtStart && !pass.isResuming
        let key = isNew ? plan.validatorKeys?.key(of: request, in: plan.stream) : nil
        request.decodesWhole = plan.decodesWhole
        request.condition = key.flatMap { Validator(validator, for: $0) }?.field
        unrest.requests += 1
        let answer = try await send(request, pager, handling)
        let name = plan.exchange.name(request)
        var page: PageReading.Page = ([], PageFacts(count: 0), nil)
        var decoded = Decoded()
        if case .unchanged = answer.content {
        } else {
            validator = nil
            let pageGlobals = plan.globals(lineage, headers: answer.headers)
            let reading = PageReading(
                plan: plan,
                credentials: builder.credentials ?? plan.exchange.credentials,
                globals: globals,
                pageGlobals: pageGlobals,
                name: name
            )
            if case .decoded(let decoder) = answer.content, let format = request.decoding?.format {
                (page, decoded) = try await firstBlock(of: answer, decoder, format, reading)
            } else {
                page = try reading.page(answer, after: previous)
            }
        }
        var marks = plan.marks?.marks(page.records, globals) ?? []
        if overlap > 0, page.facts.count > 0 {
            page.facts.overlap = min(overlap, page.facts.count)
            page.facts.count -= page.facts.overlap
        }
        let joins = overlap > 0 && marks.first != nil && marks.first == pass.tail?.ids.last
        if joins {
            page.records.removeFirst()
            marks.removeFirst()
        }
        return Fetched(
            mark: self.pass.json,
            answer: answer,
            page: page,
            decoded: decoded,
            marks: marks,
            joins: joins,
            bounds: plan.stream.since.map { since in
                FetchedPage.Bounds(lower: context.lower?.json(since.type), upper: context.upper?.json(since.type))
            },
            name: name,
            origin: plan.exchange.redactor.shown(answer.url),
            validatorKey: key
        )
    }

    /// Sends a request. A page behind what a number calls the last one is an empty one where the service has none.
    private mutating func send(_ request: PreparedRequest, _ pager: Pager, _ handling: Handling) async throws -> Answer
    {
        guard pager.isBehindTheLast else {
            let (exchange, name) = (plan.exchange, plan.stream.name)
            // A place that an earlier run left may be refused, which is this walk's affair.
            if exchange.shared.isIdle || handling.isResuming || !takesShared {
                return try await exchange.send(request, for: name, handling)
            }
            var own = handling
            // What the page before led to, another reader was told, and long ago perhaps.
            own.isResuming = hasTakenShared
            let finding = try await exchange.shared.answer(to: request, of: name, for: reader) { [own] in
                try await exchange.send(request, for: name, own)
            }
            hasTakenShared = finding.isShared
            return finding.answer
        }
        do {
            let lenient = Handling(isResuming: true, isDetail: handling.isDetail)
            return try await plan.exchange.send(request, for: plan.stream.name, lenient)
        } catch let refusal as PlaceRefused {
            return Answer(content: .empty, url: request.url, headers: HTTPHeaders([]), cost: refusal.cost)
        }
    }

    // MARK: - One page

    /// - Parameter known: What the page's records say of `since`, where they are not all there any more.
    mutating func take(_ fetched: Fetched, _ known: SinceSummary? = nil) throws(PlugError) -> WalkedPage {
        let (records, linkFault) = (fetched.page.records, fetched.page.linkFault)
        var facts = fetched.page.facts
        var page = WalkedPage(
            records: records,
            lineage: lineage,
            mark: fetched.mark,
            following: nil,
            cost: fetched.answer.cost,
            origin: fetched.origin
        )
        page.bounds = fetched.bounds
        page.broken = fetched.decoded.broken
        page.weight = fetched.decoded.weight ?? fetched.answer.weight
        if let linkFault {
            if records.isEmpty { throw linkFault }
            // What the page holds is given; the state stays at this page.
            fault = linkFault
            page.following = fetched.mark
            return page
        }
        if case .gone = fetched.answer.content { (page.presence, facts.isAbsent) = (.unknown, true) }
        var scan = scan
        var summary = known
        if known == nil {
            summary = try scan?.summary(
                of: records,
                after: pass.last,
                bound: pass.oldBound,
                windows: pass.windows,
                window: pass.window,
                globals
            )
        }
        if let summary { leaveOut(summary.older, of: &page) }
        let isFirst = pass.pager.isAtStart && pass.pager.pages == 0
        let tail = PageTail(fetched.marks, after: pass.tail)
        let watermark = pass.watermark
        let sourceTime = pass.window == nil ? nil : fetched.answer.headers.first("date").flatMap { Timestamp($0) }
        let (outcome, breaksOrder) = pass.take(facts, summary, tail: tail, sourceTime: sourceTime)
        self.scan = scan
        page.again = pass.again(fetched.mark)
        previous = records
        findings.note(facts, summary, isFirst: isFirst, size: pass.pager.paging?.size)
        warn(facts, breaksOrder, outcome, fetched.name)
        if outcome == .complete || outcome == .nextWindow,
            let fault = findings.fault(plan.stream, fetched.name, hasWatermark: watermark != nil)
        {
            // All that was read is given; the pass is not taken for a whole one.
            self.fault = fault
            pass.moveBack(to: watermark)
            page.following = .null
            return page
        }
        switch outcome {
        case .goesOn: page.following = pass.json
        case .nextWindow:
            page.following = pass.json
            previous = []
            searches = (0, 0)
        case .complete:
            isOver = true
            if case .gone(let status) = fetched.answer.content, !hasAnswered {
                page.presence = .gone
                warnOfGone(fetched, status, " in each window of this pass")
            }
            if facts.more == true, !pass.hasStopped {
                let message =
                    "\(fetched.name): 'page.more' says that there is another page, but 'page' ends the stream here"
                plan.exchange.warn(plan.stream.name, .moreWithoutPage, message)
            }
            if let key = fetched.validatorKey, fetched.answer.content.isPage {
                page.validator = fetched.answer.validator?.json(for: key)
            }
        case .short(let total):
            fault = PagingMessages.short(plan.stream, fetched.name, total: total, seen: pass.pager.seen)
            page.following = .null
        case .fewPages(let count, let read):
            fault = PagingMessages.fewPages(plan.stream, fetched.name, count: count, read: read)
            page.following = .null
        case .broken:
            fault = PagingMessages.broken(plan.stream, fetched.name)
            page.following = .null
        case .stuck(let fault):
            let error = PagingMessages.error(fault, plan.stream, fetched.name)
            // A limit has the next run go on behind this page, whatever is on it.
            if records.isEmpty, ![.limit, .windows].contains(fault) { throw error }
            self.fault = error
            page.following = place(after: fault, fetched.mark)
        }
        return page
    }

    /// Leaves records out of a page; paging has counted them.
    func leaveOut(_ indexes: [Int], of page: inout WalkedPage) {
        if indexes.isEmpty { return }
        var next = indexes[...]
        var kept: [JSONView] = []
        kept.reserveCapacity(page.records.count - indexes.count)
        for (at, record) in page.records.enumerated() {
            if next.first == at { next.removeFirst() } else { kept.append(record) }
        }
        page.records = kept
        page.cost.filtered += indexes.count
    }

    /// Where the next run begins when the records of the last page are given: at that page again, behind it where it was
    /// only one too many, at the start where the places repeat.
    private func place(after fault: PagingFault, _ mark: JSONValue) -> JSONValue {
        switch fault {
        case .loop: .null
        case .empty, .ignored: mark
        case .limit, .windows: pass.json
        }
    }

}
