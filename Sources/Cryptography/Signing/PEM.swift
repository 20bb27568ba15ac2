internal import CLibCrypto

/// Keys as PEM text, read and written through in-memory BIOs, which last as long as the call.
enum PEM {
    typealias Reader = (_ source: OpaquePointer) -> OpaquePointer?

    /// The object that `reader` finds in a text, for the caller to free; `nil` if there is none.
    static func read(_ text: String, _ reader: Reader) -> OpaquePointer? {
        // Errors from text that is not a key must not remain, nor those from the end of a BIO.
        defer { forgetErrors() }
        var text = text
        return text.withUTF8 { bytes in
            guard let count = Int32(exactly: bytes.count), let start = bytes.baseAddress else { return nil }
            // Reads the bytes in place: it is freed before they go.
            let source = made(BIO_new_mem_buf(start, count))
            defer { BIO_free(source) }
            return reader(source)
        }
    }

    /// The text that `writer` writes. BIO_free wipes its copy.
    static func write(_ writer: (_ target: OpaquePointer) -> Int32) -> String {
        let target = made(BIO_new(BIO_s_mem()))
        defer { BIO_free(target) }
        succeeded(writer(target))
        let size = BIO_ctrl_pending(target)
        return String(unsafeUninitializedCapacity: size) { bytes in
            var count = 0
            // Returns everything at once.
            succeeded(BIO_read_ex(target, bytes.baseAddress, size, &count))
            return count
        }
    }

    /// For encrypted keys: without a callback libcrypto would ask for a password on the terminal.
    static let noPassword:
        @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
            { _, _, _, _ in -1 }
}
