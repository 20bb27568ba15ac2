internal import Cryptography
package import PlugCore

/// A key that binds a consent to who asked for it (PKCE, RFC 7636): a stolen code is worth nothing without it.
package struct ProofKey: Sendable, Equatable {
    /// What is shown at the end. Until then nobody but us knows it.
    package let verifier: Secret
    /// What is shown at the beginning: the verifier's SHA-256, with the method `S256`.
    package let challenge: String

    /// A new key of 256 bits.
    package init() { self.init(verifier: RandomText.make(bytes: 32)) }

    /// The key of a verifier, 43 to 128 characters.
    init(verifier: String) {
        self.verifier = Secret(verifier)
        challenge = Base64URL.encode(SHA256.hash(Array(verifier.utf8)))
    }
}

/// Texts that nobody can guess.
enum RandomText {
    /// So many random bytes in the URL's alphabet.
    static func make(bytes: Int) -> String {
        SecretBytes.random(count: bytes).withUnsafeBytes { Base64URL.encode(Array($0)) }
    }
}
