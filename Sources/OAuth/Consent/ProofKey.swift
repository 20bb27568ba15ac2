internal import Cryptography
package import PlugCore

/// A key that binds a consent to the client that requested it (PKCE, RFC 7636): a stolen code is worthless without it.
package struct ProofKey: Sendable, Equatable {
    /// Sent with the token request. Until then only this process knows it.
    package let verifier: Secret
    /// Sent with the authorisation request: the verifier's SHA-256, with the method `S256`.
    package let challenge: String

    /// A new key of 256 bits.
    package init() { self.init(verifier: SecureRandom.base64URL(bytes: 32)) }

    /// The key for a verifier of 43 to 128 characters.
    init(verifier: String) {
        self.verifier = Secret(verifier)
        challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))
    }
}
