package import JQ
package import PlugCore

/// What all requests of a plug share.
package struct HTTPSettings: Sendable {
    /// The URL that relative paths are resolved against.
    package var base: Template?
    /// Headers of every request, in file order.
    package var headers: [(name: String, value: Template)]
    /// How long a request may take without an answer.
    package var timeout: Duration
    /// How many bytes an answer may have, decompressed. The number of its values and records is bounded in proportion.
    package var maximumBody: Int
    /// How many bytes an answer may have that lies in memory as a whole.
    package var maximumPage: Int { min(maximumBody, Self.largestPage) }
    /// More is for answers that are decoded piece by piece.
    package static let largestPage = 1 << 30
    /// How many bytes an entry of an export may have that lies in memory as a whole. There is one at a time, and people's exports have
    /// larger files than services send as answers.
    package var maximumEntry = 64 << 20
    /// Rates that must not be exceeded, all of them at once.
    package var limits: [RateLimit]
    /// Limits that hold for some of the requests, in addition to the others.
    package var matchedLimits: [MatchedLimit] = []
    /// The service's own names for the headers that tell what is left of a quota; `nil` for the usual ones alone.
    package var quotaHeaders: QuotaHeaders?
    /// How many requests may be under way at once, in each process; `nil` leaves it to the host.
    package var concurrency: Int?
    /// Whether cookies that the service sets go back to it, within a run.
    package var keepsCookies = false
    /// How failed requests are retried.
    package var retry: Retry
    /// What to do with an answer; the first rule that matches wins, before the built-in table.
    package var rules: [StatusRule]
    /// What gives the service's own words out of the body of an answer that means an error; `nil` looks at usual members.
    package var errorMessage: JQProgram?
}

/// How failed requests are retried.
package struct Retry: Sendable, Equatable {
    /// How often a request is sent in all, at least 1.
    package var tries: Int
    /// The longest wait before a retry; a longer `Retry-After` ends the run.
    package var maximumWait: Duration
}

/// Limits of the requests to some paths.
package struct MatchedLimit: Sendable {
    /// Which requests.
    package var match: RequestMatch
    /// Rates that must not be exceeded.
    package var rates: [RateLimit]
    /// How many of them may be under way at once, in each process.
    package var concurrency: Int?
}

/// The headers with which a service says how many requests are left, and when there are more.
///
/// A header may count several quotas at once, with commas between: `12,0`.
package struct QuotaHeaders: Sendable, Equatable {
    /// What tells that no request is left. Names in lower case.
    package enum Counter: Sendable, Equatable {
        /// The header that is `0` then.
        case remaining(String)
        /// The header that counts the requests made, and the one that says how many there may be; `nil` where both stand in
        /// the first: `32/40`.
        case used(String, limit: String?)
    }

    /// What tells that no request is left.
    package var counter: Counter
    /// The header that says when there are more: seconds from now, seconds or milliseconds since 1970, or a time; in lower
    /// case. `nil` where there is none.
    package var reset: String?
    /// How long to stay away where no header says when there are more.
    package var wait: Duration
    /// How long each quota lasts, of those that begin anew by the clock, in UTC: a quarter of an hour, or a day. Instead of
    /// `wait`.
    package var periods: [Duration]

    /// What counts where the manifest says nothing.
    package static let usualWait = Duration.seconds(60)
}
