package import JQ

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
        /// Ask for the same place again with smaller pages.
        case shrink
        /// Take what was read as read, and ask for what follows from the first page of a new search.
        case resetPage = "reset_page"
        /// Take the access token for refused: get another one, and ask again.
        case reauth
        /// Forget the cursor, which the source does not know any more, and read everything.
        case reread
    }

    /// How long to wait before the next try, or the next request. A `Retry-After` that is longer wins.
    package enum Wait: Sendable {
        /// Always so long.
        case fixed(Duration)
        /// A program over the answer: seconds, or a time. `null` leaves it to the back-off. And where it stands.
        case program(JQProgram, place: String)
    }

    /// What a failure is, and so with which status the run ends.
    package enum Failure: String, Sendable, CaseIterable {
        /// The source refuses the request.
        case refused
        /// The person has to connect the account again, or to allow more.
        case authorisation
        /// What the person configured is wrong.
        case configuration
        /// It passes.
        case later
    }

    /// Which statuses.
    package var status: StatusMatch
    /// A program over the body; the rule matches where its first output is neither `false` nor `null`. Its globals are
    /// those of `RecordGlobals.answer`.
    package var condition: JQProgram?
    /// What to do.
    package var action: Action
    /// How long to wait before the next try, for `retry` and `limit`, or before the next request, for `ok` and `skip`.
    package var wait: Wait?
    /// What a failure is, for `fail`.
    package var failure: Failure
    /// What people are told, beside the service's own words.
    package var message: String?
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
