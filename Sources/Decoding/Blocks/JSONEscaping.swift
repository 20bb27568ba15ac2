/// The inside of JSON strings: UTF-8 in which `"`, `\` and control characters are escaped.
enum JSONEscaping {
    /// How many bytes one byte may become.
    static let growth = 6
    /// How much extra room is needed, because eight bytes are written at a time.
    static let slack = EightBytes.size

    /// Writes a text, and advances the position it is given past it.
    ///
    /// - Parameter out: Has room for `growth` times the text, plus `slack`.
    @inline(__always)
    static func write(_ from: UnsafeRawPointer, _ length: Int, to out: inout UnsafeMutableRawPointer) {
        var at = 0
        while at + EightBytes.size <= length {
            let bytes = EightBytes(from + at)
            if bytes.needsEscape == 0 {
                bytes.store(to: out)
                out += EightBytes.size
                at += EightBytes.size
            } else {
                writeBytes(from + at, EightBytes.size, to: &out)
                at += EightBytes.size
            }
        }
        let rest = length - at
        if rest == 0 { return }
        // Repeats the last eight bytes if none of them changes: most texts are short, and eight bytes at once are faster than one by one.
        if at > 0 {
            let bytes = EightBytes(from + length - EightBytes.size)
            if bytes.needsEscape == 0 {
                bytes.store(to: out - (EightBytes.size - rest))
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
