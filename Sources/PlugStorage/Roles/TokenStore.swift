package import PlugCore

/// The newest token of each PDA.
///
/// What all roles promise stands at `PlugStore`.
package protocol TokenStore: Sendable {
    /// The newest token that a PDA's answers gave, `nil` if none was kept.
    func keptToken(of connection: ConnectionID) async throws -> KeptToken?

    /// Keeps a token if it was issued after the one that is kept; otherwise does nothing.
    func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws
}
