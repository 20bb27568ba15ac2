/// How long records of past events are kept. The newest run of a connection, the last that ended and the last that was done are always
/// kept.
package struct Retention: Sendable, Equatable {
    /// What is kept of something.
    package enum Bound: Sendable, Equatable {
        /// So many of the newest.
        case count(Int)
        /// Those that are no older.
        case age(Duration)
    }

    /// The runs of a connection.
    package var runs = Bound.count(StoredRun.kept)
    /// How old dead letters become; `nil` keeps them until somebody drops or retries them.
    package var deadLetters: Duration?
    /// How old records become that wait for their PDA; `nil` keeps them until it takes them. Those that are dropped are lost.
    package var outbox: Duration?

    /// What is kept where nobody says otherwise.
    package init() {}
}
