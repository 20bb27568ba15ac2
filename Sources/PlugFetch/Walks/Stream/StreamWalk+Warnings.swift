import JQ
import LosslessJSON
import PlugCore
import PlugManifest

// What is worth reporting about a page.
extension StreamWalk {
    func warn(_ facts: PageFacts, _ breaksOrder: Bool, _ outcome: Pass.Outcome, _ name: String) {
        let (exchange, stream) = (plan.exchange, plan.stream)
        if outcome == .complete || outcome == .nextWindow {
            findings.tellDoubts(stream, name, facts, exchange.warnOnce)
        }
        if let unread = facts.unread {
            let message =
                "\(stream.places["page"]): the stream has no 'page', but the answer to \(name) says with \(unread.name) that "
                + "there is more, which is not read: write '\(unread.advice)'"
            exchange.warnOnce(stream.name, .pageKeyMissing, message)
        } else if outcome == .complete || outcome == .nextWindow, let message = fullPage(facts, name) {
            exchange.warnOnce(stream.name, .pageKeyMissing, message)
        }
        if outcome == .complete, isUnsettled {
            let message =
                "\(name): the source changed \(unrest.changes) times during \(unrest.requests) requests; with numbered pages, so "
                + "many changes may hide a record, and records may be missing"
            exchange.warn(stream.name, .pagesUnsettled, message)
        }
        if breaksOrder {
            let what =
                stream.since?.order == .descending
                ? "the records do not come newest first; 'stop: known' does not end this pass"
                : "a record is older than the one before it; the watermark does not move until this pass is complete"
            exchange.warn(stream.name, .orderBroken, "\(stream.places["since.order"]): \(name): \(what)")
        }
        if let window = pass.window, window.isFine || window.showsFine {
            let message =
                "\(stream.places["since.granule"]): \(name): times lie between two steps of 'since.granule'; windows share their "
                + "borders, and those that this pass has read are read again"
            exchange.warnOnce(stream.name, .granuleCoarse, message)
        }
        // An opaque token that covers everything listed comes with the last page only.
        let isAwaited = stream.since?.type == .opaque && (outcome != .complete || findings.hasField)
        if findings.without > 0, !isAwaited {
            let message =
                "\(stream.places["since.field"]): \(name): \(findings.without) of \(facts.count) records have no "
                + "readable 'since.field'"
            exchange.warnOnce(stream.name, .sinceMissing, message)
        }
        if let message = findings.unitDoubt(stream, name) { exchange.warnOnce(stream.name, .sinceUnit, message) }
        if let key = pass.pager.wrongCount {
            let message =
                "\(named(key)) says that there is no other page, but \(name) gives more records: the number is ignored in "
                + "this pass"
            exchange.warnOnce(stream.name, .pageCountWrong, message)
        }
        if let size = pass.pager.sourceSize {
            let message =
                "\(stream.places["page.stop"]): \(name): the source gives \(size) records per page, but "
                + "\(pass.pager.paging?.size ?? 0) were requested; request as many as it gives, or write 'stop: empty'"
            exchange.warnOnce(stream.name, .pageCut, message)
        }
    }

    /// The warning for the only page of a stream if it may be full: it has as many records as the request asks for, or, in a trial,
    /// a number that many services take for a page. `nil` if there is nothing to tell.
    private func fullPage(_ facts: PageFacts, _ name: String) -> String? {
        let stream = plan.stream
        // Those that come oldest first, from a bound, are continued by the next run.
        let goesOn = stream.since?.order == .ascending && stream.sendsSince
        guard stream.paging == nil, facts.countsAll, facts.more == nil, !goesOn, plan.readsOnePage || plan.isTrial
        else { return nil }
        let asked = stream.request?.constant(equal: facts.count).map { "as many as '\($0)' asks for" }
        let usual = plan.isTrial && RoundSize.isUsual(facts.count) ? "which is a usual size of a page" : nil
        guard let reason = asked ?? (plan.readsOnePage ? usual : nil) else { return nil }
        let (what, help) =
            plan.readsOnePage
            ? ("the stream has no 'page'", "write 'page', or 'page: none' if one page is enough")
            : ("the stream has 'page: none'", "write another 'page' unless one page is enough")
        return
            "\(stream.places["page"]): \(what), and the answer to \(name) has \(facts.count) records, \(reason): there may be more, "
            + "which is not read: \(help)"
    }

    /// Warns that a service returns more than the requested window.
    func warnOfWindow(_ summary: SinceSummary, _ name: String) {
        let message =
            "\(plan.stream.places["since.window"]): \(name) gives \(summary.beyond) of \(summary.count) records from beyond the "
            + "end of its window: the service ignores a bound of 'since.until', or is sent none, and these records are read again "
            + "in each window"
        plan.exchange.warnOnce(plan.stream.name, .windowIgnored, message)
    }

    /// A count of all records or pages, in messages: its value, its key and its program.
    func named(_ key: DeclaredCounts.Key) -> String {
        let program = key == .total ? plan.stream.paging?.total : plan.stream.paging?.pages
        return "\(plan.stream.places[key.rawValue]): '\(key.rawValue)' (\(program?.source ?? ""))"
    }
}
