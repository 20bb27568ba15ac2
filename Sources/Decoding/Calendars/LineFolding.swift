/// Joins lines that were folded: one that begins with a blank continues the one before it (RFC 5545, 3.1).
struct LineFolding {
    private var bytes: [UInt8] = []
    private var line = 0

    /// How many bytes the line has that may still go on.
    var count: Int { bytes.count }

    /// Takes a line in; gives the one before it, with its number, where that is whole now.
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
