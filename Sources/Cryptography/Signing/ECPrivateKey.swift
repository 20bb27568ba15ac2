internal import CLibCrypto

/// Signs with ECDSA over P-256 with SHA-256: ES256 of JWT.
package struct ECPrivateKey: Sendable {
    /// The key cannot sign: its numbers are inconsistent.
    package struct Failed: Error {}

    private let key: ECKey

    /// A new key.
    package init() {
        // Fails only if memory is short: the randomness comes from the kernel.
        guard let key = ECKey(taking: plughost_crypto_make_p256_key(LibCrypto.context.pointer)) else {
            preconditionFailure("libcrypto makes no key on P-256")
        }
        self.key = key
    }

    /// Reads `-----BEGIN PRIVATE KEY-----…` (PKCS #8) and `-----BEGIN EC PRIVATE KEY-----…` (SEC 1); `nil` if it is not a P-256
    /// key, is encrypted, or its numbers are inconsistent.
    package init?(pem: String) {
        let pointer = PEM.read(pem) {
            PEM_read_bio_PrivateKey_ex($0, nil, PEM.noPassword, nil, LibCrypto.context.pointer, nil)
        }
        guard let key = ECKey(taking: pointer) else { return nil }
        self.key = key
        // The parser accepts any numbers.
        guard let signature = try? signature(of: []), publicKey.isSignature(signature, of: []) else { return nil }
    }

    /// `-----BEGIN PRIVATE KEY-----…`, PKCS #8, unencrypted.
    package var pem: String {
        PEM.write {
            PEM_write_bio_PrivateKey_ex($0, key.pointer, nil, nil, 0, nil, nil, LibCrypto.context.pointer, nil)
        }
    }

    /// The key that verifies its signatures.
    package var publicKey: ECPublicKey { ECPublicKey(key) }

    /// The signature of a message in JWT's encoding: 64 bytes, different each time.
    package func signature(of message: [UInt8]) throws(Failed) -> [UInt8] {
        let operation = SignatureContext()
        guard operation.beginSigning(key.pointer, .ecdsa), let der = operation.signature(of: message, size: key.size),
            let signature = ECSignature.numbers(of: der)
        else {
            forgetErrors()
            throw Failed()
        }
        return signature
    }
}
