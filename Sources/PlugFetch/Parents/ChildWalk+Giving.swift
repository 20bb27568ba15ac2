import LosslessJSON
import PlugCore
import PlugManifest

// What a walk for the children of parents delivers: their pages, where each of them leads and what it proves.
extension ChildWalk {
    /// The next page of the first child; `nil` if it turns out to have none left.
    mutating func give(_ child: PrefetchedChild) throws -> WalkedPage? {
        if let failure = child.failure {
            guard var error = failure as? PlugError else { throw failure }
            if hasRead, error.code == .rateLimited, plan.exchange.isClosed {
                // A quota is used up. If it is the first answer of a run, after the wait, it concerns this child alone.
                error.reach = .run
            }
            // The rest of this part of the combination was delivered; the other parts are unaffected.
            if isCombining, error.code == .childrenFailed { error.reach = .item }
            guard failures.note(error, plan.exchange) else { throw error }
            return passOver(child)
        }
        if child.parents.mark == parentPage?.mark { isNoted = true }
        let (mark, earlier) = (position(child.index, on: child.parents), watermark)
        guard var page = child.page else {
            finish(child, nil)
            return nil
        }
        hasRead = true
        try count(page)
        let inner = (mark: page.mark, following: page.following)
        page.mark = position(child.index, on: child.parents, child: (child.part, inner.mark))
        page.listed = page.listed ?? child.parents.listed
        page.again = page.again.map { position(child.index, on: child.parents, child: (child.part, $0)) }
        page.groups = [FetchedPage.Group(part: child.part, count: page.records.count)]
        if let following = inner.following {
            window.fetchMoreOfFirst()
            page.following =
                following.isNull
                ? mark : position(child.index, on: child.parents, child: (child.part, following))
        } else {
            finish(child, child.walk.watermark)
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
            let paths = [child.parents.path, page.path]
            page.path = paths == ["", ""] ? "" : ParentPart.name(of: paths)
        } else if states == nil {
            page.path = isGrouped ? child.parents.path : Self.name(child.index, on: child.parents)
        }
        handOn(&page)
        page.cost += takeCost()
        page.startedOver = false
        page.leavingOut = leavingOut(page.following, earlier)
        return page
    }

    /// Whether unchanged children are left out.
    var skipsUnchanged: Bool { !isCombining && states != nil && plan.stream.parent?.skipsUnchanged == true }

    /// Stores a child's validator together with its records, or forgets it if there is nothing to ask with.
    private mutating func keepValidator(of child: PrefetchedChild, _ page: inout WalkedPage) {
        let wasMarked = marked.remove(child.part) != nil
        defer { (page.validator, page.isUnchanged) = (nil, false) }
        if page.isUnchanged { return }
        if page.validator != nil || wasMarked { page.parts[child.part] = PartState(validator: page.validator).state }
    }

    /// Removes a child that is completely read, or left for the next pass.
    ///
    /// - Parameter watermark: Where the next pass starts for it; `nil` if that stays.
    mutating func finish(_ child: PrefetchedChild, _ watermark: JSONValue?) {
        window.removeFirst()
        if let rows {
            let row = row(child.index, on: child.parents)
            var proof = ParentProof(level: rows.level, row: row)
            if let since = plan.stream.since, let watermark, watermark != child.watermark,
                SinceValue(watermark, since.type).map({ recent.note($0, of: row) }) ?? true
            {
                proof.state = rows.state(watermark)
            }
            proofs.settle([proof])
        }
        proofs.settle(child.proofs)
    }

    /// Hands on what is proved so far: to the walk whose parents come from these pages, or to the state.
    mutating func handOn(_ page: inout WalkedPage) {
        page.proofs = proofs.take()
        guard states != nil else { return }
        for proof in page.proofs {
            guard let state = proof.state?.state else { continue }
            page.parts[proof.row] = state
            page.provedParts.insert(proof.row)
        }
        page.proofs = []
    }

