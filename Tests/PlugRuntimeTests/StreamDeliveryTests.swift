import PlugCore
import Testing

@testable import PlugRuntime

/// What becomes of the records of a stream, without any I/O. The rules stand in `DeliveryRules+….swift`.
struct StreamDeliveryTests {
    @Test(arguments: DeliveryRule.pages) func ofAPage(_ rule: DeliveryRule) { check(rule) }
    @Test(arguments: DeliveryRule.receipts) func ofAnAnswer(_ rule: DeliveryRule) { check(rule) }
    @Test(arguments: DeliveryRule.refusals) func ofRefusedRecords(_ rule: DeliveryRule) { check(rule) }
    @Test(arguments: DeliveryRule.queueing) func ofTheOutbox(_ rule: DeliveryRule) { check(rule) }
    @Test(arguments: DeliveryRule.gathering) func ofSeveralPages(_ rule: DeliveryRule) { check(rule) }
    @Test(arguments: DeliveryRule.ends) func ofTheEnd(_ rule: DeliveryRule) { check(rule) }

    private func check(_ rule: DeliveryRule) {
        var delivery = rule.before
        let actions = delivery.handle(rule.event)
        #expect(actions == rule.actions)
        #expect(delivery == rule.after)
        // A question is asked last, and nothing is done once it is said how to go on.
        #expect(actions.dropLast().allSatisfy { !$0.isLast })
        #expect(actions.last?.isLast ?? rule.event.isOfACommit)
    }
}

extension StreamDelivery.Action {
    fileprivate var isLast: Bool {
        switch self {
        case .post, .askForRoom, .drain, .readOn, .end, .halt: true
        case .commit, .noteOutage, .noteUnanswered: false
        }
    }
}

extension StreamDelivery.Event {
    fileprivate var isOfACommit: Bool {
        switch self {
        case .committed, .notCommitted: true
        default: false
        }
    }
}
