package import PlugCore

/// The connections, and the lease on each.
///
/// `PlugStore` states what all roles promise.
///
/// SQLite: `SQLiteStore+Connections.swift`, `SQLiteStore+Briefs.swift`, `SQLiteStore+Leases.swift` and `SQLiteStore+Erasing.swift`.
package protocol ConnectionStore: Sendable {
    /// Creates the connection, or checks that it is the same plug and PDA.
    ///
    /// - Parameters:
    ///   - id: The connection's name.
    ///   - plug: The plug's id.
    ///   - pda: The PDA's origin, such as `https://bob.hubofallthings.net`. Compared verbatim.
    /// - Throws: `connection-elsewhere` (exit 78) if the connection belongs to another PDA or plug; both are named.
    func openConnection(_ id: ConnectionID, plug: String, pda: String) async throws -> Connection

    /// Finds a connection by name; `nil` if there is none.
    func connection(_ id: ConnectionID) async throws -> Connection?

    /// All connections, ordered by name.
    func connections() async throws -> [Connection]

    /// The connections of a plug at a PDA, ordered by name; a hundred at most.
    func connections(of plug: String, at pda: String) async throws -> [Connection]

    /// The connections of a PDA, ordered by name; two hundred at most.
    func connections(at pda: String) async throws -> [Connection]

    /// A page of the connections that match a search.
    func connections(_ search: ConnectionSearch) async throws -> FoundConnections

    /// The same in brief, for lists of very many.
    func briefs(_ search: ConnectionSearch) async throws -> FoundBriefs

    /// A connection in brief; `nil` if there is none.
    func brief(of connection: ConnectionID) async throws -> ConnectionBrief?

    /// Destroys a connection's data key and everything that belongs to it. The caller must hold its lease.
    ///
    /// - Returns: What was destroyed; `nil` if there is no such connection.
    @discardableResult
    func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt?

    /// Takes the lease on a connection, which no other task or process can have until it ends. A store that was opened to wait
    /// waits for the holder.
    ///
    /// - Throws: `state-locked` (75, names the holder); `connection-unknown`.
    func lease(_ connection: ConnectionID) async throws -> ConnectionLease

    /// Whether a task or process holds the lease on a connection now: an unfinished run whose process lives does.
    func isLeased(_ connection: ConnectionID) async throws -> Bool

    /// The names of a connection's streams with stored data, in order.
    func streamNames(of connection: ConnectionID) async throws -> [String]
}
