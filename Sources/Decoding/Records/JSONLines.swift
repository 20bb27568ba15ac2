/// One JSON value on each line (JSONL, NDJSON), or behind a record separator each (RFC 7464). Blank lines are nothing.
package struct JSONLines: RecordDecoder {
    private var lines: LineReader

    /// A decoder of one file.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        // A return is white space in JSON, so that CRLF needs nothing.
        lines = LineReader(limit: limits.record, endsAtCR: false)
    }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try lines.take(bytes) { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        try lines.finish { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    @inline(__always)
    private static func add(_ text: UnsafeRawBufferPointer, _ line: Int, _ block: BlockBuilder) {
        var text = text.trimmed
        if text.first == 0x1E { text = UnsafeRawBufferPointer(rebasing: text[1...]).trimmed }
        if !text.isEmpty { block.appendUnproved(text, line: line) }
    }
}
