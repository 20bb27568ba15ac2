package import PlugCore

/// The newest token for each PDA.
///
/// `PlugStore` states what all roles promise.
///
/// SQLite: `SQLiteStore+Connections.swift`.
package protocol TokenStore: Sendable {
    /// The newest token that the PDA's answers returned; `nil` if none was kept.
    func keptToken(of connection: ConnectionID) async throws -> KeptToken?

    /// Keeps a token if it was issued after the one already kept; otherwise does nothing.
    func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws
}
