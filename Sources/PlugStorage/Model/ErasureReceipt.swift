package import PlugCore

/// What was destroyed with a connection.
package struct ErasureReceipt: Sendable, Equatable {
    /// The number of rows of one kind.
    package struct Rows: Sendable, Equatable {
        /// `changes`, `consents`, `dead_letters`, `grants`, `inventory`, `ledger`, `notes`, `outbox_batches`, `refusals`, `runs`,
        /// `setups`, `states`, `streams` or `tokens`.
        package var kind: String
        /// How many there were.
        package var count: Int

        /// Creates a count of rows.
        package init(kind: String, count: Int) { (self.kind, self.count) = (kind, count) }
    }

    /// The connection. Its fingerprint key is gone as well.
    package var connection: ConnectionID
    /// The plug's id.
    package var plug: String
    /// The PDA's origin.
    package var pda: String
    /// When the connection was created, in microseconds since 1970.
    package var createdAt: Int64
    /// Names the destroyed data key within this state: everything it sealed is unreadable, in backups of the database too unless
    /// they hold a copy of this key.
    package var key: String
    /// When it was erased, in microseconds since 1970.
    package var erasedAt: Int64
    /// The rows that belonged to the connection, including kinds without rows.
    package var rows: [Rows]
    /// Whether the database's log is empty, so that no old page holds the key any more; `false` if another process was
    /// reading: then the next checkpoint empties it.
    package var isLogEmpty: Bool
}

extension ErasureReceipt {
    /// Creates the receipt that a store returns after erasing a connection.
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
