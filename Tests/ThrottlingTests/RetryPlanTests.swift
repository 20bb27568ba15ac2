import Testing

@testable import Throttling

struct RetryPlanTests {
    /// A failed try: whether it was a limit, and for how many seconds it asks.
    struct Failure: Sendable, CustomTestStringConvertible {
        var isLimit = false
        var asked: Int64?
        var testDescription: String { "\(isLimit ? "limit" : "failure")\(asked.map { " \($0)" } ?? "")" }

        static let plain = Failure()
        static let limit = Failure(isLimit: true)
        static func asks(_ seconds: Int64) -> Failure { Failure(asked: seconds) }
        static func limit(_ seconds: Int64) -> Failure { Failure(isLimit: true, asked: seconds) }
    }

    private func steps(_ failures: [Failure], _ patience: RetryPolicy.Patience) -> [RetryPlan.Step] {
        var plan = RetryPlan(RetryPolicy(tries: 3, backoff: Backoff(maximum: .seconds(60)), patience: patience))
        return failures.map { failure in
            plan.failed(isLimit: failure.isLimit, asked: failure.asked.map { .seconds($0) }, random: 0.5)
        }
    }

    private static let eachCases: [([Failure], [RetryPlan.Step])] = [
        ([.plain, .plain, .plain], [.backedOff(500), .backedOff(1000), .exhausted]),
        ([.limit, .limit, .limit], [.backedOff(500), .backedOff(1000), .exhausted]),
        // Each wait that is asked for is one of the tries, and the next back-off is the longer for it.
        ([.limit(0), .plain, .limit(9)], [.asked(0), .backedOff(1000), .exhausted]),
        ([.asks(60), .limit(60), .asks(60)], [.asked(60), .asked(60), .exhausted]),
        ([.limit(61)], [.tooLong(.seconds(61))]),
        // On the last try too.
        ([.plain, .plain, .asks(61)], [.backedOff(500), .backedOff(1000), .tooLong(.seconds(61))]),
    ]

    @Test("grants each wait up to a length", arguments: eachCases)
    func each(failures: [Failure], expected: [RetryPlan.Step]) {
        #expect(steps(failures, .each(.seconds(60))) == expected)
    }

    private static let totalCases: [([Failure], [RetryPlan.Step])] = [
        ([.plain, .plain, .plain], [.backedOff(500), .backedOff(1000), .exhausted]),
        ([.limit, .limit, .limit], [.backedOff(500), .backedOff(1000), .exhausted]),
        // What a limit asks for is no try, and never shorter than a second.
        (
            [.limit(0), .plain, .limit(5), .plain, .plain],
            [.asked(1), .backedOff(500), .asked(5), .backedOff(1000), .exhausted]
        ),
        // Where something else fails it is one.
        ([.asks(0), .asks(2), .asks(3)], [.asked(1), .asked(2), .exhausted]),
        ([.limit(30), .limit(30), .limit(1)], [.asked(30), .asked(30), .tooLong(.seconds(1))]),
        (Array(repeating: .limit(1), count: 5), Array(repeating: .asked(1), count: 4) + [.exhausted]),
        // No other try is left in any case.
        ([.plain, .plain, .asks(61)], [.backedOff(500), .backedOff(1000), .exhausted]),
        ([.plain, .limit(61)], [.backedOff(500), .tooLong(.seconds(61))]),
    ]

    @Test("grants all waits together up to a length", arguments: totalCases)
    func total(failures: [Failure], expected: [RetryPlan.Step]) {
        #expect(steps(failures, .total(.seconds(60), times: 4, least: .seconds(1))) == expected)
    }
}

extension RetryPlan.Step {
    fileprivate static func backedOff(_ milliseconds: Int64) -> Self {
        .wait(.milliseconds(milliseconds), isAsked: false)
    }
    fileprivate static func asked(_ seconds: Int64) -> Self { .wait(.seconds(seconds), isAsked: true) }
}