    func row(_ index: Int, on page: WalkedPage) -> String {
        ChangedParents.row(plan.stream.name, Self.name(index, on: page))
    }

    /// Whether it is read for several parents at a time, which may be grouped differently in the next pass.
    var isGrouped: Bool { plan.stream.parent?.levels.last?.group != nil }

    mutating func takeCost() -> FetchedPage.Cost {
        defer { cost = FetchedPage.Cost() }
        return cost
    }

    /// The lineage of a parent's children, as far as this walk knows.
    func lineage(of index: Int, on page: WalkedPage) -> Lineage {
        page.lineage.appending(page.records[index])
    }

    /// Leaves a child for the next pass: a page without records advances the place.
    mutating func passOver(_ child: PrefetchedChild) -> WalkedPage {
        proofs.noteFailure()
        finish(child, nil)
        let (mark, earlier) = (position(child.index, on: child.parents), watermark)
        return empty(mark, following: following(child), on: child.parents, earlier)
    }

    /// Makes a page without records.
    ///
    /// - Parameter earlier: The watermark before it.
    mutating func empty(
        _ mark: JSONValue,
        following: JSONValue?,
        on page: WalkedPage,
        _ earlier: JSONValue?
    ) -> WalkedPage {
        var empty = WalkedPage(records: [], mark: mark, following: following, cost: takeCost(), origin: page.origin)
        empty.leavingOut = leavingOut(following, earlier)
        handOn(&empty)
        return empty
    }

    /// The place after a child, `nil` after the last one; if children failed the pass is not complete, and the next one starts
    /// from the beginning.
    mutating func following(_ child: PrefetchedChild) -> JSONValue? {
        let isLast = child.index + 1 >= child.parents.records.count
        guard isLast, child.parents.following == nil else { return position(child.index + 1, on: child.parents) }
        return ending()
    }

    mutating func ending() -> JSONValue? {
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

    /// The stream's own state if records on this page, or on an earlier page of the same child, turn out not to fit the manifest.
    /// The pass continues and counts their parent as left out, and a parent it stops in the middle of is read from its start
    /// again.
    func leavingOut(_ following: JSONValue?, _ earlier: JSONValue?) -> PartState? {
        guard states != nil else { return nil }
        var pass = following.flatMap(\.object)
        pass?["failed"] = .integer(failures.total + 1)
        pass?["child"] = nil
        return PartState(watermark: earlier, pass: pass.map { .object($0) })
    }

    /// The last page of a walk whose last parents have no children: it only marks the end.
    mutating func end(_ page: WalkedPage) -> WalkedPage {
        let (mark, earlier) = (position(index, on: page), watermark)
        return empty(mark, following: ending(), on: page, earlier)
    }

    /// `{"page": …, "index": …, "after": PART, "failed": 1, "since": TEXT, "of": HASH, "child": {"part": …, "pass": …}}`
    func position(
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
            // A parent it stops in the middle of is also partly processed.
            position["page"] = index > 0 || child != nil ? page.again ?? page.mark : page.mark
            position["index"] = .integer(index)
        }
        if (1...max(1, page.records.count)).contains(index), !page.records.isEmpty {
            position["after"] = .text(Self.name(index - 1, on: page))
        }
        if failures.total > 0 { position["failed"] = .integer(failures.total) }
        position["since"] = since.map { .text($0) }
        position["of"] = basis.map { .text($0) }
        if let child {
            position["child"] = .members(("part", .text(Self.name(index, on: page))), ("pass", child.pass))
        }
        return .object(position)
    }

    /// The name of a parent if others above it may have one of the same name.
    static func name(_ index: Int, on page: WalkedPage) -> String {
        page.path.isEmpty ? page.names[index] : ParentPart.name(of: [page.path, page.names[index]])
    }

    /// One item that is gone is an ordinary race; nothing but gone items means a wrong path.
    mutating func count(_ page: WalkedPage) throws(PlugError) {
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
}
