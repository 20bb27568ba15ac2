internal import CLibCrypto

/// HMAC with SHA-256 (RFC 2104, FIPS 198-1).
///
/// Built on the hash, as the standard defines it: libcrypto's own takes three times as long for short messages, as it looks up
/// its hash by name for every key.
package enum HMAC {
    /// The code of a message: 32 bytes.
    package static func code(for message: [UInt8], key: SecretBytes) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256.size) { code, count in
            key.withUnsafeBytes { key in
                message.withUnsafeBytes { write(codeFor: $0, key: key, into: UnsafeMutableRawBufferPointer(code)) }
            }
            count = SHA256.size
        }
    }

    /// Writes the code of a message, which takes 32 bytes. Anything derived from the key is wiped.
    static func write(
        codeFor message: UnsafeRawBufferPointer,
        key: UnsafeRawBufferPointer,
        into code: UnsafeMutableRawBufferPointer
    ) {
        withUnsafeTemporaryAllocation(byteCount: SHA256.blockSize, alignment: 8) { block in
            defer { OPENSSL_cleanse(block.baseAddress, block.count) }
            block.initializeMemory(as: UInt8.self, repeating: 0)
            if key.count > block.count {
                var hash = SHA256()
                hash.update(key)
                hash.finalize(into: block)
            } else {
                block.copyBytes(from: key)
            }
            for at in block.indices { block[at] ^= innerPad }
            var inner = SHA256()
            inner.update(UnsafeRawBufferPointer(block))
            inner.update(message)
            inner.finalize(into: code)
            for at in block.indices { block[at] ^= innerPad ^ outerPad }
            var outer = SHA256()
            outer.update(UnsafeRawBufferPointer(block))
            outer.update(UnsafeRawBufferPointer(rebasing: code.prefix(SHA256.size)))
            outer.finalize(into: code)
        }
    }

    private static let innerPad: UInt8 = 0x36
    private static let outerPad: UInt8 = 0x5C
}
