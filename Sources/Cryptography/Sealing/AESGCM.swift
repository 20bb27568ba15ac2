internal import CLibCrypto

/// AES-256 in Galois/Counter Mode (NIST SP 800-38D) with nonces of 96 bits and tags of 128.
///
/// A sealed value is nonce, ciphertext and tag, in that order.
package enum AESGCM {
    /// A value was changed, truncated, or sealed with another key. The cipher cannot tell which.
    package struct Refused: Error {}

    /// The size of a key in bytes.
    package static let keySize = 32
    /// The size of a nonce in bytes.
    package static let nonceSize = 12
    /// The size of a tag in bytes.
    package static let tagSize = 16
    /// How much larger a sealed value is.
    package static let overhead = nonceSize + tagSize

    /// Seals a value.
    ///
    /// - Parameters:
    ///   - sealed: The destination; `overhead` bytes more than `plain`.
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes, freshly random except in test vectors. Never use a nonce twice with one key.
    ///   - associated: Data to which the value is bound; it is not part of the sealed value.
    package static func seal(
        _ plain: UnsafeRawBufferPointer,
        into sealed: UnsafeMutableRawBufferPointer,
        key: SecretBytes,
        nonce: [UInt8]? = nil,
        authenticating associated: [UInt8]
    ) {
        precondition(key.count == keySize && nonce?.count ?? nonceSize == nonceSize, "a key of 32 bytes, a nonce of 12")
        precondition(sealed.count == plain.count + overhead, "a sealed value has one size")
        let nonceBytes = UnsafeMutableRawBufferPointer(rebasing: sealed.prefix(nonceSize))
        if let nonce { nonceBytes.copyBytes(from: nonce) } else { SecureRandom.fill(nonceBytes) }
        let ciphertext = UnsafeMutableRawBufferPointer(rebasing: sealed[nonceSize..<nonceSize + plain.count])
        let tag = UnsafeMutableRawBufferPointer(rebasing: sealed.suffix(tagSize))

        let cipher = CipherContext(.seal, key, nonce: UnsafeRawBufferPointer(nonceBytes))
        associated.withUnsafeBytes { cipher.update($0, into: nil) }
        cipher.update(plain, into: ciphertext)
        // With valid arguments it cannot fail: only opening compares a tag.
        precondition(cipher.finish(), "AES-GCM does not seal")
        cipher.readTag(into: tag)
    }

    /// Opens a value.
    ///
    /// - Parameter plain: The destination; `overhead` bytes less than `sealed`. Zeros if the value is refused.
    package static func open(
        _ sealed: UnsafeRawBufferPointer,
        into plain: UnsafeMutableRawBufferPointer,
        key: SecretBytes,
        authenticating associated: [UInt8]
    ) throws(Refused) {
        precondition(key.count == keySize, "a key of 32 bytes")
        guard sealed.count >= overhead else { throw Refused() }
        precondition(plain.count == sealed.count - overhead, "a value has one size")
        let nonce = UnsafeRawBufferPointer(rebasing: sealed.prefix(nonceSize))
        let ciphertext = UnsafeRawBufferPointer(rebasing: sealed[nonceSize..<sealed.count - tagSize])
        let tag = UnsafeRawBufferPointer(rebasing: sealed.suffix(tagSize))

        let cipher = CipherContext(.open, key, nonce: nonce)
        associated.withUnsafeBytes { cipher.update($0, into: nil) }
        cipher.update(ciphertext, into: plain)
        cipher.expectTag(tag)
        guard cipher.finish() else {
            // Deciphered data that is not authentic must not be seen.
            OPENSSL_cleanse(plain.baseAddress, plain.count)
            forgetErrors()
            throw Refused()
        }
    }
}
