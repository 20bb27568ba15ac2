import PlugCore

/// Examines bytes before they become text.
enum Encoding {
    /// The offset of the first byte that is not UTF-8, `nil` if all are.
    static func firstInvalidByte(of bytes: [UInt8]) -> Int? {
        // UTF-16 files begin with one of these marks, and are not UTF-8 either way.
        guard !bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return offset
            }
        }
    }

    /// The position of a byte, for files that cannot be decoded as characters.
    static func location(of offset: Int, _ bytes: [UInt8]) -> Diagnostic.Location {
        let before = bytes[..<offset]
        let line = before.count { $0 == UInt8(ascii: "\n") }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let scalars = before[start...].count { $0 & 0xC0 != 0x80 }
        return Diagnostic.Location(line: line + 1, column: scalars + 1)
    }
}
