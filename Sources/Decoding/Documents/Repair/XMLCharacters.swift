/// Which bytes mean something where text is read.
enum XMLCharacters {
    /// U+FFFD.
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    /// The first byte from `start` on that is not simply text: a control character other than a blank, the beginning of U+FFFE or
    /// U+FFFF, or one of three marks.
    @inline(__always)
    static func end(
        of text: UnsafeRawBufferPointer,
        from start: Int,
        at mark: UInt8,
        _ second: UInt8,
        _ third: UInt8
    ) -> Int {
        var at = start
        while at < text.count {
            // Eight at a time while none of them is meant.
            while at + 8 <= text.count {
                let word = text.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                let marks = has(word, mark) | has(word, second) | has(word, third) | has(word, 0xEF) | hasControl(word)
                if marks != 0 { break }
                at += 8
            }
            let stop = min(at + 8, text.count)
            while at < stop {
                let byte = text[at]
                if byte == mark || byte == second || byte == third || byte == 0xEF || byte < 0x20 && !isBlank(byte) {
                    return at
                }
                at += 1
            }
        }
        return at
    }

    @inline(__always)
    private static func spread(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

    /// Not 0 if one of eight bytes is this one.
    @inline(__always)
    private static func has(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        let rest = word ^ spread(byte)
        return (rest &- 0x0101_0101_0101_0101) & ~rest & 0x8080_8080_8080_8080
    }

    /// Not 0 if one of eight bytes is less than 0x20.
    @inline(__always)
    private static func hasControl(_ word: UInt64) -> UInt64 {
        (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
    }

    /// The length of a character that XML does not allow, 0 if it is allowed; `nil` if more must come.
    static func forbidden(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Int? {
        if bytes[at] < 0x20 { return isBlank(bytes[at]) ? 0 : 1 }
        guard bytes[at] == 0xEF else { return 0 }
        guard at + 2 < bytes.count else { return nil }
        return bytes[at + 1] == 0xBF && bytes[at + 2] >= 0xBE ? 3 : 0
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// Whether a name may begin with a byte: a letter, `_`, `:`, or a character beyond ASCII.
    @inline(__always)
    static func beginsName(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte >= 0x80 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: ":")
    }

    @inline(__always)
    static func isInName(_ byte: UInt8) -> Bool {
        beginsName(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
