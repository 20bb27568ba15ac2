package import JQ
package import PlugCore

/// What all requests of a plug share.
package struct HTTPSettings: Sendable {
    /// The URL that relative paths are resolved against.
    package var base: Template?
    /// Headers of every request, in file order.
    package var headers: [(name: String, value: Template)]
    /// What one answer may take.
    package var answers = AnswerLimits()
    /// Rate limits, which all apply at once.
    package var limits: [RateLimit]
    /// Limits that apply to some of the requests, in addition to the others.
    package var matchedLimits: [MatchedLimit] = []
    /// The service's own names for the headers that report the rest of a quota; `nil` for the usual ones alone.
    package var quotaHeaders: QuotaHeaders?
    /// How many requests may be in flight at once, in each process; `nil` leaves it to the host.
    package var concurrency: Int?
    /// Whether cookies that the service sets are sent back, within a run.
    package var keepsCookies = false
    /// How failed requests are retried.
    package var retry: Retry
    /// What to do with an answer; the first matching rule wins, before the built-in table.
    package var rules: [StatusRule]
    /// Extracts the service's own words from the body of an error answer; `nil` looks at the usual members.
    package var errorMessage: JQProgram?
}

/// How failed requests are retried.
package struct Retry: Sendable, Equatable {
    /// How often a request is sent in total, at least 1.
    package var tries: Int
    /// The longest wait before a retry; a longer `Retry-After` ends the run.
    package var maximumWait: Duration
}

/// Limits for requests to some paths.
package struct MatchedLimit: Sendable {
    /// The requests that they apply to.
    package var match: RequestMatch
    /// Rate limits, which all apply at once.
    package var rates: [RateLimit]
    /// How many of them may be in flight at once, in each process.
    package var concurrency: Int?
}

/// The headers in which a service reports how many requests are left, and when the quota resets.
///
/// A header may cover several quotas at once, separated by commas: `12,0`.
package struct QuotaHeaders: Sendable, Equatable {
    /// How to tell that no request is left. Names in lower case.
    package enum Counter: Sendable, Equatable {
        /// The header that is then `0`.
        case remaining(String)
        /// The header that counts the requests made, and the one with their limit; `nil` if the first header has both: `32/40`.
        case used(String, limit: String?)
    }

    /// How to tell that no request is left.
    package var counter: Counter
    /// The header that says when the quota resets: seconds from now, seconds or milliseconds since 1970, or a time; in lower
    /// case. `nil` if there is none.
    package var reset: String?
    /// How long to wait if no header says when the quota resets.
    package var wait: Duration
    /// The length of each quota that resets by the clock, in UTC: a quarter of an hour, or a day. Used instead of `wait`.
    package var periods: [Duration]

    /// The default if the manifest does not say.
    package static let defaultWait = Duration.seconds(60)
}
