internal import Cryptography
package import PlugCore

/// The algorithm that signs an assertion (RFC 7518, section 3.1).
package enum SigningAlgorithm: String, Sendable, CaseIterable {
    /// RSA, PKCS #1 v1.5, with SHA-256.
    case rs256 = "RS256"
    /// ECDSA over P-256 with SHA-256.
    case es256 = "ES256"
    /// HMAC with SHA-256.
    case hs256 = "HS256"
}

/// A key that signs assertions.
package struct AssertionKey: Sendable {
    /// Why a text is not a key for an algorithm; it quotes nothing.
    package struct Refused: Error, Sendable, Equatable, CustomStringConvertible {
        /// A part of a sentence, to follow "the key ".
        package let description: String
    }

    private enum Key: Sendable {
        case rsa(RSAPrivateKey)
        case curve(ECPrivateKey)
        case shared(SecretBytes)
    }

    /// The algorithm it signs with.
    package let algorithm: SigningAlgorithm
    private let key: Key

    /// Reads a key: PEM (PKCS #8, PKCS #1, SEC 1), or for HS256 the shared secret itself.
    ///
    /// Line breaks may be written as `\n`, as they often are when copied from services' JSON files.
    package init(_ algorithm: SigningAlgorithm, _ secret: Secret) throws(Refused) {
        self.algorithm = algorithm
        let text = secret.reveal()
        let pem = text.contains("\\n") ? text.replacing("\\n", with: "\n") : text
        switch algorithm {
        case .rs256:
            guard let key = RSAPrivateKey(pem: pem) else {
                throw Refused(description: "is not a private RSA key of 2048 bits or more in PEM form")
            }
            self.key = .rsa(key)
        case .es256:
            guard let key = ECPrivateKey(pem: pem) else {
                throw Refused(description: "is not a private key on the curve P-256 in PEM form")
            }
            self.key = .curve(key)
        case .hs256:
            // RFC 7518, section 3.2 requires at least as many bits as the hash has; services issue shorter ones.
            guard !text.isEmpty else { throw Refused(description: "is empty") }
            self.key = .shared(SecretBytes(Array(text.utf8)))
        }
    }

    /// The signature of a message, as encoded in JWS (RFC 7515).
    func signature(of message: [UInt8]) throws(Refused) -> [UInt8] {
        switch key {
        case .rsa(let key):
            guard let signature = try? key.signature(of: message) else { throw Refused(description: "does not sign") }
            return signature
        case .curve(let key):
            guard let signature = try? key.signature(of: message) else { throw Refused(description: "does not sign") }
            return signature
        case .shared(let secret): return HMAC.code(for: message, key: secret)
        }
    }
}
