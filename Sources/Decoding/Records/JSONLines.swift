/// One JSON value on each line (JSONL, NDJSON), or, where the file begins with one, behind a record separator each (RFC 7464).
/// Blank lines are nothing.
package struct JSONLines: RecordDecoder {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let separator: UInt8 = 0x1E

    private let limit: Int
    private var lines: LineReader
    /// Whether anything but blanks has come.
    private var hasBegun = false
    private var beginning = TextBeginning(refuses: [.html, .xml])

    /// A decoder of one file.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        limit = limits.record
        // A return is white space in JSON, so that CRLF needs nothing.
        lines = LineReader(limit: limit, endsAtCR: false)
    }

    package var isBehind: Bool { lines.isBehind }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try beginning.look(at: bytes)
        if !hasBegun, let first = bytes.trimmedOfLineEnds.first {
            hasBegun = true
            // A text behind a separator may span lines.
            if first == Self.separator { lines = LineReader(limit: limit, endsAtCR: false, end: Self.separator) }
        }
        try lines.take(bytes) { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        try lines.finish { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    /// Adds a line, and says whether there is room for another one.
    @inline(__always)
    private static func add(_ text: UnsafeRawBufferPointer, _ line: Int, _ block: BlockBuilder) -> Bool {
        var text = text.trimmedOfLineEnds
        // Files that were joined have byte order marks inside, and some write separators on lines of their own.
        while text.first == separator || text.starts(with: mark) {
            text = UnsafeRawBufferPointer(rebasing: text[(text[0] == separator ? 1 : mark.count)...]).trimmedOfLineEnds
        }
        if !text.isEmpty { block.appendUnproved(text, line: line) }
        return !block.isFull
    }
}
