internal import PlugCore

/// Unguessable UUIDs.
enum UUIDText {
    /// A random UUID (version 4) in lower case.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = (generator.next(), generator.next())
        return text((words.0 & ~0xF000 | 0x4000, words.1 & ~(0b11 << 62) | 0b10 << 62))
    }

    /// A UUID that begins with its time (version 7), so that ids of one request are adjacent in an index.
    ///
    /// - Parameter milliseconds: The time since 1970.
    static func random(at milliseconds: Int64) -> String {
        var generator = SystemRandomNumberGenerator()
        let time = UInt64(truncatingIfNeeded: milliseconds) << 16
        let chance = generator.next()
        return text((time | 0x7000 | chance & 0xFFF, generator.next() & ~(0b11 << 62) | 0b10 << 62))
    }

    private static func text(_ words: (UInt64, UInt64)) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for at in 0..<16 {
            if at == 4 || at == 6 || at == 8 || at == 10 { text.append(UInt8(ascii: "-")) }
            let word = at < 8 ? words.0 : words.1
            Hexadecimal.append(UInt8(truncatingIfNeeded: word >> UInt64(56 - at % 8 * 8)), to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether a text is a UUID in the usual form; upper case is accepted.
    static func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { at, byte in
            [8, 13, 18, 23].contains(at) ? byte == UInt8(ascii: "-") : Hexadecimal.value(of: byte) != nil
        }
    }
}
