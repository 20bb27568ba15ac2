import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Goes through the pages of a stream that is read for each record of another: the parent's pages, each page's records,
/// and for each of them the child's pages. The parent's pages are walked, never collected.
struct ChildWalk: Walk {
    /// How many children in a row may be gone before any was there.
    private static let goneLimit = 10
    private let plan: StreamPlan
    /// The parent's stream, for the names of parts.
    private let parentPlan: StreamPlan
    private let states: (any StreamStates)?
    private let given: SinceValue?
    /// What is fetched ahead.
    private var window: ChildWindow
    /// The walk to take where the parent's records have moved since the last run: one page back.
    private var fallback: (any Walk)?
    /// The part of the last parent that an earlier run was done with, until it is found.
    private var after: String?
    /// The page of parents whose children are started.
    private var parentPage: WalkedPage?
    /// The parent on it whose children are started next.
    private var index: Int
    /// A child whose pages an earlier run left in the middle.
    private var interrupted: JSONValue?
    private var isOver = false
    private var failures: ChildFailures
    /// Whether the next pass begins at the start, because of what the parents' pages came to.
    private var isRestarting = false
    /// Whether this run has read a child.
    private var hasRead = false
    private var gone = 0
    private var hasFound = false
    private var cost = FetchedPage.Cost()

    /// A walk that begins, or continues at a mark.
    ///
    /// - Parameters:
    ///   - parents: The walk through the parent's stream, begun at `mark`'s page.
    ///   - fallback: The same, begun one page before it where pages shift.
    ///   - states: Where the watermarks of the parts lie; `nil` for a walk that moves none.
    ///   - scope: Where children are fetched ahead.
    init(
        _ plan: StreamPlan,
        of parentPlan: StreamPlan,
        parents: any Walk,
        fallback: (any Walk)?,
        mark: JSONValue?,
        states: (any StreamStates)?,
        given: SinceValue?,
        scope: FetchScope
    ) {
        self.plan = plan
        self.parentPlan = parentPlan
        self.fallback = fallback
        self.states = states
        self.given = given
        let failed = max(0, Int(mark?["failed"]?.number?.int64 ?? 0))
        failures = ChildFailures(plan.stream.name, earlier: failed)
        index = max(0, Int(mark?["index"]?.number?.int64 ?? 0))
        after = mark?["after"]?.stringText
        interrupted = mark?["child"]
        // Where it stopped behind the last parent of a page, that parent stands on the page before.
        let begins = index == 0 ? fallback : nil
        if begins != nil { self.fallback = nil }
        let clock = plan.exchange.clock
        window = ChildWindow(begins ?? parents, width: plan.exchange.width, in: scope, clock: clock)
    }

