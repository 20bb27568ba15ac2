internal import CSimdJSON
internal import Synchronization

/// Lends out simdjson's first stage; its index buffers are kept between documents.
enum JSONIndexer {
    /// The addresses of indexers that wait for their next document, 0 in an empty slot. Without a lock: every document takes one
    /// and gives it back, and threads that parse at the same time would wait for each other.
    ///
    /// simdjson requires only that one thread at a time uses an indexer: a thread that takes one leaves 0.
    private static let idle = InlineArray<4, Atomic<UInt>> { _ in Atomic(0) }
    /// An indexer that has grown for a document larger than this is freed: its index takes four bytes for each byte.
    private static let keptDocumentBytes = 8 << 20

    /// Calls `body` with the offsets of all structural characters and scalars of `bytes`, which has the padding.
    static func withIndex<Result: ~Copyable>(
        of bytes: UnsafeBufferPointer<UInt8>,
        _ body: (UnsafeBufferPointer<UInt32>) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { throw JSONError("the document is empty", at: 0) }
        guard let indexer = take() ?? plughost_simdjson_new() else {
            throw .noMemory
        }
        defer { giveBack(indexer, after: bytes.count) }
        var indexes: UnsafePointer<UInt32>?
        var count = 0
        // "valid until the next call with this indexer": `body` ends before the indexer is given back.
        let status = plughost_simdjson_index(indexer, base, bytes.count, &indexes, &count)
        guard status == plughost_simdjson_ok.rawValue else { throw error(status, in: bytes) }
        return try body(UnsafeBufferPointer(start: indexes, count: count))
    }

    private static func take() -> OpaquePointer? {
        for place in idle.indices where idle[place].load(ordering: .relaxed) != 0 {
            if let indexer = OpaquePointer(bitPattern: idle[place].exchange(0, ordering: .acquiring)) { return indexer }
        }
        return nil
    }

    private static func giveBack(_ indexer: OpaquePointer, after bytes: Int) {
        let address = UInt(bitPattern: indexer)
        for place in idle.indices where bytes <= keptDocumentBytes {
            if idle[place].compareExchange(expected: 0, desired: address, ordering: .releasing).exchanged { return }
        }
        plughost_simdjson_free(indexer)
    }

    private static func error(_ status: Int32, in bytes: UnsafeBufferPointer<UInt8>) -> JSONError {
        switch UInt32(bitPattern: status) {
        case plughost_simdjson_empty.rawValue: JSONError("the document is empty", at: 0)
        case plughost_simdjson_utf8.rawValue: JSONError("the text is not UTF-8", at: JSONFault.utf8(in: bytes))
        case plughost_simdjson_string.rawValue: JSONError("a string does not end", at: JSONFault.openString(in: bytes))
        case plughost_simdjson_control.rawValue:
            JSONError("a string contains an unescaped control character", at: JSONFault.controlCharacter(in: bytes))
        case plughost_simdjson_memory.rawValue: .noMemory
        default: JSONError("the document cannot be indexed", at: 0)
        }
    }
}
