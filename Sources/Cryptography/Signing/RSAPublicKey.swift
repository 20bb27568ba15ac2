internal import CLibCrypto

/// Verifies RSA signatures (PKCS #1 v1.5 with SHA-256: RS256 of JWT).
package struct RSAPublicKey: Sendable {
    private let key: RSAKey

    init(_ key: RSAKey) { self.key = key }

    /// Reads `-----BEGIN PUBLIC KEY-----…`, a SubjectPublicKeyInfo; `nil` if it is not an RSA key of 2048 bits or more.
    package init?(pem: String) {
        let pointer = PEM.read(pem) {
            PEM_read_bio_PUBKEY_ex($0, nil, PEM.noPassword, nil, LibCrypto.context.pointer, nil)
        }
        guard let key = RSAKey(taking: pointer) else { return nil }
        self.init(key)
    }

    /// `-----BEGIN PUBLIC KEY-----…`, a SubjectPublicKeyInfo.
    package var pem: String { PEM.write { PEM_write_bio_PUBKEY($0, key.pointer) } }

    /// Whether a signature of a message is this key's.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let operation = SignatureContext()
        operation.beginVerifying(key.pointer, .pkcs1)
        let isSignature = operation.verifies(signature, message)
        if !isSignature { forgetErrors() }
        return isSignature
    }
}
