extension JSONValue {
    /// The value without white space, members in order, only `"`, `\` and control characters escaped.
    public var compactText: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the compact text.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .number(let number): bytes.append(contentsOf: number.text.utf8)
        case .string(let string): JSONText.appendQuoted(string.text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (at, element) in elements.enumerated() {
                if at > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (at, member) in object.members.enumerated() {
                if at > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.appendQuoted(member.key.text, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

/// Writes strings.
public enum JSONText {
    /// Appends a text in quotes, with `"`, `\` and the characters below U+0020 escaped and nothing else.
    public static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { appendQuoted($0, to: &bytes) }
    }

    /// Appends UTF-8 in quotes, escaped the same way.
    public static func appendQuoted(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if isAnyEscaped(text) {
            for byte in text { appendEscaped(byte, to: &bytes) }
        } else {
            bytes.append(contentsOf: text)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte of a string is written with a backslash.
    @inline(__always)
    static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Whether any byte is written with a backslash.
    public static func isAnyEscaped(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        var at = 0
        while at + 8 <= bytes.count {
            if isAnyEscaped(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) { return true }
            at += 8
        }
        return bytes[at...].contains(where: isEscaped)
    }

    /// Whether any of eight bytes is. In each byte's highest bit a subtraction borrows if the byte is the smaller one; the
    /// borrow may mark the byte above as well, so this shows whether, but not which.
    private static func isAnyEscaped(_ eight: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = eight ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslashes = eight ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let controls = (eight &- ones &* 0x20) & ~eight
        let found = controls | (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
        return found & (ones &* 0x80) != 0
    }

    @inline(__always)
    static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
        guard isEscaped(byte) else { return bytes.append(byte) }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}
