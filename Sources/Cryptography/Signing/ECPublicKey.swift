internal import CLibCrypto

/// Verifies ECDSA signatures over P-256 with SHA-256 (ES256 of JWT).
package struct ECPublicKey: Sendable {
    private let key: ECKey

    init(_ key: ECKey) { self.key = key }

    /// Reads `-----BEGIN PUBLIC KEY-----…`, a SubjectPublicKeyInfo; `nil` if it is not a P-256 key.
    package init?(pem: String) {
        let pointer = PEM.read(pem) {
            PEM_read_bio_PUBKEY_ex($0, nil, PEM.noPassword, nil, LibCrypto.context.pointer, nil)
        }
        guard let key = ECKey(taking: pointer) else { return nil }
        self.init(key)
    }

    /// `-----BEGIN PUBLIC KEY-----…`, a SubjectPublicKeyInfo.
    package var pem: String { PEM.write { PEM_write_bio_PUBKEY($0, key.pointer) } }

    /// Whether a 64-byte signature of a message is this key's.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let der = ECSignature.der(of: signature) else { return false }
        let operation = SignatureContext()
        operation.beginVerifying(key.pointer, .ecdsa)
        let isSignature = operation.verifies(der, message)
        if !isSignature { forgetErrors() }
        return isSignature
    }
}
