package import PlugCore

/// A dead letter with its place in the store.
package struct StoredDeadLetter: Sendable, Equatable {
    /// Its number, by which a person can refer to it; never reused.
    package var id: Int64
    /// The connection whose record it is.
    package var connection: ConnectionID
    /// The stream's name.
    package var stream: String
    /// When it was written, in microseconds since 1970.
    package var at: Int64
    /// The record and the reason.
    package var letter: DeadLetter

    /// Creates a stored dead letter.
    package init(id: Int64, connection: ConnectionID, stream: String, at: Int64, letter: DeadLetter) {
        self.id = id
        self.connection = connection
        self.stream = stream
        self.at = at
        self.letter = letter
    }
}

/// The total size of dead letters.
package struct DeadLetterSize: Sendable, Equatable {
    /// The number of dead letters.
    package var letters: Int
    /// The size of their records and reasons in bytes, as stored.
    package var bytes: Int

    /// Creates a size.
    package init(letters: Int = 0, bytes: Int = 0) {
        self.letters = letters
        self.bytes = bytes
    }
}

/// Selects dead letters. All conditions must hold; the empty filter selects all.
package struct DeadLetterFilter: Sendable, Equatable {
    /// Only those of this connection.
    package var connection: ConnectionID?
    /// Only those of streams with this name.
    package var stream: String?
    /// Only those with greater ids: pass the last id of one page to get the next.
    package var after: Int64
    /// The maximum number of results.
    package var limit: Int

    /// Creates a filter.
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
