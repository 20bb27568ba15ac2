package import PlugCore

/// What was destroyed with a connection.
package struct ErasureReceipt: Sendable, Equatable {
    /// How many rows of one kind.
    package struct Rows: Sendable, Equatable {
        /// `changes`, `consents`, `dead_letters`, `grants`, `inventory`, `ledger`, `notes`, `outbox_batches`, `refusals`, `runs`, `setups`, `states`, `streams` or `tokens`.
        package var kind: String
        /// How many there were.
        package var count: Int

        /// Some rows.
        package init(kind: String, count: Int) { (self.kind, self.count) = (kind, count) }
    }

    /// The connection, with its plug, its PDA and when it was made. Its fingerprint key is gone as well.
    package var connection: ConnectionID
    /// The plug's id.
    package var plug: String
    /// The PDA's origin.
    package var pda: String
    /// When the connection was made, in microseconds since 1970.
    package var createdAt: Int64
    /// Names the data key that was destroyed, in this state: with it everything that it sealed is unreadable, in backups
    /// of the database too as long as they hold no copy of this key.
    package var key: String
    /// When it was erased, in microseconds since 1970.
    package var erasedAt: Int64
    /// What hung on the connection, kinds without rows too.
    package var rows: [Rows]
    /// Whether the database's log is empty, so that no old page holds the key any more; `false` where another process
    /// was reading: then the next checkpoint empties it.
    package var isLogEmpty: Bool
}

extension ErasureReceipt {
    /// What a store says after it has erased a connection.
    package init(
        of connection: Connection,
        key: String,
        erasedAt: Int64,
        rows: [(kind: String, count: Int)],
        isLogEmpty: Bool
    ) {
        self.connection = connection.id
        (plug, pda, createdAt) = (connection.plug, connection.pda, connection.createdAt)
        (self.key, self.erasedAt, self.isLogEmpty) = (key, erasedAt, isLogEmpty)
        self.rows = rows.map { Rows(kind: $0.kind, count: $0.count) }
    }
}
