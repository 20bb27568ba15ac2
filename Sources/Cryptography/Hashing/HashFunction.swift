internal import CLibCrypto

/// The hashes that services specify for signatures they require. Our own data uses only SHA-256.
///
/// MD5 and SHA-1 can be forged by anyone who chooses what is hashed. Within an HMAC, or if a service requires them, there is no
/// alternative.
package enum HashFunction: String, Sendable, CaseIterable {
    case md5, sha1, sha256, sha384, sha512

    private static let fetched: [HashFunction: Fetched] = Dictionary(
        uniqueKeysWithValues: allCases.map {
            ($0, Fetched(EVP_MD_fetch(LibCrypto.context.pointer, $0.libraryName, nil)))
        }
    )

    /// libcrypto's name.
    var libraryName: String {
        switch self {
        case .md5: "MD5"
        case .sha1: "SHA1"
        case .sha256: "SHA2-256"
        case .sha384: "SHA2-384"
        case .sha512: "SHA2-512"
        }
    }

    /// The size of a digest in bytes.
    package var size: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The size of a block in bytes.
    private var blockSize: Int {
        switch self {
        case .md5, .sha1, .sha256: 64
        case .sha384, .sha512: 128
        }
    }

    /// The digest of bytes.
    package func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { digest, count in
            bytes.withUnsafeBytes { write(hashOf: [$0], into: UnsafeMutableRawBufferPointer(digest)) }
            count = size
        }
    }

    /// The authentication code of a message: HMAC (RFC 2104). Anything derived from the key is wiped.
    package func code(for message: [UInt8], key: SecretBytes) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { code, count in
            let code = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(code).prefix(size))
            withUnsafeTemporaryAllocation(byteCount: blockSize, alignment: 8) { block in
                defer { OPENSSL_cleanse(block.baseAddress, block.count) }
                block.initializeMemory(as: UInt8.self, repeating: 0)
                key.withUnsafeBytes { key in
                    if key.count > block.count {
                        write(hashOf: [key], into: block)
                    } else {
                        block.copyBytes(from: key)
                    }
                }
                for at in block.indices { block[at] ^= 0x36 }
                message.withUnsafeBytes { write(hashOf: [UnsafeRawBufferPointer(block), $0], into: code) }
                for at in block.indices { block[at] ^= 0x36 ^ 0x5C }
                write(hashOf: [UnsafeRawBufferPointer(block), UnsafeRawBufferPointer(code)], into: code)
            }
            count = size
        }
    }

    /// Writes the digest of consecutive pieces. A piece may overlap the digest: it is read first.
    private func write(hashOf pieces: [UnsafeRawBufferPointer], into digest: UnsafeMutableRawBufferPointer) {
        precondition(digest.count >= size, "there is place for the digest")
        let context = made(EVP_MD_CTX_new())
        // Wipes what was hashed.
        defer { EVP_MD_CTX_free(context) }
        succeeded(EVP_DigestInit_ex2(context, Self.fetched[self]?.pointer, nil))
        for piece in pieces { succeeded(EVP_DigestUpdate(context, piece.baseAddress, piece.count)) }
        // Writes exactly `size` bytes; the count is not needed.
        succeeded(EVP_DigestFinal_ex(context, digest.baseAddress, nil))
    }
}
