internal import CLibCrypto

/// One sealing or opening with AES-256-GCM, on one thread. It is freed, and its key schedule wiped, with this value.
struct CipherContext: ~Copyable {
    enum Direction: Int32 {
        case open = 0
        case seal = 1
    }

    private let context: OpaquePointer

    /// Key and nonce are copied: 32 and 12 bytes, the cipher's own sizes.
    init(_ direction: Direction, _ key: SecretBytes, nonce: UnsafeRawBufferPointer) {
        context = made(EVP_CIPHER_CTX_new())
        let result = key.withUnsafeBytes { [context] key in
            EVP_CipherInit_ex2(
                context,
                LibCrypto.aes256GCM.pointer,
                key.bindMemory(to: UInt8.self).baseAddress,
                nonce.bindMemory(to: UInt8.self).baseAddress,
                direction.rawValue,
                nil
            )
        }
        succeeded(result)
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Processes a text and writes as many bytes; without an `output` the text is only authenticated.
    func update(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer?) {
        var at = 0
        while at < input.count {
            // The C function counts with an int, and accepts a text in any pieces.
            let piece = UnsafeRawBufferPointer(rebasing: input[at..<min(at + Self.largestPiece, input.count)])
            var written: Int32 = 0
            succeeded(
                EVP_CipherUpdate(
                    context,
                    output?.baseAddress.map { ($0 + at).assumingMemoryBound(to: UInt8.self) },
                    &written,
                    piece.bindMemory(to: UInt8.self).baseAddress,
                    Int32(piece.count)
                )
            )
            at += piece.count
        }
    }

    /// The tag to compare with, which is copied: 16 bytes.
    func expectTag(_ tag: UnsafeRawBufferPointer) {
        let bytes = UnsafeMutableRawPointer(mutating: tag.baseAddress)
        // Takes what it does not change through a mutable pointer.
        succeeded(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), bytes))
    }

    /// Ends the text. `false` if an opened value does not have the expected tag.
    func finish() -> Bool {
        // Writes nothing, as the mode has no padding, but requires a buffer.
        var (nothing, written): (UInt64, Int32) = (0, 0)
        return withUnsafeMutableBytes(of: &nothing) {
            EVP_CipherFinal_ex(context, $0.bindMemory(to: UInt8.self).baseAddress, &written) == 1
        }
    }

    /// Copies the tag of a sealed value: 16 bytes.
    func readTag(into tag: UnsafeMutableRawBufferPointer) {
        succeeded(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), tag.baseAddress))
    }

    private static let largestPiece = 1 << 30
}
