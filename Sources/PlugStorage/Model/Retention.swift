/// How long history is kept. A connection's newest run, its last completed one and its last successful one are always kept.
package struct Retention: Sendable, Equatable {
    /// A limit on what is kept.
    package enum Bound: Sendable, Equatable {
        /// This many of the newest.
        case count(Int)
        /// Those no older than this.
        case age(Duration)
    }

    /// The limit on runs of a connection.
    package var runs = Bound.count(StoredRun.kept)
    /// The maximum age of dead letters; `nil` keeps them until they are dropped or retried.
    package var deadLetters: Duration?
    /// The maximum age of records waiting for their PDA; `nil` keeps them until it accepts them. Dropped records are lost.
    package var outbox: Duration?

    /// Creates the default limits.
    package init() {}
}
