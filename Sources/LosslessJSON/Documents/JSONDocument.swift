/// A page of JSON, parsed in place: the bytes, and the tape of where each value begins and how far it extends.
///
/// - Note: `@unchecked Sendable` proof: all storage is written in `init` and only read afterwards; it is freed with
///   the document, and every view keeps its document alive.
public final class JSONDocument: @unchecked Sendable {
    private let buffer: JSONBuffer
    /// The length of the byte order mark before the text.
    private let mark: Int
    private let tape: JSONTape
    @usableFromInline let cursor: JSONCursor

    /// Parses a whole document.
    ///
    /// - Parameters:
    ///   - buffer: The document; it must not be changed afterwards. A byte order mark before it is skipped.
    ///   - limits: What is refused.
    /// - Throws: `JSONError` with the offset of the first fault.
    public init(_ buffer: JSONBuffer, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        guard buffer.count <= limits.bytes else {
            throw JSONError("the document is larger than \(limits.bytes) bytes", at: limits.bytes, .tooLarge)
        }
        let mark = buffer.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = UnsafeBufferPointer(rebasing: buffer.bytes[mark...])
        do throws(JSONError) {
            tape = try JSONIndexer.withIndex(of: text) { starts throws(JSONError) in
                guard starts.count <= limits.tokens else {
                    throw JSONError(
                        "the document has more than \(limits.tokens) values and punctuation marks",
                        at: Int(starts[limits.tokens]),
                        .tooManyTokens
                    )
                }
                return try JSONTape.checked(text, starts, depthLimit: limits.depth)
            }
        } catch {
            throw JSONError(error.reason, at: error.offset + mark, error.kind)
        }
        self.buffer = buffer
        self.mark = mark
        cursor = JSONCursor(text, tape)
    }

    /// Parses a copy of these bytes.
    public convenience init(
        bytes: some Collection<UInt8>,
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        try self.init(JSONBuffer(bytes), limits: limits)
    }

    /// The document's one value.
    public var root: JSONView { JSONView(document: self, node: 0) }

    /// The size of the document in bytes.
    public var byteCount: Int { buffer.count }

    /// The offset of a node in the document, from its first byte.
    public func offset(of node: Int) -> Int { mark + Int(tape.nodes[node].start) }

    /// Walks the document with an unsafe cursor; nothing in it may escape the closure.
    @inlinable
    @inline(__always)
    public func withCursor<Result, Failure: Error>(
        _ body: (JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(cursor)
    }
}
