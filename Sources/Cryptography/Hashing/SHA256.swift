internal import CLibCrypto

/// SHA-256 (FIPS 180-4), of bytes in pieces or all at once.
package struct SHA256: ~Copyable {
    /// The size of a digest in bytes.
    package static let size = 32
    /// The size of a block in bytes.
    static let blockSize = 64

    /// EVP_MD_CTX, freed (and wiped) with this value, which one thread uses at a time.
    private let context: OpaquePointer

    /// Starts without any bytes.
    package init() {
        context = made(EVP_MD_CTX_new())
        succeeded(EVP_DigestInit_ex2(context, LibCrypto.sha256.pointer, nil))
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Hashes more bytes.
    package mutating func update(_ bytes: [UInt8]) { bytes.withUnsafeBytes { update($0) } }

    /// Hashes more bytes, which are read only during the call.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        succeeded(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// The digest of everything: 32 bytes.
    package consuming func finalize() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.size) { digest, count in
            write(into: UnsafeMutableRawBufferPointer(digest))
            count = Self.size
        }
    }

    /// Writes the digest of everything, which takes 32 bytes.
    consuming func finalize(into digest: UnsafeMutableRawBufferPointer) { write(into: digest) }

    /// The context is unusable afterwards, so only consuming functions call this.
    private func write(into digest: UnsafeMutableRawBufferPointer) {
        precondition(digest.count >= Self.size, "a digest has 32 bytes")
        // Writes exactly 32 bytes; the count is not needed.
        succeeded(EVP_DigestFinal_ex(context, digest.baseAddress, nil))
    }

    /// The digest of these bytes: 32 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }
}
