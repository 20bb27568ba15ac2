package import PlugCore

/// Sends a request until there is a usable response: the one retry loop in plughost.
///
/// The caller builds the requests and says what their responses mean. `RetryPlan` decides when another try follows, and after
/// what wait.
package struct RetryingSender: Sendable {
    /// What is known before a try.
    package struct Attempt: Sendable {
        /// Whether it is a retry that the other side did not ask for.
        package var isRetry = false
        /// The outcome of the previous try.
        package var last: FailedTry?
    }

    /// The outcome of one try.
    package enum Verdict<Answer> {
        /// There is a usable response.
        case done(Answer)
        /// Another try may succeed.
        case again(FailedTry)
    }

    /// The outcome of all tries.
    package enum Outcome<Answer> {
        case done(Answer)
        /// All tries are used up; carries the last one.
        case exhausted(FailedTry)
        /// The other side asks for this wait, which is too long; the try that asked.
        case tooLong(Duration, FailedTry)
    }

    /// A wait before another try.
    package struct Wait: Sendable {
        package var length: Duration
        /// Whether the other side asked for it.
        package var isAsked: Bool
        /// The failure it follows.
        package var failure: FailedTry
    }

    private let policy: RetryPolicy
    private let clock: any HostClock

    /// A sender that follows a policy.
    package init(_ policy: RetryPolicy, clock: any HostClock) {
        self.policy = policy
        self.clock = clock
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - attempt: Sends it once, and says what the response means. Anything it throws ends the tries.
    ///   - observer: Called before each wait.
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

    /// Waits after the given number of failures of something that `send` took for a response.
    package func backOff(after failures: Int, waiting observer: (Duration) -> Void) async throws {
        let wait = policy.backoff.wait(after: failures, random: clock.random())
        observer(wait)
        try await clock.sleep(for: wait)
    }
}

extension RetryingSender.Verdict: Sendable where Answer: Sendable {}

/// A try after which another one may succeed.
package struct FailedTry: Sendable {
    /// The error, should it be the last try.
    package var error: PlugError
    /// Whether there were too many requests, and nothing else is wrong.
    package var isLimit: Bool
    /// How long the other side asks us to stay away.
    package var asked: Duration?
    /// How long we ourselves want to wait for this failure, instead of the usual back-off.
    package var ruled: Duration?
    /// Whether the content of the request may be at fault.
    package var mayBeContent: Bool
    /// Whether such a response is expected and nothing has failed, as when a job is not done yet: another try does not count
    /// against a failing host's retry budget.
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

    /// The error if no other try follows for now, with the reason: that says more than the reason alone.
    package func error(because reason: String) -> PlugError {
        var error = error
        error.message += "; \(reason)"
        return error
    }
}
