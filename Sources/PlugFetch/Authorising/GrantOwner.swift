import PlugCore

/// Whom a kept grant belongs to. What another client was given, or what came from another configured refresh token, is no grant
/// of this one: to show it would fail, and could end it for whom it belongs to.
package struct GrantOwner: Sendable, Equatable {
    /// Tells owners apart, and gives nothing away.
    let hash: String

    /// A client, to which a person consented.
    package init(client id: String) { hash = AuthAddress.hash(["client", id]) }

    /// A client with a refresh token that somebody has configured.
    init(client id: String, configured token: Secret) {
        hash = AuthAddress.hash(["configured", id, token.reveal()])
    }

    /// What needs nobody's grant.
    static let nobody = GrantOwner(hash: "nobody")

    init(hash: String) { self.hash = hash }
}
