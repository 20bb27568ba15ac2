public import JQ

/// How requests are authenticated.
public enum Authorization: Sendable {
    /// They don't.
    case none
    /// `Authorization: Bearer …`.
    case bearer(Template)
    /// `Authorization: Basic …` of both, encoded by the fetcher.
    case basic(username: Template, password: Template)
    /// A key in a header or in the query.
    case key(place: KeyPlace, name: String, value: Template)

    /// Where a key goes.
    public enum KeyPlace: String, Sendable, CaseIterable {
        /// A request header.
        case header
        /// A query parameter.
        case query
    }
}

/// What all requests of a plug share.
public struct HTTPSettings: Sendable {
    /// The URL that relative paths are resolved against.
    public var base: Template?
    /// Headers of every request, in file order.
    public var headers: [(name: String, value: Template)]
    /// How long a request may take without an answer.
    public var timeout: Duration
    /// How many bytes an answer may have, decompressed. The number of its values and records is bounded in proportion.
    public var maximumBody: Int
    /// Rates that must not be exceeded, all of them at once.
    public var limits: [RateLimit]
    /// How many requests may be under way at once, in each process; `nil` leaves it to the host.
    public var concurrency: Int?
    /// How failed requests are retried.
    public var retry: Retry
    /// What to do with an answer; the first rule that matches wins, before the built-in table.
    public var rules: [StatusRule]
    /// What gives the service's own words out of the body of an answer that means an error; `nil` looks at usual members.
    public var errorMessage: JQProgram?
}

/// A number of requests per time, such as 180/60s.
public struct RateLimit: Sendable, Equatable {
    /// How many.
    public var count: Int
    /// In which time.
    public var per: Duration
    /// How many may go out at once; `nil` means the whole count.
    public var burst: Int?

    /// A rate.
    public init(count: Int, per: Duration, burst: Int? = nil) {
        self.count = count
        self.per = per
        self.burst = burst
    }
}

/// How failed requests are retried.
public struct Retry: Sendable, Equatable {
    /// How often a request is sent in all, at least 1.
    public var tries: Int
    /// The longest wait before a retry; a longer `Retry-After` ends the run.
    public var maximumWait: Duration
}

/// What to do with answers of some status.
public struct StatusRule: Sendable {
    /// What to do.
    public enum Action: String, Sendable, CaseIterable {
        /// Take the page as empty and continue.
        case skip
        /// End the stream with an error.
        case fail
        /// Try again after a back-off.
        case retry
        /// Take it as a rate limit: wait, then try again.
        case limit
        /// Take the body as a page.
        case ok
    }

    /// Which statuses.
    public var status: StatusMatch
    /// A program over the body; the rule matches where its first output is neither `false` nor `null`. Its globals are
    /// those of `RecordGlobals.answer`.
    public var condition: JQProgram?
    /// What to do.
    public var action: Action
    /// Where it stands, `plug.yaml:12:5`: its condition, where it has one.
    public var place: String
}

/// A set of HTTP statuses.
public struct StatusMatch: Sendable, Equatable {
    /// The ranges of statuses, `404...404` for one and `500...599` for `5xx`.
    public var ranges: [ClosedRange<Int>]

    /// Whether a status belongs to it.
    public func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}
