/// The inside of JSON strings: UTF-8 in which `"`, `\` and control characters are escaped.
enum JSONEscaping {
    /// How many bytes one byte may become.
    static let growth = 6
    /// How much extra room is needed, because whole words are written.
    static let slack = Word.size

    /// Writes a text, and advances the position it is given past it.
    ///
    /// - Parameter out: Has room for `growth` times the text, plus `slack`.
    @inline(__always)
    static func write(_ from: UnsafeRawPointer, _ length: Int, to out: inout UnsafeMutableRawPointer) {
        var at = 0
        while at + Word.size <= length {
            let word = Word(from + at)
            if word.needsEscape == 0 {
                word.store(to: out)
                out += Word.size
                at += Word.size
            } else {
                writeBytes(from + at, Word.size, to: &out)
                at += Word.size
            }
        }
        let rest = length - at
        if rest == 0 { return }
        // Repeats the last eight bytes if none of them changes: most texts are short, and one word is faster than its bytes.
        if at > 0 {
            let word = Word(from + length - Word.size)
            if word.needsEscape == 0 {
                word.store(to: out - (Word.size - rest))
                out += rest
                return
            }
        }
        writeBytes(from + at, rest, to: &out)
    }

    @inline(__always)
    private static func writeBytes(_ from: UnsafeRawPointer, _ length: Int, to out: inout UnsafeMutableRawPointer) {
        for at in 0..<length { write(from.load(fromByteOffset: at, as: UInt8.self), to: &out) }
    }

    @inline(__always)
    private static func write(_ byte: UInt8, to out: inout UnsafeMutableRawPointer) {
        func put(_ byte: UInt8) {
            out.storeBytes(of: byte, as: UInt8.self)
            out += 1
        }
        if byte >= 0x20, byte != 0x22, byte != 0x5C { return put(byte) }
        put(0x5C)
        switch byte {
        case 0x22, 0x5C: put(byte)
        case 0x0A: put(UInt8(ascii: "n"))
        case 0x0D: put(UInt8(ascii: "r"))
        case 0x09: put(UInt8(ascii: "t"))
        default:
            for digit in [UInt8(ascii: "u"), UInt8(ascii: "0"), UInt8(ascii: "0"), byte < 0x10 ? 0x30 : 0x31] {
                put(digit)
            }
            let digit = byte & 15
            put(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }
}
