package import PlugCore

/// A dead letter with its place in the store.
package struct StoredDeadLetter: Sendable, Equatable {
    /// Its number, for a person to name it by; never used again.
    package var id: Int64
    /// Whose record it is.
    package var connection: ConnectionID
    /// The stream's name.
    package var stream: String
    /// When it was written, in microseconds since 1970.
    package var at: Int64
    /// The record and the reason.
    package var letter: DeadLetter

    /// A stored dead letter.
    package init(id: Int64, connection: ConnectionID, stream: String, at: Int64, letter: DeadLetter) {
        self.id = id
        self.connection = connection
        self.stream = stream
        self.at = at
        self.letter = letter
    }
}

/// How much dead letters take.
package struct DeadLetterSize: Sendable, Equatable {
    /// How many there are.
    package var letters: Int
    /// Bytes of their records and reasons, as they are stored.
    package var bytes: Int

    /// A size.
    package init(letters: Int = 0, bytes: Int = 0) {
        self.letters = letters
        self.bytes = bytes
    }
}

/// Which dead letters are meant. All conditions hold together; the empty filter means all.
package struct DeadLetterFilter: Sendable, Equatable {
    /// Only those of this connection.
    package var connection: ConnectionID?
    /// Only those of streams with this name.
    package var stream: String?
    /// Only those with greater ids: the last id of a page of answers gives the next page.
    package var after: Int64
    /// At most so many.
    package var limit: Int

    /// A filter.
    package init(
        connection: ConnectionID? = nil,
        stream: String? = nil,
        after: Int64 = 0,
        limit: Int = 1_000
    ) {
        self.connection = connection
        self.stream = stream
        self.after = after
        self.limit = limit
    }
}
