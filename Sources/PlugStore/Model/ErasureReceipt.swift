public import PlugCore

/// What was destroyed with a connection.
public struct ErasureReceipt: Sendable, Equatable {
    /// How many rows of one kind.
    public struct Rows: Sendable, Equatable {
        /// `dead_letters`, `ledger`, `notes`, `outbox_batches`, `refusals`, `runs`, `states`, `streams` or `tokens`.
        public var kind: String
        /// How many there were.
        public var count: Int

        /// Some rows.
        public init(kind: String, count: Int) { (self.kind, self.count) = (kind, count) }
    }

    /// The connection, with its plug, its PDA and when it was made. Its fingerprint key is gone as well.
    public var connection: ConnectionID
    /// The plug's id.
    public var plug: String
    /// The PDA's origin.
    public var pda: String
    /// When the connection was made, in microseconds since 1970.
    public var createdAt: Int64
    /// Names the data key that was destroyed, in this state: with it everything that it sealed is unreadable, in backups
    /// of the database too as long as they hold no copy of this key.
    public var key: String
    /// When it was erased, in microseconds since 1970.
    public var erasedAt: Int64
    /// What hung on the connection, kinds without rows too.
    public var rows: [Rows]
    /// Whether the database's log is empty, so that no old page holds the key any more; `false` where another process
    /// was reading: then the next checkpoint empties it.
    public var isLogEmpty: Bool
}
