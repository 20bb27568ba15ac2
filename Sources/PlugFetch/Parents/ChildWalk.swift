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
    private let states: (any StreamStates)?
    /// Begins, or continues, what is read for one parent.
    private let child: @Sendable (Lineage, PartState) throws(PlugError) -> any Walk
    /// What the parents themselves are combined with.
    private let outer: Lineage
    /// What `--since` says; a pass with another one is not continued.
    private let since: String?
    /// What the watermark was proved for; another one proves nothing of it.
    private let basis: String?
    /// Whether it gives combinations: of each parent with what is read for it.
    private let isCombining: Bool
    /// Whether the parents are read from a watermark of this walk's own.
    private let onlyChanged: Bool
    /// Where the next pass through the parents begins: it moves when everything that was read for them is safe.
    private var parentsWatermark: JSONValue?
    /// What is fetched ahead.
    private var window: ChildWindow
    /// Makes the walk to take where the parent's records have moved since the last run: one page back.
    private var fallback: (@Sendable () throws(PlugError) -> any Walk)?
    /// The part of the last parent that an earlier run was done with, until it is found.
    private var after: String?
    /// The page of parents whose children are started.
    private var parentPage: WalkedPage?
    /// The parent on it whose children are started next.
    private var index: Int
    /// Whether something was given since that page came.
    private var isNoted = true
    /// A child whose pages an earlier run left in the middle.
    private var interrupted: JSONValue?
    private var isOver = false
    private var failures: ChildFailures
    private var recent = RecentWatermarks()
    /// Whether the next pass begins at the start, because of what the parents' pages came to.
    private var isRestarting = false
    /// The parts among those that are started whose state says how to ask whether they have changed.
    private var marked: Set<String> = []
    /// Whether this run has read a child.
    private var hasRead = false
    private var gone = 0
    private var hasFound = false
    private var cost = FetchedPage.Cost()

    /// A walk through a stream that is read for others, begun or continued.
    ///
    /// - Parameters:
    ///   - state: The stream's own state.
    ///   - states: Where the watermarks of the parts lie; `nil` for a walk that moves none.
    init(
        _ plan: StreamPlan,
        of parents: ParentSource,
        from state: PartState,
        states: (any StreamStates)?,
        _ reading: ParentSource.Reading
    ) throws(PlugError) {
        let given = try plan.given(reading.since)
        let onlyChanged = states != nil && plan.stream.parent?.levels.first?.onlyChanged == true
        let (since, reader) = (reading.since, reading.reader)
        var reading = reading
        reading.child = plan
        reading.outer = Lineage()
        // It is for the first of a chain that reads what is new; of changed parents, for these, too.
        if plan.stream.since != nil, !onlyChanged { reading.since = nil }
        try self.init(parents, state, states, reading, since, isCombining: false, onlyChanged: onlyChanged) {
            (lineage, saved) throws(PlugError) -> any Walk in
            try plan.walk(lineage, for: reader, saved: saved, given: given)
        }
    }

    /// A walk through all combinations of two, begun or continued.
    init(
        combining outer: ParentSource,
        _ inner: ParentSource,
        from state: PartState,
        _ reading: ParentSource.Reading
    ) throws(PlugError) {
        try self.init(outer, state, nil, reading, reading.since, isCombining: true, onlyChanged: false) {
            (lineage, saved) throws(PlugError) -> any Walk in
            try inner.walk(from: saved, reading.within(lineage))
        }
    }

    private init(
        _ parents: ParentSource,
        _ state: PartState,
        _ states: (any StreamStates)?,
        _ reading: ParentSource.Reading,
        _ since: String?,
        isCombining: Bool,
        onlyChanged: Bool,
        _ child: @escaping @Sendable (Lineage, PartState) throws(PlugError) -> any Walk
    ) throws(PlugError) {
        plan = reading.child
        self.states = states
        self.child = child
        self.isCombining = isCombining
        self.onlyChanged = onlyChanged
        self.since = since
        outer = reading.outer
        basis = onlyChanged ? plan.parentsBasis : nil
        parentsWatermark = onlyChanged ? Self.watermark(state.watermark, basis) : nil
        var mark = state.pass.flatMap { $0.isNull ? nil : $0 }
        // From another bound on everything has to be read.
        if mark?["since"]?.stringText != since || mark?["of"]?.stringText != basis { mark = nil }
        let failed = max(0, Int(mark?["failed"]?.number?.int64 ?? 0))
        failures = ChildFailures(plan.stream.name, earlier: failed)
        index = max(0, Int(mark?["index"]?.number?.int64 ?? 0))
        after = mark?["after"]?.stringText
        interrupted = mark?["child"]
        let start = PartState(watermark: parentsWatermark, pass: mark?["page"])
        let walk: any Walk
        if mark != nil, index == 0 {
            // Where it stopped behind the last parent of a page, that parent stands on the page before.
            walk = try parents.walk(from: start, reading.goingBack(true))
        } else {
            walk = try parents.walk(from: start, reading.goingBack(false))
            if mark != nil {
                fallback = { () throws(PlugError) -> any Walk in
                    try parents.walk(from: start, reading.goingBack(true))
                }
            }
        }
        window = ChildWindow(walk, width: plan.exchange.width, in: reading.scope, clock: plan.exchange.clock)
    }

    /// Where the next pass through the parents begins, with what that was proved for: `{"of": HASH, "at": …}`.
    var watermark: JSONValue? {
        parentsWatermark.map { .members(("of", .text(basis ?? "")), ("at", $0)) }
    }

    private static func watermark(_ saved: JSONValue?, _ basis: String?) -> JSONValue? {
        saved?["of"]?.stringText == basis ? saved?["at"] : nil
    }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        if isOver, let error = failures.summary { throw error }
        while !isOver {
            try await startAhead()
            if let child = window.first {
                if let page = try give(child) { return .page(page) }
            } else if !window.isEmpty {
                guard try await window.wait(until: deadline) else { return .notYet }
            } else if let page = parentPage, !isNoted, index >= page.records.count, page.following?.isNull == false {
                // None of its parents leads to anything: without this, runs that end before one does would never get on.
                isNoted = true
                let place = position(index, on: page)
                return .page(empty(place, following: place, on: page, watermark))
            } else if window.hasParents {
                guard let page = try window.takeParents() else {
                    isOver = true
                    if let error = failures.summary { throw error }
                    return .end
                }
                try take(page)
            } else if let page = parentPage, page.following == nil {
                return .page(end(page))
            } else if let page = parentPage, page.following?.isNull == true, !isRestarting {
                // The parents' pass ends with an error and starts again, and so does this one.
                isRestarting = true
                return .page(empty(position(index, on: page), following: .null, on: page, watermark))
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
        isNoted = false
    }

    /// Finds the parent to continue with on the first page of a continued walk.
    ///
    /// - Returns: `false` if the parent it stopped behind is not there: then the page before has to be looked at.
    private mutating func settle(on page: WalkedPage) throws(PlugError) -> Bool {
        guard let after else {
            if index > 0 { index = 0 }
            return true
        }
        if index > 0, index <= page.names.count, page.names[index - 1] == after { return true }
        if let found = page.names.firstIndex(of: after) {
            // Of changed parents, what stands before it now may be others than those that were read.
            index = onlyChanged ? 0 : found + 1
            return true
        }
        index = 0
        guard let fallback else { return true }
        window.replaceParents(try fallback())
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
            // What there is of a combination's part was given, and the others have theirs.
            if isCombining, error.code == .childrenFailed { error.reach = .item }
            guard failures.note(error, plan.exchange) else { throw error }
            return passOver(child)
        }
        if child.parents.mark == parentPage?.mark { isNoted = true }
        let (mark, earlier) = (position(child.index, on: child.parents), watermark)
        guard var page = child.page else {
            window.removeFirst()
            return nil
        }
        hasRead = true
        try count(page)
        let inner = (mark: page.mark, following: page.following)
        page.mark = position(child.index, on: child.parents, child: (child.part, inner.mark))
        page.again = nil
        page.groups = [FetchedPage.Group(part: child.part, count: page.records.count)]
        if let following = inner.following {
            window.fetchMoreOfFirst()
            page.following =
                following.isNull
                ? mark : position(child.index, on: child.parents, child: (child.part, following))
        } else {
            window.removeFirst()
            failures.noteSuccess()
            page.following = following(child)
        }
        if let since = plan.stream.since, states != nil, let watermark = child.walk.watermark,
            watermark != child.watermark,
            SinceValue(watermark, since.type).map({ recent.note($0, of: child.part) }) ?? true
        {
            page.parts[child.part] = PartState(watermark: watermark).state
        }
        if skipsUnchanged { keepValidator(of: child, &page) }
        if isCombining {
            page.names = page.names.map { ParentPart.name(of: [child.part, $0]) }
            page.lineage = lineage(of: child.index, on: child.parents).appending(page.lineage)
        }
        page.cost += takeCost()
        page.startedOver = false
        page.leavingOut = leavingOut(page.following, earlier)
        return page
    }

    /// Whether what is unchanged is left out.
    private var skipsUnchanged: Bool { !isCombining && states != nil && plan.stream.parent?.skipsUnchanged == true }

    /// Keeps what tells whether a child has changed, together with its records; forgets it where there is nothing to ask with.
    private mutating func keepValidator(of child: PrefetchedChild, _ page: inout WalkedPage) {
        let wasMarked = marked.remove(child.part) != nil
        defer { (page.validator, page.isUnchanged) = (nil, false) }
        if page.isUnchanged { return }
        if page.validator != nil || wasMarked { page.parts[child.part] = PartState(validator: page.validator).state }
    }

    private mutating func takeCost() -> FetchedPage.Cost {
        defer { cost = FetchedPage.Cost() }
        return cost
    }

    /// What is read for a parent, as far as this walk knows.
    private func lineage(of index: Int, on page: WalkedPage) -> Lineage {
        page.lineage.appending(page.records[index])
    }

    /// Leaves a child for the next pass: a page without records moves the place on.
    private mutating func passOver(_ child: PrefetchedChild) -> WalkedPage {
        window.removeFirst()
        let (mark, earlier) = (position(child.index, on: child.parents), watermark)
        return empty(mark, following: following(child), on: child.parents, earlier)
    }

    /// A page without records.
    ///
    /// - Parameter earlier: The watermark before it.
    private mutating func empty(
        _ mark: JSONValue,
        following: JSONValue?,
        on page: WalkedPage,
        _ earlier: JSONValue?
    ) -> WalkedPage {
        var empty = WalkedPage(records: [], mark: mark, following: following, cost: takeCost(), origin: page.origin)
        empty.leavingOut = leavingOut(following, earlier)
        return empty
    }

    /// The place behind a child, `nil` behind the last one; where children failed the pass is not complete, and the next
    /// one begins at the start.
    private mutating func following(_ child: PrefetchedChild) -> JSONValue? {
        let isLast = child.index + 1 >= child.parents.records.count
        guard isLast, child.parents.following == nil else { return position(child.index + 1, on: child.parents) }
        return ending()
    }

    private mutating func ending() -> JSONValue? {
        isOver = true
        if !hasFound, gone > 1 {
            let message =
                "all \(gone) requests for the children of this pass were answered with 404 or 410: check the path of the stream"
            plan.exchange.warn(plan.stream.name, .childrenGone, message)
        }
        if failures.total > 0 { return .null }
        if onlyChanged { parentsWatermark = window.parentsWatermark ?? parentsWatermark }
        return nil
    }

    /// What the stream's own state is where records on this page, or on an earlier one of it, turn out not to fit the
    /// manifest. The pass goes on and counts their parent among those that are left out, and a parent in the middle of which it
    /// stops is read from its start again.
    private func leavingOut(_ following: JSONValue?, _ earlier: JSONValue?) -> PartState? {
        guard states != nil else { return nil }
        var pass = following.flatMap(\.object)
        pass?["failed"] = .integer(failures.total + 1)
        pass?["child"] = nil
        return PartState(watermark: earlier, pass: pass.map { .object($0) })
    }

    /// The last page of a walk whose last parents have no children: it has nothing but the end.
    private mutating func end(_ page: WalkedPage) -> WalkedPage {
        let (mark, earlier) = (position(index, on: page), watermark)
        return empty(mark, following: ending(), on: page, earlier)
    }

    /// `{"page": …, "index": …, "after": PART, "failed": 1, "since": TEXT, "of": HASH, "child": {"part": …, "pass": …}}`
    private func position(
        _ index: Int,
        on page: WalkedPage,
        child: (part: String, pass: JSONValue)? = nil
    ) -> JSONValue {
        var position = JSONObject()
        let isPast = index >= page.records.count
        if isPast, let following = page.following {
            position["page"] = following
            position["index"] = .integer(0)
        } else {
            position["page"] = index > 0 ? page.again ?? page.mark : page.mark
            position["index"] = .integer(index)
        }
        if (1...max(1, page.records.count)).contains(index), !page.records.isEmpty {
            position["after"] = .text(page.names[index - 1])
        }
        if failures.total > 0 { position["failed"] = .integer(failures.total) }
        position["since"] = since.map { .text($0) }
        position["of"] = basis.map { .text($0) }
        if let child { position["child"] = .members(("part", .text(child.part)), ("pass", child.pass)) }
        return .object(position)
    }

    /// One thing that is gone is an ordinary race; nothing but gone things is a wrong path.
    private mutating func count(_ page: WalkedPage) throws(PlugError) {
        switch page.presence {
        case .unknown: return
        case .there:
            hasFound = true
            return
        case .gone: gone += 1
        }
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
                try await start(index, on: page)
                index += 1
            }
            let goesOn = page.following.map { !$0.isNull || isRestarting } ?? false
            guard goesOn, page.records.count - index <= window.parentsAhead else { return }
            window.fetchParents()
            // The end of the parents, or an error, waits until all children are given.
            guard index == page.records.count, isNoted || !window.isEmpty, let next = window.nextParents else { return }
            _ = try window.takeParents()
            try take(next)
        }
    }

    private mutating func start(_ index: Int, on page: WalkedPage) async throws {
        let part = page.names[index]
        var saved = PartState()
        if !isCombining, plan.stream.since != nil, let states {
            saved.watermark = try PartState(try await states.state(of: part), stream: plan.stream.name).watermark
        }
        if skipsUnchanged, let states {
            saved.validator = try PartState(try await states.state(of: part), stream: plan.stream.name).validator
            if saved.validator != nil { marked.insert(part) }
        }
        if let interrupted {
            // Another parent may stand there by now; then its children are read from their start.
            if interrupted["part"]?.stringText == part { saved.pass = interrupted["pass"] }
            self.interrupted = nil
        }
        let walk: any Walk
        do throws(PlugError) {
            walk = try child(outer.appending(lineage(of: index, on: page)), saved)
        } catch {
            guard dependsOnParent, error.exit != .interrupted else { throw error }
            // Where it begins depends on the parent: then it is this one's fault.
            var error = error
            error.reach = .item
            window.fail(error, part: part, index: index, of: page)
            return
        }
        window.start(walk, part: part, watermark: saved.watermark, isCombining: isCombining, index: index, of: page)
    }

    /// Whether where a child's pass begins is made of its parent.
    private var dependsOnParent: Bool {
        guard let from = plan.stream.since?.from else { return false }
        return !from.usedGlobals.isDisjoint(with: plan.stream.recordGlobals.ofParents)
    }
}
