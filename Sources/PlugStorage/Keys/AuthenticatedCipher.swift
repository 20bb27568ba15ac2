internal import Cryptography
internal import FoundationEssentials

/// AES-256-GCM with 96-bit nonces and 128-bit tags: the only cipher with which plughost stores values.
enum AuthenticatedCipher {
    /// The value was changed, truncated, moved, or sealed with another key. The cipher cannot say which.
    struct Refused: Error {}

    /// Nonce, ciphertext and tag, concatenated. The nonce is fresh and random unless a test vector supplies one.
    ///
    /// - Parameter header: What stands before it, in the clear.
    static func seal(
        _ plain: [UInt8],
        key: SecretBytes,
        nonce: [UInt8]? = nil,
        authenticating associated: [UInt8],
        after header: [UInt8] = []
    ) throws(Refused) -> Data {
        guard key.count == AESGCM.keySize, nonce?.count ?? AESGCM.nonceSize == AESGCM.nonceSize else { throw Refused() }
        return plain.withUnsafeBytes { sealed($0, key, nonce, associated, after: header) }
    }

    /// Seals a key.
    static func seal(_ secret: SecretBytes, key: SecretBytes, authenticating associated: [UInt8]) throws(Refused)
        -> Data
    {
        guard key.count == AESGCM.keySize else { throw Refused() }
        return secret.withUnsafeBytes { sealed($0, key, nil, associated, after: []) }
    }

    /// Opens a sealed value.
    static func open(_ sealed: Data, key: SecretBytes, authenticating associated: [UInt8]) throws(Refused) -> [UInt8] {
        var plain = [UInt8](repeating: 0, count: try size(of: sealed, key))
        guard plain.withUnsafeMutableBytes({ opens(sealed, into: $0, key, associated) }) else { throw Refused() }
        return plain
    }

    /// Opens a sealed key. The result is its only copy in memory.
    static func openSecret(
        _ sealed: Data,
        key: SecretBytes,
        authenticating associated: [UInt8]
    ) throws(Refused) -> SecretBytes {
        try SecretBytes(count: try size(of: sealed, key)) { plain throws(Refused) in
            guard opens(sealed, into: plain, key, associated) else { throw Refused() }
        }
    }

    private static func sealed(
        _ plain: UnsafeRawBufferPointer,
        _ key: SecretBytes,
        _ nonce: [UInt8]?,
        _ associated: [UInt8],
        after header: [UInt8]
    ) -> Data {
        var sealed = Data(count: header.count + plain.count + AESGCM.overhead)
        sealed.withUnsafeMutableBytes { sealed in
            sealed.copyBytes(from: header)
            let box = UnsafeMutableRawBufferPointer(rebasing: sealed.dropFirst(header.count))
            AESGCM.seal(plain, into: box, key: key, nonce: nonce, authenticating: associated)
        }
        return sealed
    }

    private static func opens(
        _ sealed: Data,
        into plain: UnsafeMutableRawBufferPointer,
        _ key: SecretBytes,
        _ associated: [UInt8]
    ) -> Bool {
        do {
            try sealed.withUnsafeBytes { try AESGCM.open($0, into: plain, key: key, authenticating: associated) }
            return true
        } catch {
            return false
        }
    }

    private static func size(of sealed: Data, _ key: SecretBytes) throws(Refused) -> Int {
        guard key.count == AESGCM.keySize, sealed.count >= AESGCM.overhead else { throw Refused() }
        return sealed.count - AESGCM.overhead
    }
}
