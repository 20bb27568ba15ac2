import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Walks through the pages of a stream that is read for each record of another: the parent's pages, each page's records, and for
/// each of them the child's pages. The parent's pages are streamed, never collected.
struct ChildWalk: Walk {
    /// How many children in a row may be gone before any was found.
    static let goneLimit = 10
    let plan: StreamPlan
    let states: (any StreamStates)?
    /// Starts, or continues, the walk for one parent.
    let child: @Sendable (Lineage, PartState, Timestamp?) throws(PlugError) -> any Walk
    /// The records that the parents themselves are combined with.
    let outer: Lineage
    /// The value of `--since`; a pass with another one is not continued.
    let since: String?
    /// What the watermark was proved for; with any other it proves nothing.
    let basis: String?
    /// Whether it delivers combinations: of each parent with its children.
    let isCombining: Bool
    /// Whether the parents are read from a watermark rather than from the start.
    let onlyChanged: Bool
    /// Where the watermarks of its reads per parent are stored, if it is itself read for another stream's children.
    let rows: ChangedParents?
    /// Where the next pass through the parents starts: it moves when everything read for them is safe.
    var parentsWatermark: JSONValue?
    /// The prefetched children.
    var window: ChildWindow
    /// Makes the walk to use if the parent's records have moved since the last run: one page back.
    var fallback: (@Sendable () throws(PlugError) -> any Walk)?
    /// The part of the last parent that an earlier run completed, until it is found.
    var after: String?
    /// The page of parents whose children are being started.
    var parentPage: WalkedPage?
    /// The parent on it whose children are started next.
    var index: Int
    /// Whether something was delivered since that page came.
    var isNoted = true
    /// A child that an earlier run left in the middle of its pages.
    var interrupted: JSONValue?
    var isOver = false
    var failures: ChildFailures
    var recent = RecentWatermarks()
    var proofs: ParentProofs
    /// Whether the next pass starts from the beginning, because of how the parents' pages ended.
    var isRestarting = false
    /// The started parts whose state holds a validator.
    var marked: Set<String> = []
    /// Whether this run has read a child.
    var hasRead = false
    var gone = 0
    var hasFound = false
    var cost = FetchedPage.Cost()

    /// A walk through a stream that is read per parent, started or continued.
    ///
    /// - Parameters:
    ///   - state: The stream's own state.
    ///   - states: The watermarks of the parts; `nil` for a walk that moves none.
    init(
        _ plan: StreamPlan,
        of parents: ParentSource,
        from state: PartState,
        states: (any StreamStates)?,
        _ reading: ParentSource.Reading
    ) throws(PlugError) {
        let given = try plan.given(reading.since)
        var changed = reading.changed
        if let states, plan.readsChangedOnly {
            changed = ChangedParents(states: states, basis: parents.basis(of: plan))
        }
        let onlyChanged = changed != nil && plan.readsChangedOnly
        let (since, reader) = (reading.since, reading.reader)
        var reading = reading
        reading.child = plan
        reading.outer = Lineage()
        reading.changed = onlyChanged ? states == nil ? changed?.above : changed : nil
        // `--since` applies to the first stream of a chain that reads incrementally; with changed parents, to these, too.
        if plan.stream.since != nil, !onlyChanged { reading.since = nil }
        let kind = Kind(
            basis: states == nil ? nil : changed?.basis,
            rows: states == nil ? changed : nil,
            isCombining: false,
            onlyChanged: onlyChanged
        )
        try self.init(parents, state, states, reading, since, kind) {
            (lineage, saved, listed) throws(PlugError) -> any Walk in
            try plan.walk(lineage, for: reader, saved: saved, given: given, listed: onlyChanged ? listed : nil)
        }
    }

    /// A walk through all combinations of two sources, started or continued.
    init(
        combining outer: ParentSource,
        _ inner: ParentSource,
        from state: PartState,
        _ reading: ParentSource.Reading
    ) throws(PlugError) {
        let kind = Kind(basis: nil, rows: nil, isCombining: true, onlyChanged: false)
        try self.init(outer, state, nil, reading, reading.since, kind) {
            (lineage, saved, _) throws(PlugError) -> any Walk in
            try inner.walk(from: saved, reading.within(lineage))
        }
    }

    /// What distinguishes walks.
    private struct Kind {
        let basis: String?
        let rows: ChangedParents?
        let isCombining: Bool
        let onlyChanged: Bool
    }

