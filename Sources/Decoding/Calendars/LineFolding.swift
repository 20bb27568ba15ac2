/// Joins folded lines: one that begins with a blank continues the one before it (RFC 5545, 3.1).
struct LineFolding {
    private var bytes: [UInt8] = []
    private var line = 0

    /// The length in bytes of the line that may still continue.
    var count: Int { bytes.count }

    /// Takes a line; returns the previous one, with its number, if that is now complete.
    mutating func take(_ text: UnsafeRawBufferPointer, _ number: Int) -> (bytes: [UInt8], line: Int)? {
        if let first = text.first, first == 0x20 || first == 0x09, !bytes.isEmpty {
            bytes.append(contentsOf: text.dropFirst())
            return nil
        }
        let whole = end()
        (bytes, line) = (Array(text), number)
        return whole
    }

    /// The last line.
    mutating func end() -> (bytes: [UInt8], line: Int)? {
        if bytes.isEmpty { return nil }
        defer { bytes = [] }
        return (bytes, line)
    }
}
