package import PlugCore

/// Where the PDA's application token comes from, and where a newer one goes.
package protocol TokenSource: Sendable {
    /// The token to send now.
    func current() async -> Secret
    /// Takes the token that the PDA gave back in `X-Auth-Token`: it has the same application and a newer `iat`.
    func refreshed(_ token: Secret) async
}
