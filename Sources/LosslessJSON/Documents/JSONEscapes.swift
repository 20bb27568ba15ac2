internal import Glibc

/// Decodes the inside of a JSON string whose grammar has already been checked.
enum JSONEscapes {
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Appends the decoded text as UTF-8; a lone surrogate becomes U+FFFD.
    ///
    /// - Returns: How many lone surrogates there were.
    @discardableResult
    static func decode(_ raw: UnsafeBufferPointer<UInt8>, into text: inout [UInt8]) -> Int {
        var replaced = 0
        var at = 0
        while at < raw.count, let base = raw.baseAddress {
            // Everything before the next escape is copied in one piece.
            let found = memchr(base + at, 0x5C, raw.count - at)
            let next = found.map { UnsafeRawPointer(base).distance(to: UnsafeRawPointer($0)) } ?? raw.count
            text.append(contentsOf: UnsafeBufferPointer(rebasing: raw[at..<next]))
            guard next < raw.count else { break }
            at = next
            let escape = raw[at + 1]
            at += 2
            switch escape {
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "u"):
                let scalar = unicode(raw, &at)
                replaced += scalar == nil ? 1 : 0
                text.append(contentsOf: String(Character(scalar ?? "\u{FFFD}")).utf8)
            default: text.append(escape)
            }
        }
        return replaced
    }

    /// Whether a `\\u` escape in these bytes stands for a matching UTF-16 unit. Other escapes are skipped.
    static func find(_ bytes: UnsafeBufferPointer<UInt8>, _ isWanted: (UInt32) -> Bool) -> Bool {
        var at = 0
        while let base = bytes.baseAddress, let found = memchr(base + at, 0x5C, bytes.count - at) {
            at = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
            if bytes[at + 1] == UInt8(ascii: "u"), isWanted(unit(bytes, at + 2)) { return true }
            at += 2
        }
        return false
    }

    /// The scalar whose four digits begin at `at`, including the second half of a surrogate pair.
    private static func unicode(_ raw: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Unicode.Scalar? {
        let first = unit(raw, at)
        at += 4
        guard 0xD800...0xDBFF ~= first else { return Unicode.Scalar(first) }
        guard at + 6 <= raw.count, raw[at] == UInt8(ascii: "\\"), raw[at + 1] == UInt8(ascii: "u") else { return nil }
        let second = unit(raw, at + 2)
        guard 0xDC00...0xDFFF ~= second else { return nil }
        at += 6
        return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    }

    private static func unit(_ raw: UnsafeBufferPointer<UInt8>, _ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 << 4 | (hexValue(raw[at + $1]) ?? 0) }
    }
}
