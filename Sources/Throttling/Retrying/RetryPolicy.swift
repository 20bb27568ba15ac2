/// When a request is sent again: everything that differs between sources and PDAs.
package struct RetryPolicy: Sendable, Equatable {
    /// What to do when the other side asks for a wait.
    package enum Patience: Sendable, Equatable {
        /// Any wait up to this one is granted; each counts as one of the tries.
        case each(Duration)
        /// Waits are granted up to this total. Up to `times` waits for a limit do not count as tries; none is shorter than
        /// `least`, so that a `0` does not invite a storm.
        case total(Duration, times: Int, least: Duration)
    }

    /// How often the request is sent in all.
    package var tries: Int
    /// The waits that the other side does not ask for.
    package var backoff: Backoff
    package var patience: Patience

    /// A policy.
    package init(tries: Int, backoff: Backoff, patience: Patience) {
        self.tries = tries
        self.backoff = backoff
        self.patience = patience
    }
}

/// How long to wait before trying again: full jitter below a doubling ceiling, so that many clients do not return together.
package struct Backoff: Sendable, Equatable {
    /// The ceiling of the first wait.
    package var base: Duration
    /// The ceiling of any wait.
    package var maximum: Duration

    /// A back-off of 1 s that doubles up to `maximum`.
    package init(base: Duration = .seconds(1), maximum: Duration = .seconds(900)) {
        self.base = base
        self.maximum = maximum
    }

    /// The wait after `failures` consecutive failures (from 1).
    ///
    /// - Parameter random: A number in `0..<1`.
    package func wait(after failures: Int, random: Double) -> Duration {
        let doublings = min(max(0, failures - 1), 30)
        let ceiling = min(maximum, base * Double(1 << doublings))
        return ceiling * random
    }
}
