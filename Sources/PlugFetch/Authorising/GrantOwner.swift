import PlugCore

/// Whom a kept grant belongs to. What another client was given, or what came from another configured refresh token, is no grant
/// of this one: to show it would fail, and could end it for whom it belongs to.
package struct GrantOwner: Sendable, Equatable {
    /// Tells owners apart, and gives nothing away.
    let hash: String

    /// A client, to which a person consented.
    ///
    /// - Parameters:
    ///   - alternative: Which of several authorisations it is.
    ///   - host: Where tokens come from, if the configuration decides that. An address that stands in the manifest is not a part
    ///     of it: a service may move, and the grant goes on.
    package init(client id: String, alternative: String? = nil, host: String? = nil) {
        hash = AuthAddress.hash(
            ["client", id] + (alternative.map { ["alternative", $0] } ?? []) + (host.map { ["host", $0] } ?? [])
        )
    }

    /// A consumer of OAuth 1.0a, to which a person consented.
    ///
    /// - Parameters: As for a client.
    package init(consumer key: String, alternative: String? = nil, host: String? = nil) {
        hash = AuthAddress.hash(
            ["consumer", key] + (alternative.map { ["alternative", $0] } ?? []) + (host.map { ["host", $0] } ?? [])
        )
    }

    /// A client with a refresh token that somebody has configured.
    init(client id: String, configured token: Secret) {
        hash = AuthAddress.hash(["configured", id, token.reveal()])
    }

    /// What needs nobody's grant.
    static let nobody = GrantOwner(hash: "nobody")

    init(hash: String) { self.hash = hash }
}
