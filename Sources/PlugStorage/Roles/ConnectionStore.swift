package import PlugCore

/// Who is connected: the connections, and the lease of each.
///
/// What all roles promise stands at `PlugStore`.
package protocol ConnectionStore: Sendable {
    /// Creates the connection, or checks that it is the same plug and PDA.
    ///
    /// - Parameters:
    ///   - id: The connection's name.
    ///   - plug: The plug's id.
    ///   - pda: The PDA's origin, such as `https://bob.hubofallthings.net`. Compared as it is.
    /// - Throws: `connection-elsewhere` (exit 78) if the connection belongs to another PDA or plug; both are named.
    func openConnection(_ id: ConnectionID, plug: String, pda: String) async throws -> Connection

    /// One connection, `nil` if there is none of this name.
    func connection(_ id: ConnectionID) async throws -> Connection?

    /// All connections, ordered by name.
    func connections() async throws -> [Connection]

    /// The connections of a plug at a PDA, ordered by name; a hundred at most.
    func connections(of plug: String, at pda: String) async throws -> [Connection]

    /// The connections of a PDA, ordered by name; two hundred at most.
    func connections(at pda: String) async throws -> [Connection]

    /// A page of the connections that somebody looks for.
    func connections(_ search: ConnectionSearch) async throws -> FoundConnections

    /// Destroys a connection's data key and everything that hangs on it. Whoever asks holds its lease.
    ///
    /// - Returns: What was destroyed; `nil` if there is no such connection.
    @discardableResult
    func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt?

    /// Takes the lease of a connection, which no other task and no other process then has until it ends. A store that was
    /// opened to wait waits for whoever holds it.
    ///
    /// - Throws: `state-locked` (75, names the holder); `connection-unknown`.
    func lease(_ connection: ConnectionID) async throws -> ConnectionLease

    /// Whether a task or a process has the lease of a connection just now: a run that has not ended, and whose process lives, has it.
    func isLeased(_ connection: ConnectionID) async throws -> Bool

    /// The names of a connection's streams of which anything is stored, in order.
    func streamNames(of connection: ConnectionID) async throws -> [String]
}
