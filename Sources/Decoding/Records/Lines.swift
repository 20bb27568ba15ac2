/// Each line of a text: `{"line": TEXT, "number": N}`. Empty lines are left out, but counted.
package struct Lines: RecordDecoder {
    private var lines: LineReader
    private var beginning = TextBeginning(refuses: [.html])

    /// A decoder of one file.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        lines = LineReader(limit: limits.record, endsAtCR: true)
    }

    package var isBehind: Bool { lines.isBehind }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try beginning.look(at: bytes)
        try lines.take(bytes) { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        try lines.finish { text, line throws(DecodingFault) in Self.add(text, line, block) }
    }

    /// Adds a line, and returns whether there is room for another.
    private static func add(_ text: UnsafeRawBufferPointer, _ line: Int, _ block: BlockBuilder) -> Bool {
        if text.isEmpty { return true }
        block.begin()
        block.json.append(#"{"line":"#)
        block.json.appendString(text)
        block.json.append(#","number":"#)
        block.json.append(line)
        block.json.append("}")
        return !block.isFull
    }
}
