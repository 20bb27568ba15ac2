import LosslessJSON
import PlugCore
import PlugManifest

// Whether the parent a stream is read for still exists.
extension StreamWalk {
    /// Whether 404 or 410 means that the stream's parent is gone. In a window it may mean that there is nothing in it: if an
    /// earlier window was found, the next one may be too; otherwise the last one is checked.
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

    /// The end of a pass over something that is gone.
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
