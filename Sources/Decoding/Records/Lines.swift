/// Each line of a text: `{"line": TEXT, "number": N}`. Empty lines are left out, but counted.
package struct Lines: RecordDecoder {
    private var lines: LineReader

    /// A decoder of one file.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        lines = LineReader(limit: limits.record, endsAtCR: true)
    }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try lines.take(bytes) { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        try lines.finish { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    private static func add(_ text: UnsafeRawBufferPointer, _ line: Int, _ block: BlockBuilder) {
        if text.isEmpty { return }
        block.begin()
        block.json.append(#"{"line":"#)
        block.json.appendString(text)
        block.json.append(#","number":"#)
        block.json.append(line)
        block.json.append("}")
    }
}
