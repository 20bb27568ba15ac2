/// A page of JSON, parsed where it lies: the bytes and, for each structural, where it begins and how far it reaches.
///
/// - Note: `@unchecked Sendable` proof: all storage is written in `init` and only read afterwards; it is freed in
///   `deinit`, and every view keeps its document alive.
public final class JSONDocument: @unchecked Sendable {
    private let buffer: JSONBuffer
    private let starts: UnsafeMutableBufferPointer<UInt32>
    private let reaches: UnsafeMutableBufferPointer<UInt32>
    @usableFromInline let cursor: JSONCursor

    /// Parses a whole document.
    ///
    /// - Parameters:
    ///   - buffer: The document; it must not be changed afterwards. A byte order mark before it is skipped.
    ///   - limits: What is refused.
    /// - Throws: `JSONError` with the offset of the first fault.
    public init(_ buffer: JSONBuffer, limits: JSONLimits = JSONLimits()) throws(JSONError) {
        guard buffer.count <= limits.bytes else {
            throw JSONError("the document is larger than \(limits.bytes) bytes", at: limits.bytes)
        }
        let bytes = UnsafeBufferPointer(start: buffer.base, count: buffer.count)
        let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let text = UnsafeBufferPointer(rebasing: bytes[mark...])
        let (starts, reaches) = try Self.tape(of: text, limits, mark)
        self.buffer = buffer
        self.starts = starts
        self.reaches = reaches
        cursor = JSONCursor(bytes: buffer.base, starts: starts.baseAddress, reaches: reaches.baseAddress)
    }

    /// Parses a copy of these bytes.
    public convenience init(
        bytes: some Collection<UInt8>,
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) {
        try self.init(JSONBuffer(bytes), limits: limits)
    }

    deinit {
        starts.deallocate()
        reaches.deallocate()
    }

    private typealias Tape = (UnsafeMutableBufferPointer<UInt32>, UnsafeMutableBufferPointer<UInt32>)

    private static func tape(
        of text: UnsafeBufferPointer<UInt8>,
        _ limits: JSONLimits,
        _ mark: Int
    ) throws(JSONError) -> Tape {
        do throws(JSONError) {
            return try JSONIndexer.withIndex(of: text) {
                (index: UnsafeBufferPointer<UInt32>) throws(JSONError) -> Tape in
                let reaches = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: index.count)
                reaches.initialize(repeating: 0)
                let grammar = JSONGrammar(bytes: text, starts: index, reaches: reaches, depthLimit: limits.depth)
                do throws(JSONError) { try grammar.check() } catch {
                    reaches.deallocate()
                    throw error
                }
                let starts = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: index.count)
                _ = starts.initialize(from: index)
                if mark > 0 { shift(starts, reaches, text, by: UInt32(mark)) }
                return (starts, reaches)
            }
        } catch {
            throw JSONError(error.reason, at: error.offset + mark)
        }
    }

    /// Moves offsets behind a byte order mark; an opener's reach is a structural's number and stays.
    private static func shift(
        _ starts: UnsafeMutableBufferPointer<UInt32>,
        _ reaches: UnsafeMutableBufferPointer<UInt32>,
        _ text: UnsafeBufferPointer<UInt8>,
        by mark: UInt32
    ) {
        for at in starts.indices {
            let first = text[Int(starts[at])]
            starts[at] += mark
            if first != UInt8(ascii: "{"), first != UInt8(ascii: "[") { reaches[at] += mark }
        }
    }

    /// The document's one value.
    public var root: JSONView { JSONView(document: self, node: 0) }

    /// How many bytes the document has.
    public var byteCount: Int { buffer.count }

    /// Walks the document by unsafe cursor; nothing of it may leave the closure.
    @inlinable
    @inline(__always)
    public func withCursor<Result, Failure: Error>(
        _ body: (JSONCursor) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(cursor)
    }
}
