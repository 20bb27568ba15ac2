internal import Crypto
internal import FoundationEssentials

/// AES-256-GCM with 96-bit nonces and 128-bit tags: the only cipher that plughost stores values with.
enum AuthenticatedCipher {
    /// A value was changed, cut, moved, or sealed with another key. The cipher cannot say which.
    struct Refused: Error {}

    static let nonceSize = 12
    static let tagSize = 16

    /// Nonce, ciphertext and tag, one after another. A fresh random nonce unless a test vector gives one.
    static func seal(
        _ plain: [UInt8],
        key: SymmetricKey,
        nonce: [UInt8]? = nil,
        authenticating associated: [UInt8]
    ) throws -> Data {
        guard key.bitCount == 256 else { throw Refused() }
        let box = try AES.GCM.seal(
            plain,
            using: key,
            nonce: nonce.map { try AES.GCM.Nonce(data: $0) },
            authenticating: associated
        )
        guard let combined = box.combined, combined.count == plain.count + nonceSize + tagSize else { throw Refused() }
        return combined
    }

    /// What was sealed.
    static func open(_ sealed: Data, key: SymmetricKey, authenticating associated: [UInt8]) throws(Refused) -> [UInt8] {
        guard key.bitCount == 256, sealed.count >= nonceSize + tagSize else { throw Refused() }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return [UInt8](try AES.GCM.open(box, using: key, authenticating: associated))
        } catch {
            throw Refused()
        }
    }
}
