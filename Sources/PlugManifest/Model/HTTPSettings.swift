package import JQ
package import PlugCore

/// How requests are authenticated.
package enum Authorization: Sendable {
    /// They don't.
    case none
    /// `Authorization: Bearer …`.
    case bearer(Template)
    /// `Authorization: Basic …` of both, encoded by the fetcher.
    case basic(username: Template, password: Template)
    /// A key in a header or in the query.
    case key(place: KeyPlace, name: String, value: Template)
    /// A session token, which a request gives.
    case login(LoginSettings)
    /// An access token of OAuth 2.
    case oauth2(OAuthSettings)

    /// Where a key goes.
    package enum KeyPlace: String, Sendable, CaseIterable {
        /// A request header.
        case header
        /// A query parameter.
        case query
    }
}

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
    /// Rates that must not be exceeded, all of them at once.
    package var limits: [RateLimit]
    /// How many requests may be under way at once, in each process; `nil` leaves it to the host.
    package var concurrency: Int?
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

/// What to do with answers of some status.
package struct StatusRule: Sendable {
    /// What to do.
    package enum Action: String, Sendable, CaseIterable {
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
    package var status: StatusMatch
    /// A program over the body; the rule matches where its first output is neither `false` nor `null`. Its globals are
    /// those of `RecordGlobals.answer`.
    package var condition: JQProgram?
    /// What to do.
    package var action: Action
    /// Where it stands, `plug.yaml:12:5`: its condition, where it has one.
    package var place: String
}

/// A set of HTTP statuses.
package struct StatusMatch: Sendable, Equatable {
    /// The ranges of statuses, `404...404` for one and `500...599` for `5xx`.
    package var ranges: [ClosedRange<Int>]

    /// Whether a status belongs to it.
    package func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}
