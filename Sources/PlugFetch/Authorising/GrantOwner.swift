import PlugCore

/// The owner of a kept grant. A grant issued to another client, or obtained with another configured refresh token, does not
/// belong to this one: using it would fail, and could revoke it for its owner.
package struct GrantOwner: Sendable, Equatable {
    /// Distinguishes owners without revealing anything.
    let hash: String

    /// A client to which a user consented.
    ///
    /// - Parameters:
    ///   - alternative: Which of several authorisations it is.
    ///   - host: The host of the token endpoint, if the configuration determines it. An address written in the manifest is not
    ///     part of it: a service may move, and the grant continues.
    package init(client id: String, alternative: String? = nil, host: String? = nil) {
        hash = AuthAddress.hash(
            ["client", id] + (alternative.map { ["alternative", $0] } ?? []) + (host.map { ["host", $0] } ?? [])
        )
    }

    /// A consumer of OAuth 1.0a to which a user consented.
    ///
    /// - Parameters: As for a client.
    package init(consumer key: String, alternative: String? = nil, host: String? = nil) {
        hash = AuthAddress.hash(
            ["consumer", key] + (alternative.map { ["alternative", $0] } ?? []) + (host.map { ["host", $0] } ?? [])
        )
    }

    /// A client with a configured refresh token.
    init(client id: String, configured token: Secret) {
        hash = AuthAddress.hash(["configured", id, token.reveal()])
    }

    /// For grants that no one has to give.
    static let nobody = GrantOwner(hash: "nobody")

    init(hash: String) { self.hash = hash }
}
