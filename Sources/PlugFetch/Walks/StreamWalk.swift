import HTTPTransport
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Goes through the pages of a stream, for one parent or none.
struct StreamWalk: Walk {
    private let plan: StreamPlan
    private let parent: JSONView?
    private let parentValue: JSONValue?
    private let globals: [JSONValue]
    private let given: SinceValue?
    private var pass: Pass
    private var scan: SinceScan?
    private var previous: [JSONView] = []
    private var isOver = false
    /// What the last complete pass left, until the first request of this one.
    private var validator: JSONValue?
    /// What ended the pass after a page whose records were still worth giving.
    private var fault: PlugError?

    /// A walk that begins, or goes on where a state says.
    ///
    /// - Parameters:
    ///   - saved: The watermark and the interrupted pass, as a state keeps them.
    ///   - given: The lower bound that the person gave: a pass with another one is not continued.
    ///   - goesBack: Whether an interrupted pass of pages that shift goes one page back.
    init(
        _ plan: StreamPlan,
        parent: JSONView? = nil,
        saved: PartState,
        given: SinceValue?,
        goesBack: Bool = true
    ) throws(PlugError) {
        self.plan = plan
        self.parent = parent
        self.given = given
        parentValue = parent?.value
        globals = plan.globals(parent: parentValue)
        scan = plan.since
        let watermark = plan.stream.since.flatMap { since in saved.watermark.flatMap { SinceValue($0, since.type) } }
        if let json = saved.pass, !json.isNull,
            let pass = Pass(plan.stream, watermark: watermark, resuming: json, goesBack: goesBack),
            given == nil || pass.lower == given
        {
            self.pass = pass
        } else {
            validator = saved.pass == nil || saved.pass?.isNull == true ? saved.validator : nil
            pass = try plan.pass(watermark: watermark, given: given, parent: parentValue)
        }
    }

    var watermark: JSONValue? { pass.watermarkJSON }

    mutating func next() async throws -> WalkedPage? {
        if isOver { return nil }
        if let fault { throw fault }
        var cost = FetchedPage.Cost()
        var startedOver = false
        while true {
            do {
                var page = try await read()
                page.cost += cost
                page.startedOver = startedOver
                return page
            } catch let refusal as PlaceRefused {
                cost += refusal.cost
                startedOver = true
                let watermark = pass.watermark
                plan.exchange.warn(
                    plan.stream.name,
                    "place-refused",
                    "the source does not know the place where the last run stopped; this pass starts over"
                )
                pass = try plan.pass(watermark: watermark, given: given, parent: parentValue)
            }
        }
    }

    private mutating func read() async throws -> WalkedPage {
        let mark = pass.json
        let context = RequestContext(
            place: pass.pager.place,
            pages: pass.pager.pages,
            parent: parentValue,
            lower: pass.lower,
            upper: pass.upper
        )
        let isFirst = pass.pager.isAtStart
        var request: PreparedRequest
        do throws(PlugError) {
            request = try plan.builder.request(context)
        } catch {
            // The place lies outside the hosts of a manifest that has changed since.
            if pass.isResuming, error.code == "pagination-escape" { throw PlaceRefused(cost: FetchedPage.Cost()) }
            throw error
        }
        let key = isFirst && !pass.isResuming ? plan.validatorKeys?.key(of: request, in: plan.stream) : nil
        request.condition = key.flatMap { Validator(validator, for: $0) }?.field
        let handling = Handling(isResuming: pass.isResuming, isDetail: parent != nil && isFirst)
        let answer = try await plan.exchange.send(request, for: plan.stream.name, handling)
        if case .unchanged = answer.content { return unchanged(answer, mark) }
        validator = nil
        let name = plan.exchange.name(request)
        let reading = PageReading(plan: plan, globals: globals, name: name)
        let (records, facts, linkFault) = try reading.page(answer, after: previous)
        var page = WalkedPage(
            records: records,
            parent: parent,
            mark: mark,
            following: nil,
            cost: answer.cost,
            origin: plan.exchange.redactor.shown(answer.url)
        )
        if let linkFault {
            // What the page holds is given; the state stays at this page.
            if records.isEmpty { throw linkFault }
            fault = linkFault
            page.following = mark
            return page
        }
        var scan = scan
        let summary = scan?.summary(of: records, after: pass.last, globals)
        let (outcome, breaksOrder) = pass.take(facts, summary)
        self.scan = scan
        previous = records
        warn(facts, summary, breaksOrder, outcome, name)
        if case .gone = answer.content { page.isGone = true }
        switch outcome {
        case .goesOn: page.following = pass.json
        case .complete:
            isOver = true
            if let key, case .page = answer.content { page.validator = answer.validator?.json(for: key) }
        case .stuck(let fault):
            let error = PagingMessages.error(fault, plan.stream, name)
            if records.isEmpty { throw error }
            self.fault = error
            page.following = place(after: fault, mark)
        }
        return page
    }

    /// The end of a pass of which nothing was read, because it would be the last one over again.
    private mutating func unchanged(_ answer: Answer, _ mark: JSONValue) -> WalkedPage {
        isOver = true
        let origin = plan.exchange.redactor.shown(answer.url)
        var page = WalkedPage(records: [], mark: mark, following: nil, cost: answer.cost, origin: origin)
        page.isUnchanged = true
        return page
    }

    /// Where the next run begins when the records of the last page are given: at that page again, behind it where it was
    /// only one too many, at the start where the places repeat.
    private func place(after fault: PagingFault, _ mark: JSONValue) -> JSONValue {
        switch fault {
        case .loop: .null
        case .empty: mark
        case .limit: pass.json
        }
    }

    private func warn(
        _ facts: PageFacts,
        _ summary: SinceSummary?,
        _ breaksOrder: Bool,
        _ outcome: Pass.Outcome,
        _ name: String
    ) {
        let (exchange, stream) = (plan.exchange, plan.stream)
        if breaksOrder {
            let message =
                "\(name): a record is older than the one before it; until this pass is complete the place "
                + "to continue at does not move"
            exchange.warn(stream.name, "order-broken", message)
        }
        if let summary, summary.without > 0 {
            let message = "\(name): \(summary.without) of \(facts.count) records have no readable 'since.field'"
            exchange.warnOnce(stream.name, "since-missing", message)
        }
        if outcome == .complete, facts.more == true {
            let message = "\(name): 'more' says there is another page, but none can be found"
            exchange.warnOnce(stream.name, "more-without-page", message)
        }
    }
}
