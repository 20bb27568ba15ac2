import CurlTransport
import PlugCore
import PlugManifest

/// Decides whether a request is tried again, and when: a state machine without a clock.
struct RetryPlan: Sendable {
    /// What comes next.
    enum Step: Sendable, Equatable {
        /// Wait so long, then try again.
        case wait(Duration, FetchEvent.WaitReason)
        /// The source asks for a longer wait than `retry.max_wait`.
        case tooLong(Duration)
        /// All tries are used up.
        case exhausted
    }

    private let settings: Retry
    private var failures = 0

    init(_ settings: Retry) { self.settings = settings }

    /// Takes in a failed try.
    ///
    /// - Parameters:
    ///   - asked: How long the source asks us to stay away, whatever the failure.
    ///   - random: A number in `0..<1`.
    mutating func failed(asked: Duration?, random: Double) -> Step {
        failures += 1
        // What the source asks for is honoured on the last try too: the run ends and says until when.
        if let asked, asked > settings.maximumWait { return .tooLong(asked) }
        guard failures < settings.tries else { return .exhausted }
        if let asked { return .wait(asked, .retryAfter) }
        let backoff = Backoff(base: .seconds(1), maximum: settings.maximumWait)
        return .wait(backoff.wait(after: failures, random: random), .backoff)
    }

    /// How long an answer asks us to stay away; no longer than a day, whatever it says.
    ///
    /// - Parameter now: Microseconds since 1970.
    static func asked(by headers: HTTPHeaders, isLimit: Bool, now: Int64) -> Duration? {
        if let value = headers.first("retry-after"), let wait = RetryAfter.wait(value, now: now) {
            return min(wait, RateBook.longestClosing)
        }
        return isLimit ? SourceQuota.wait(headers, now: now) : nil
    }
}
