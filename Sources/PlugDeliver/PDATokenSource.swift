package import PlugCore

/// The source of the PDA's application token, which also receives newer ones.
package protocol PDATokenSource: Sendable {
    /// The token to send now.
    func current() async -> Secret
    /// Receives the token that the PDA returned in `X-Auth-Token`: it has the same application and a newer `iat`.
    func refreshed(_ token: Secret) async
}
