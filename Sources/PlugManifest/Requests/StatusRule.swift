package import JQ

/// What to do with answers of certain statuses.
package struct StatusRule: Sendable {
    /// What to do.
    package enum Action: String, Sendable, CaseIterable {
        /// Treat the page as empty and continue.
        case skip
        /// End the stream with an error.
        case fail
        /// Try again after a back-off.
        case retry
        /// Treat it as a rate limit: wait, then try again.
        case limit
        /// Treat the body as a page.
        case ok
        /// Request the same place again with smaller pages.
        case shrink
        /// Keep what was read, and continue from the first page of a new search.
        case resetPage = "reset_page"
        /// Treat the access token as rejected: get another one, and try again.
        case reauth
        /// Forget the cursor, which the source no longer knows, and read everything.
        case reread
    }

    /// How long to wait before the next try, or the next request. A `Retry-After` that is longer wins.
    package enum Wait: Sendable {
        /// A fixed time.
        case fixed(Duration)
        /// A program over the answer: seconds, or a time. `null` leaves it to the back-off. With its location.
        case program(JQProgram, place: String)
    }

    /// The kind of a failure, which decides the exit status of the run.
    package enum Failure: String, Sendable, CaseIterable {
        /// The source refuses the request.
        case refused
        /// The person has to connect the account again, or to allow more.
        case authorisation
        /// What the person configured is wrong.
        case configuration
        /// It is temporary.
        case later
    }

    /// The statuses that match.
    package var status: StatusMatch
    /// A program over the body; the rule matches if its first output is neither `false` nor `null`. Its globals are those of
    /// `RecordGlobals.answer`.
    package var condition: JQProgram?
    /// What to do.
    package var action: Action
    /// How long to wait before the next try, for `retry` and `limit`, or before the next request, for `ok` and `skip`.
    package var wait: Wait?
    /// The kind of failure, for `fail`.
    package var failure: Failure
    /// The message for people, besides the service's own words.
    package var message: String?
    /// Its location, `plug.yaml:12:5`: that of its condition, if it has one.
    package var place: String
}

/// A set of HTTP statuses.
package struct StatusMatch: Sendable, Equatable {
    /// The ranges of statuses, `404...404` for one and `500...599` for `5xx`.
    package var ranges: [ClosedRange<Int>]

    /// Whether the set contains a status.
    package func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }
}
