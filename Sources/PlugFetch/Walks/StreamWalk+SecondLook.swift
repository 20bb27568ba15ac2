import PlugCore
import PlugManifest

// Pages that prove nothing: without records, and without the list that they would be in.
extension StreamWalk {
    /// How long a service is given that may be busy, and how often: some leave empty lists out, and would only be slowed down.
    private static let pause = (length: Duration.seconds(2), count: 5)

    /// Whether an answer may be a service's way to say that it is busy: an empty page in the middle of a stream ends it, and what a
    /// pass lacks that compares counts as gone.
    func isDoubtful(_ fetched: Fetched) -> Bool {
        let facts = fetched.page.facts
        // What has more blocks has records.
        if fetched.decoded.open != nil { return false }
        guard fetched.page.records.isEmpty, facts.count == 0, facts.overlap == 0, !facts.showsList,
            facts.following == nil
        else { return false }
        if plan.stream.missing != nil { return fetched.answer.content.isPage }
        guard case .page = fetched.answer.content else { return false }
        return plan.records.tellsLists && !pass.pager.isAtStart
    }

    /// Whether a pass is not complete without its list: one that compares, where a list, be it an empty one, can be told from what is
    /// none. A table without rows shows itself by its header.
    var needsList: Bool { plan.stream.missing != nil && plan.stream.decoding == nil && plan.records.tellsLists }

    /// Gives the service time before it is asked once more.
    mutating func waitForSecondLook() async throws {
        secondLooks += 1
        guard secondLooks <= Self.pause.count else { return }
        let exchange = plan.exchange
        exchange.note(plan.stream.name, .waiting(reason: .backoff, until: exchange.time(after: Self.pause.length)))
        try await exchange.clock.sleep(for: Self.pause.length)
    }
}
