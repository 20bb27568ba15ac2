/// When a request is sent again: all that sources and PDAs are treated differently in.
package struct RetryPolicy: Sendable, Equatable {
    /// What is done where the other side asks for a wait.
    package enum Patience: Sendable, Equatable {
        /// Any wait up to this one is granted, each as one of the tries.
        case each(Duration)
        /// All waits together are granted up to this one. A wait that a limit asks for is no try, so often; and none is
        /// shorter than `least`, so that a `0` is no invitation to a storm.
        case total(Duration, times: Int, least: Duration)
    }

    /// How often the request is sent in all.
    package var tries: Int
    /// The waits that nobody asks for.
    package var backoff: Backoff
    package var patience: Patience

    /// A policy.
    package init(tries: Int, backoff: Backoff, patience: Patience) {
        self.tries = tries
        self.backoff = backoff
        self.patience = patience
    }
}