    private init(
        _ parents: ParentSource,
        _ state: PartState,
        _ states: (any StreamStates)?,
        _ reading: ParentSource.Reading,
        _ since: String?,
        _ kind: Kind,
        _ child: @escaping @Sendable (Lineage, PartState, Timestamp?) throws(PlugError) -> any Walk
    ) throws(PlugError) {
        plan = reading.child
        self.states = states
        self.child = child
        isCombining = kind.isCombining
        onlyChanged = kind.onlyChanged
        rows = kind.rows
        self.since = since
        outer = reading.outer
        basis = kind.basis
        parentsWatermark = onlyChanged ? Self.watermark(state.watermark, basis) : nil
        var mark = state.pass.flatMap { $0.isNull ? nil : $0 }
        // From another bound on everything has to be read.
        if mark?["since"]?.stringText != since || mark?["of"]?.stringText != basis { mark = nil }
        let failed = max(0, Int(mark?["failed"]?.number?.int64 ?? 0))
        failures = ChildFailures(plan.stream.name, earlier: failed)
        proofs = ParentProofs(isDoubtful: failed > 0)
        index = max(0, Int(mark?["index"]?.number?.int64 ?? 0))
        after = mark?["after"]?.stringText
        interrupted = mark?["child"]
        let start = PartState(watermark: parentsWatermark, pass: mark?["page"])
        let walk: any Walk
        if mark != nil, index == 0 {
            // If it stopped after the last parent of a page, that parent is on the page before.
            walk = try parents.walk(from: start, reading.goingBack(true))
        } else {
            walk = try parents.walk(from: start, reading.goingBack(false))
            if mark != nil {
                fallback = { () throws(PlugError) -> any Walk in
                    try parents.walk(from: start, reading.goingBack(true))
                }
            }
        }
        window = ChildWindow(
            walk,
            width: plan.exchange.width,
            readsAhead: plan.exchange.readsAhead,
            in: reading.scope,
            clock: plan.exchange.clock
        )
    }

    /// Where the next pass through the parents starts, with what that was proved for: `{"of": HASH, "at": …}`. A walk for the
    /// children of others leaves the latter to theirs.
    var watermark: JSONValue? {
        parentsWatermark.map { mark in basis.map { .members(("of", .text($0)), ("at", mark)) } ?? mark }
    }

    private static func watermark(_ saved: JSONValue?, _ basis: String?) -> JSONValue? {
        guard let basis else { return saved }
        return saved?["of"]?.stringText == basis ? saved?["at"] : nil
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
                // None of its parents yields anything: without this, runs that end before one does would never make progress.
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
        // None of its parents remains to be read.
        if index >= page.records.count, !page.proofs.isEmpty {
            if window.isEmpty { proofs.settle(page.proofs) } else { window.append(page.proofs) }
        }
    }

    /// Finds the parent to continue with on the first page of a continued walk.
    ///
    /// - Returns: `false` if the parent it stopped after is not there: then the page before has to be searched.
    private mutating func settle(on page: WalkedPage) throws(PlugError) -> Bool {
        guard let after else {
            if index > 0 { index = 0 }
            return true
        }
        if index > 0, index <= page.names.count, Self.name(index - 1, on: page) == after { return true }
        if let found = page.names.indices.first(where: { Self.name($0, on: page) == after }) {
            // With changed parents, those now before it may not be the ones that were read.
            index = onlyChanged ? 0 : found + 1
            return true
        }
        index = 0
        guard let fallback else { return true }
        window.replaceParents(try fallback())
        self.fallback = nil
        return false
    }

    // MARK: - Prefetching

    /// Starts as many children as there is room for, and requests the next page of parents shortly before it is needed.
    private mutating func startAhead() async throws {
        while let page = parentPage {
            while index < page.records.count, window.hasRoom {
                try await start(index, on: page)
                index += 1
            }
            let goesOn = page.following.map { !$0.isNull || isRestarting } ?? false
            guard goesOn, page.records.count - index <= window.parentsAhead, window.hasRoomForProofs else { return }
            guard plan.exchange.readsAhead || window.isEmpty else { return }
            window.fetchParents()
            // The end of the parents, or an error, waits until all children are delivered.
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
        if let rows, plan.stream.since != nil {
            saved.watermark = try await rows.watermark(row(index, on: page), plan.stream.name)
        }
        if let interrupted {
            // Another parent may be at this index by now; then its children are read from their start.
            if interrupted["part"]?.stringText == Self.name(index, on: page) { saved.pass = interrupted["pass"] }
            self.interrupted = nil
        }
        let walk: any Walk
        do throws(PlugError) {
            walk = try child(outer.appending(lineage(of: index, on: page)), saved, page.listed)
        } catch {
            guard dependsOnParent, error.exit != .interrupted else { throw error }
            // The start depends on the parent, so only this one fails.
            var error = error
            error.reach = .item
            window.fail(error, part: part, index: index, of: page)
            if index == page.records.count - 1 { window.append(page.proofs) }
            return
        }
        window.start(walk, part: part, watermark: saved.watermark, isCombining: isCombining, index: index, of: page)
        if index == page.records.count - 1 { window.append(page.proofs) }
    }

    /// Whether the start of a child's pass depends on its parent.
    private var dependsOnParent: Bool {
        guard let from = plan.stream.since?.from else { return false }
        return !from.usedGlobals.isDisjoint(with: plan.stream.recordGlobals.ofParents)
    }
}
