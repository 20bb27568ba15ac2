import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest

// The results of a page that was read.
extension StreamWalk {
    /// - Parameter known: What the page's records say about `since`, if they are no longer all available.
    @inline(never)
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
        page.listed = fetched.answer.headers.first("date").flatMap { Timestamp($0) }
        page.broken = fetched.decoded.broken
        page.weight = fetched.decoded.weight ?? fetched.answer.weight
        if let linkFault {
            if records.isEmpty { throw linkFault }
            // The page's records are delivered; the state stays at this page.
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
        findings.note(facts, summary, isFirst: isFirst, size: pass.pager.paging?.size)
        warn(facts, breaksOrder, outcome, fetched.name)
        if let summary, summary.beyond > 0, outcome != .stuck(.ignored) { warnOfWindow(summary, fetched.name) }
        if outcome == .complete || outcome == .nextWindow,
            let fault = findings.fault(plan.stream, fetched.name, hasWatermark: watermark != nil)
        {
            // All that was read is delivered; the pass does not count as complete.
            self.fault = fault
            pass.moveBack(to: watermark)
            page.following = .null
            return page
        }
        switch outcome {
        case .goesOn: page.following = pass.json
        case .nextWindow:
            page.following = pass.json
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
            // A limit makes the next run continue after this page, whatever is on it.
            if records.isEmpty, ![.limit, .windows].contains(fault) { throw error }
            self.fault = error
            page.following = place(after: fault, fetched.mark)
        }
        return page
    }

    /// Drops records from a page; paging has counted them.
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

    /// Where the next run starts once the records of the last page are delivered: at that page again, after it if it was merely
    /// one too many, at the start if the places repeat.
    private func place(after fault: PagingFault, _ mark: JSONValue) -> JSONValue {
        switch fault {
        case .loop: .null
        case .empty, .ignored: mark
        case .limit, .windows: pass.json
        }
    }
}
