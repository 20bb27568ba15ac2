internal import Cryptography
internal import FoundationEssentials

/// AES-256-GCM with 96-bit nonces and 128-bit tags: the only cipher that plughost stores values with.
enum AuthenticatedCipher {
    /// A value was changed, cut, moved, or sealed with another key. The cipher cannot say which.
    struct Refused: Error {}

    /// Nonce, ciphertext and tag, one after another. A fresh random nonce unless a test vector gives one.
    static func seal(
        _ plain: [UInt8],
        key: SecretBytes,
        nonce: [UInt8]? = nil,
        authenticating associated: [UInt8]
    ) throws(Refused) -> Data {
        guard key.count == AESGCM.keySize, nonce?.count ?? AESGCM.nonceSize == AESGCM.nonceSize else { throw Refused() }
        var sealed = Data(count: plain.count + AESGCM.overhead)
        sealed.withUnsafeMutableBytes { sealed in
            plain.withUnsafeBytes {
                AESGCM.seal($0, into: sealed, key: key, nonce: nonce, authenticating: associated)
            }
        }
        return sealed
    }

    /// What was sealed.
    static func open(_ sealed: Data, key: SecretBytes, authenticating associated: [UInt8]) throws(Refused) -> [UInt8] {
        guard key.count == AESGCM.keySize, sealed.count >= AESGCM.overhead else { throw Refused() }
        do {
            let size = sealed.count - AESGCM.overhead
            return try [UInt8](unsafeUninitializedCapacity: size) { plain, count in
                let plain = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(plain).prefix(size))
                try sealed.withUnsafeBytes {
                    try AESGCM.open($0, into: plain, key: key, authenticating: associated)
                }
                count = size
            }
        } catch {
            throw Refused()
        }
    }
}
