package import PlugCore

/// Sends a request until there is an answer to work with: the one loop in which plughost tries again.
///
/// Whoever sends builds the requests and says what their answers mean. When another try follows, and after what wait, is in
/// `RetryPlan`.
package struct RetryingSender: Sendable {
    /// What is known before a try.
    package struct Attempt: Sendable {
        /// Whether it is a second try that nobody asked for.
        package var isRetry = false
        /// What the try before came to.
        package var last: FailedTry?
    }

    /// What a try came to.
    package enum Verdict<Answer> {
        /// There is an answer to work with.
        case done(Answer)
        /// Another try may fare better.
        case again(FailedTry)
    }

    /// What all tries came to.
    package enum Outcome<Answer> {
        case done(Answer)
        /// All tries are used up; carries the last one.
        case exhausted(FailedTry)
        /// We are asked to stay away for so long, which is too long to wait; what asked.
        case tooLong(Duration, FailedTry)
    }

    /// A wait before another try.
    package struct Wait: Sendable {
        package var length: Duration
        /// Whether the other side asked for it.
        package var isAsked: Bool
        /// What it follows.
        package var failure: FailedTry
    }

    private let policy: RetryPolicy
    private let clock: any HostClock

    /// A sender that goes by a policy.
    package init(_ policy: RetryPolicy, clock: any HostClock) {
        self.policy = policy
        self.clock = clock
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - attempt: Sends it once, and says what the answer means. What it throws ends the tries.
    ///   - observer: Told of each wait before it begins.
    /// - Throws: What `attempt` throws, or `CancellationError`.
    package func send<Answer>(
        _ attempt: (Attempt) async throws -> Verdict<Answer>,
        waiting observer: (Wait) async -> Void
    ) async throws -> Outcome<Answer> {
        var plan = RetryPlan(policy)
        var next = Attempt()
        while true {
            try Task.checkCancellation()
            let failure: FailedTry
            switch try await attempt(next) {
            case .done(let answer): return .done(answer)
            case .again(let failed): failure = failed
            }
            let step = plan.failed(
                isLimit: failure.isLimit,
                asked: failure.asked,
                ruled: failure.ruled,
                random: clock.random()
            )
            switch step {
            case .exhausted: return .exhausted(failure)
            case .tooLong(let wait): return .tooLong(wait, failure)
            case .wait(let wait, let isAsked):
                await observer(Wait(length: wait, isAsked: isAsked, failure: failure))
                try await clock.sleep(for: wait)
                next = Attempt(isRetry: !isAsked && !failure.isExpected, last: failure)
            }
        }
    }

    /// Waits after so many failures of something that `send` took for an answer.
    package func backOff(after failures: Int, waiting observer: (Duration) -> Void) async throws {
        let wait = policy.backoff.wait(after: failures, random: clock.random())
        observer(wait)
        try await clock.sleep(for: wait)
    }
}

extension RetryingSender.Verdict: Sendable where Answer: Sendable {}

/// A try after which another one may fare better.
package struct FailedTry: Sendable {
    /// What it came to, should it be the last.
    package var error: PlugError
    /// Whether there were too many requests, and nothing is wrong otherwise.
    package var isLimit: Bool
    /// How long the other side asks us to stay away.
    package var asked: Duration?
    /// How long we ourselves want to wait for this failure, in place of the usual back-off.
    package var ruled: Duration?
    /// Whether what the request holds may be at fault.
    package var mayBeContent: Bool
    /// Whether such an answer is expected and nothing has failed, as where a job is not done yet: another try takes nothing from
    /// what may be tried again at a host that fails.
    package var isExpected: Bool

    /// A failed try.
    package init(
        _ error: PlugError,
        isLimit: Bool = false,
        asked: Duration? = nil,
        ruled: Duration? = nil,
        mayBeContent: Bool = false,
        isExpected: Bool = false
    ) {
        self.error = error
        self.isLimit = isLimit
        self.asked = asked
        self.ruled = ruled
        self.mayBeContent = mayBeContent
        self.isExpected = isExpected
    }

    /// What it came to, where no other one follows for now and why: that says more than the reason alone.
    package func error(because reason: String) -> PlugError {
        var error = error
        error.message += "; \(reason)"
        return error
    }
}
