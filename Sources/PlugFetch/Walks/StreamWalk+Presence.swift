import LosslessJSON
import PlugCore
import PlugManifest

// Whether what a stream is read for is still there.
extension StreamWalk {
    /// Whether 404 or 410 means that what the stream is read for is gone. In a window it may say that there is nothing in it:
    /// what was there before may be there again in the next one, and else the last one is looked at.
    mutating func isGone(_ fetched: Fetched, _ cost: inout FetchedPage.Cost) async throws -> Bool {
        guard pass.window != nil else { return true }
        if hasAnswered || pass.watermark != nil { return false }
        guard let last = pass.lastWindow else { return true }
        if hasProbed { return false }
        hasProbed = true
        let probe = try await fetch(pass.pager.restarted, Handling(isDetail: true), in: last)
        cost += probe.answer.cost
        if case .gone = probe.answer.content { return true }
        hasAnswered = true
        return false
    }

    /// The end of a pass through something that is gone.
    mutating func gone(_ fetched: Fetched, _ status: Int) -> WalkedPage {
        isOver = true
        var page = WalkedPage(
            records: [],
            lineage: lineage,
            mark: fetched.mark,
            following: nil,
            cost: fetched.answer.cost,
            origin: fetched.origin
        )
        page.presence = .gone
        warnOfGone(fetched, status, pass.window == nil ? "" : " in its first window and in its last")
        return page
    }

    func warnOfGone(_ fetched: Fetched, _ status: Int, _ places: String) {
        let message = "\(fetched.name) was answered with \(status)\(places) and is left out"
        plan.exchange.warn(plan.stream.name, .childGone, message)
    }
}
