/// Fields as `application/x-www-form-urlencoded` (the WHATWG URL standard, and RFC 6749, appendix B), in bodies and in queries
/// encoded the same way.
package enum FormText {
    /// A text with spaces as `+`, and everything but letters, digits and `*-._` percent-encoded as UTF-8.
    package static func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `name=value&name=value`
    package static func encode(_ fields: some Sequence<(name: String, value: String)>) -> String {
        var bytes: [UInt8] = []
        for field in fields {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            append(field.name, to: &bytes)
            bytes.append(UInt8(ascii: "="))
            append(field.value, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The fields of a text in order; a piece without `=` is a name with an empty value, and empty pieces are skipped.
    ///
    /// - Returns: `nil` if a percent sign is not followed by two digits, or the decoded text is not UTF-8.
    package static func decode(_ text: some StringProtocol) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for piece in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(Array(parts[0])), let value = decoded(parts.count > 1 ? Array(parts[1]) : [])
            else {
                return nil
            }
            fields.append((name, value))
        }
        return fields
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else {
                PercentEncoding.append(byte, to: &bytes)
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func decoded(_ source: [UInt8]) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var at = 0
        while at < source.count {
            switch source[at] {
            case UInt8(ascii: "%"):
                guard let byte = PercentEncoding.byte(at: at, of: source) else { return nil }
                bytes.append(byte)
                at += 3
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
                at += 1
            default:
                bytes.append(source[at])
                at += 1
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