    var watermark: JSONValue? { nil }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        if isOver, let error = failures.summary { throw error }
        while !isOver {
            try await startAhead()
            if let child = window.first {
                if let page = try give(child) { return .page(page) }
            } else if !window.isEmpty {
                guard try await window.wait(until: deadline) else { return .notYet }
            } else if window.hasParents {
                guard let page = try window.takeParents() else {
                    isOver = true
                    if let error = failures.summary { throw error }
                    return .end
                }
                try take(page)
            } else if let page = parentPage, page.following == nil {
                return .page(try end(page))
            } else if let page = parentPage, page.following?.isNull == true, !isRestarting {
                // The parents' pass ends with an error and starts again, and so does this one.
                isRestarting = true
                return .page(
                    WalkedPage(
                        records: [],
                        mark: try position(index, on: page),
                        following: .null,
                        cost: takeCost(),
                        origin: page.origin
                    )
                )
            } else {
                window.fetchParents()
                guard try await window.wait(until: deadline) else { return .notYet }
            }
        }
        return .end
    }

    /// Begins with the children of a page of parents.
    private mutating func take(_ page: WalkedPage) throws(PlugError) {
        cost += page.cost
        if parentPage != nil || page.startedOver {
            index = 0
        } else if try !settle(on: page) {
            return
        }
        if page.startedOver { interrupted = nil }
        (after, fallback) = (nil, nil)
        parentPage = page
    }

    /// Finds the parent to continue with on the first page of a continued walk.
    ///
    /// - Returns: `false` if the parent it stopped behind is not there: then the page before has to be looked at.
    private mutating func settle(on page: WalkedPage) throws(PlugError) -> Bool {
        guard let after else {
            if index > 0 { index = 0 }
            return true
        }
        let globals = parentPlan.globals(parent: page.parent?.value)
        func stands(at index: Int) throws(PlugError) -> Bool {
            try ParentPart.name(of: page.records[index], in: parentPlan.stream, globals) == after
        }
        if index > 0, index <= page.records.count, try stands(at: index - 1) { return true }
        for found in page.records.indices where try stands(at: found) {
            index = found + 1
            return true
        }
        index = 0
        guard let fallback else { return true }
        window.replaceParents(fallback)
        self.fallback = nil
        return false
    }

    // MARK: - Giving

    /// The next page of the first child; `nil` if it turns out to have none left.
    private mutating func give(_ child: PrefetchedChild) throws -> WalkedPage? {
        if let failure = child.failure {
            guard var error = failure as? PlugError else { throw failure }
            if hasRead, error.code == .rateLimited, plan.exchange.isClosed {
                // A quota that is used up. Where it is the first answer of a run, after the wait, it is this child's alone.
                error.reach = .run
            }
            guard failures.note(error, plan.exchange) else { throw error }
            return try passOver(child)
        }
        let mark = try position(child.index, on: child.parents)
        guard var page = child.page else {
            window.removeFirst()
            return nil
        }
        hasRead = true
        try count(page)
        let inner = (mark: page.mark, following: page.following)
        page.mark = try position(child.index, on: child.parents, child: (child.part, inner.mark))
        page.groups = [FetchedPage.Group(part: child.part, count: page.records.count)]
        if let following = inner.following {
            window.fetchMoreOfFirst()
            page.following =
                following.isNull
                ? mark : try position(child.index, on: child.parents, child: (child.part, following))
        } else {
            window.removeFirst()
            failures.noteSuccess()
            page.following = try following(child)
        }
        if plan.stream.since != nil, states != nil, let watermark = child.walk.watermark,
            watermark != child.watermark
        {
            page.parts[child.part] = PartState(watermark: watermark).state
        }
        page.cost += takeCost()
        page.startedOver = false
        return page
    }

    private mutating func takeCost() -> FetchedPage.Cost {
        defer { cost = FetchedPage.Cost() }
        return cost
    }

    /// Leaves a child for the next pass: a page without records moves the place on.
    private mutating func passOver(_ child: PrefetchedChild) throws -> WalkedPage {
        window.removeFirst()
        var page = WalkedPage(
            records: [],
            mark: try position(child.index, on: child.parents),
            following: nil,
            cost: takeCost(),
            origin: child.parents.origin
        )
        page.following = try following(child)
        return page
    }

    /// The place behind a child, `nil` behind the last one; where children failed the pass is not complete, and the next
    /// one begins at the start.
    private mutating func following(_ child: PrefetchedChild) throws -> JSONValue? {
        let isLast = child.index + 1 >= child.parents.records.count
        guard isLast, child.parents.following == nil else { return try position(child.index + 1, on: child.parents) }
        return ending()
    }

    private mutating func ending() -> JSONValue? {
        isOver = true
        if !hasFound, gone > 1 {
            let message =
                "all \(gone) requests for the children of this pass were answered with 404 or 410: check the path of the stream"
            plan.exchange.warn(plan.stream.name, .childrenGone, message)
        }
        return failures.summary == nil ? nil : .null
    }

    /// The last page of a walk whose last parents have no children: it has nothing but the end.
    private mutating func end(_ page: WalkedPage) throws -> WalkedPage {
        let mark = try position(index, on: page)
        return WalkedPage(records: [], mark: mark, following: ending(), cost: takeCost(), origin: page.origin)
    }

    /// `{"page": …, "index": …, "after": PART, "failed": 1, "child": {"part": …, "pass": …}}`
    private func position(
        _ index: Int,
        on page: WalkedPage,
        child: (part: String, pass: JSONValue)? = nil
    ) throws(PlugError) -> JSONValue {
        var position = JSONObject()
        let isPast = index >= page.records.count
        if isPast, let following = page.following {
            position["page"] = following
            position["index"] = .integer(0)
        } else {
            position["page"] = page.mark
            position["index"] = .integer(index)
        }
        if (1...max(1, page.records.count)).contains(index), !page.records.isEmpty {
            position["after"] = .text(try part(of: page.records[index - 1], on: page))
        }
        if failures.total > 0 { position["failed"] = .integer(failures.total) }
        if let child { position["child"] = .members(("part", .text(child.part)), ("pass", child.pass)) }
        return .object(position)
    }

    private func part(of parent: JSONView, on page: WalkedPage) throws(PlugError) -> String {
        try ParentPart.name(of: parent, in: parentPlan.stream, parentPlan.globals(parent: page.parent?.value))
    }

    /// One thing that is gone is an ordinary race; nothing but gone things is a wrong path.
    private mutating func count(_ page: WalkedPage) throws(PlugError) {
        guard page.isGone else {
            hasFound = true
            return
        }
        gone += 1
        guard !hasFound, gone >= Self.goneLimit else { return }
        throw PlugError(
            .childrenGone,
            "\(page.origin) and the \(gone - 1) before it were answered with 404 or 410, and none was found",
            advice: "check the path of the stream '\(plan.stream.name)'; if all may be gone, write http.on: [{status: "
                + "[404, 410], do: skip}]",
            stream: plan.stream.name
        )
    }

    // MARK: - Fetching ahead

    /// Starts as many children as there is room for, and asks for the next page of parents shortly before it is needed.
    private mutating func startAhead() async throws {
        while let page = parentPage {
            while index < page.records.count, window.hasRoom {
                try await start(page.records[index], on: page)
                index += 1
            }
            let goesOn = page.following.map { !$0.isNull || isRestarting } ?? false
            guard goesOn, page.records.count - index <= window.parentsAhead else { return }
            window.fetchParents()
            // The end of the parents, or an error, waits until all children are given.
            guard index == page.records.count, let next = window.nextParents else { return }
            _ = try window.takeParents()
            try take(next)
        }
    }

    private mutating func start(_ parent: JSONView, on page: WalkedPage) async throws {
        let part = try part(of: parent, on: page)
        var saved = PartState()
        if plan.stream.since != nil, let states {
            saved.watermark = try PartState(try await states.state(of: part), stream: plan.stream.name).watermark
        }
        if let interrupted {
            // Another parent may stand there by now; then its children are read from their start.
            if interrupted["part"]?.stringText == part { saved.pass = interrupted["pass"] }
            self.interrupted = nil
        }
        let walk = try StreamWalk(plan, parent: parent, saved: saved, given: given)
        window.start(walk, part: part, watermark: saved.watermark, index: index, of: page)
    }
}
