/// One JSON value on each line (JSONL, NDJSON) or, if the file begins with one, each after a record separator (RFC 7464).
/// Blank lines are ignored.
package struct JSONLines: RecordDecoder {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let separator: UInt8 = 0x1E

    private let limit: Int
    private var lines: LineReader
    /// Whether anything but blanks has arrived.
    private var hasBegun = false
    private var beginning = TextBeginning(refuses: [.html, .xml])

    /// A decoder of one file.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        limit = limits.record
        // A carriage return is white space in JSON, so CRLF needs no handling.
        lines = LineReader(limit: limit, endsAtCR: false)
    }

    package var isBehind: Bool { lines.isBehind }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try beginning.look(at: bytes)
        if !hasBegun, let first = bytes.trimmedOfLineEnds.first {
            hasBegun = true
            // A text after a separator may span lines.
            if first == Self.separator { lines = LineReader(limit: limit, endsAtCR: false, end: Self.separator) }
        }
        try lines.take(bytes) { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        try lines.finish { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    /// Adds a line, and returns whether there is room for another.
    @inline(__always)
    private static func add(_ text: UnsafeRawBufferPointer, _ line: Int, _ block: BlockBuilder) -> Bool {
        var text = text.trimmedOfLineEnds
        // Concatenated files have byte order marks inside, and some producers write separators on lines of their own.
        while text.first == separator || text.starts(with: mark) {
            text = UnsafeRawBufferPointer(rebasing: text[(text[0] == separator ? 1 : mark.count)...]).trimmedOfLineEnds
        }
        if !text.isEmpty { block.appendUnproved(text, line: line) }
        return !block.isFull
    }
}
