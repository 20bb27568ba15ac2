/// Decides whether and when a request is tried again: a state machine without a clock.
struct RetryPlan: Sendable {
    /// What comes next.
    enum Step: Sendable, Equatable {
        /// Wait this long, then try again.
        case wait(Duration, isAsked: Bool)
        /// The other side asks for a longer wait than the policy allows.
        case tooLong(Duration)
        /// All tries are used up.
        case exhausted
    }

    private let policy: RetryPolicy
    private var failures = 0
    /// Requested waits, which are not failures.
    private var waits = 0
    private var waited = Duration.zero

    init(_ policy: RetryPolicy) { self.policy = policy }

    /// Records a failed try.
    ///
    /// - Parameters:
    ///   - isLimit: Whether it means that there were too many requests.
    ///   - asked: How long we are asked to stay away, whatever the failure.
    ///   - ruled: How long we ourselves want to wait, instead of the back-off. A longer requested wait takes precedence.
    ///   - random: A number in `0..<1`.
    mutating func failed(
        isLimit: Bool,
        asked: Duration?,
        ruled: Duration? = nil,
        random: @autoclosure () -> Double
    ) -> Step {
        switch policy.patience {
        case .each(let longest):
            failures += 1
            // A source's requested wait is honoured on the last try too: the run ends and says until when.
            if let asked, asked > longest { return .tooLong(asked) }
            if let ruled, ruled > longest { return .tooLong(ruled) }
            guard failures < policy.tries else { return .exhausted }
            if let asked, asked >= ruled ?? .zero { return .wait(asked, isAsked: true) }
            if let ruled { return .wait(ruled, isAsked: false) }
        case .total(let longest, let times, let least):
            if isLimit, asked != nil { waits += 1 } else { failures += 1 }
            guard failures < max(1, policy.tries), waits <= times else { return .exhausted }
            if let asked {
                let wait = max(asked, least)
                waited += wait
                return waited > longest ? .tooLong(wait) : .wait(wait, isAsked: true)
            }
        }
        return .wait(policy.backoff.wait(after: failures, random: random()), isAsked: false)
    }
}
