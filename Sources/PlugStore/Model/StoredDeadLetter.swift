public import PlugCore

/// A dead letter with its place in the store.
public struct StoredDeadLetter: Sendable, Equatable {
    /// Its number, for a person to name it by; never used again.
    public var id: Int64
    /// Whose record it is.
    public var connection: ConnectionID
    /// The stream's name.
    public var stream: String
    /// When it was written, in microseconds since 1970.
    public var at: Int64
    /// The record and the reason.
    public var letter: DeadLetter

    /// A stored dead letter.
    public init(id: Int64, connection: ConnectionID, stream: String, at: Int64, letter: DeadLetter) {
        self.id = id
        self.connection = connection
        self.stream = stream
        self.at = at
        self.letter = letter
    }
}

/// How much dead letters take.
public struct DeadLetterSize: Sendable, Equatable {
    /// How many there are.
    public var letters: Int
    /// Bytes of their records and reasons, as they are stored.
    public var bytes: Int

    /// A size.
    public init(letters: Int = 0, bytes: Int = 0) {
        self.letters = letters
        self.bytes = bytes
    }
}

/// Which dead letters are meant. All conditions hold together; the empty filter means all.
public struct DeadLetterFilter: Sendable, Equatable {
    /// Only those of this connection.
    public var connection: ConnectionID?
    /// Only those of streams with this name.
    public var stream: String?
    /// Only those with greater ids: the last id of a page of answers gives the next page.
    public var after: Int64
    /// At most so many.
    public var limit: Int

    /// A filter.
    public init(
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
