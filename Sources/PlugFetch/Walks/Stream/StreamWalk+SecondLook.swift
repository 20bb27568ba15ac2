import PlugCore
import PlugManifest

// Pages that prove nothing: without records, and without the list that would hold them.
extension StreamWalk {
    /// How long to wait for a service that may be busy, and how often: some omit empty lists, and would only be slowed down.
    private static let pause = (length: Duration.seconds(2), count: 5)

    /// Whether an answer may be a service's way to say that it is busy: an empty page in the middle of a stream ends it, and
    /// whatever a comparing pass lacks counts as gone.
    func isDoubtful(_ fetched: Fetched) -> Bool {
        let facts = fetched.page.facts
        // An answer with more blocks has records.
        if fetched.decoded.open != nil { return false }
        guard fetched.page.records.isEmpty, facts.count == 0, facts.overlap == 0, !facts.showsList,
            facts.following == nil
        else { return false }
        if plan.stream.missing != nil { return fetched.answer.content.isPage }
        guard case .page = fetched.answer.content else { return false }
        return plan.records.tellsLists && !pass.pager.isAtStart
    }

    /// Whether a pass is incomplete without its list: one that compares, if a list, even an empty one, can be told from none. A
    /// table without rows is recognised by its header.
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
