internal import CLibCrypto

/// Signs with RSA (PKCS #1 v1.5; with SHA-256 it is RS256 of JWT).
package struct RSAPrivateKey: Sendable {
    /// The key cannot sign: its numbers are inconsistent, or libcrypto found its own result to be wrong.
    package struct Failed: Error {}

    private let key: RSAKey

    /// A new 2048-bit key, which takes tenths of a second.
    package init() {
        // Fails only if memory is short: the randomness comes from the kernel.
        guard let key = RSAKey(taking: plughost_crypto_make_rsa_key(LibCrypto.context.pointer, 2048)) else {
            preconditionFailure("libcrypto makes no RSA key")
        }
        self.key = key
    }

    /// Reads `-----BEGIN PRIVATE KEY-----…` (PKCS #8) and `-----BEGIN RSA PRIVATE KEY-----…` (PKCS #1); `nil` if it is not an RSA
    /// key of 2048 bits or more, is encrypted, or its numbers are inconsistent.
    ///
    /// - Parameter minimumBits: The smallest accepted key. Some long-standing services still require keys of 1024 bits; the value
    ///   of such a signature is their concern.
    package init?(pem: String, minimumBits: Int = 2048) {
        let pointer = PEM.read(pem) {
            PEM_read_bio_PrivateKey_ex($0, nil, PEM.noPassword, nil, LibCrypto.context.pointer, nil)
        }
        guard let key = RSAKey(taking: pointer, bits: minimumBits...RSAKey.bits.upperBound) else { return nil }
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
    package var publicKey: RSAPublicKey { RSAPublicKey(key) }

    /// The signature of a message, as long as the key.
    package func signature(of message: [UInt8], _ hash: HashFunction = .sha256) throws(Failed) -> [UInt8] {
        let operation = SignatureContext()
        guard operation.beginSigning(key.pointer, .pkcs1, hash),
            let signature = operation.signature(of: message, size: key.size)
        else {
            forgetErrors()
            throw Failed()
        }
        return signature
    }
}
