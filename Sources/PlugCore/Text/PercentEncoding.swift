/// Percent-encoding (RFC 3986) for a path segment, a header, or a name or value of a query, and back. Signatures need the same
/// spelling: OAuth 1 (RFC 5849, section 3.6) and AWS.
public enum PercentEncoding {
    /// Encodes everything but unreserved characters, so that a text stays one segment.
    public static func segment(_ text: some StringProtocol) -> String {
        text.utf8.allSatisfy(isUnreserved) ? String(text) : encode(text.utf8)
    }

    /// Bytes with everything but unreserved characters encoded, and but slashes if they are kept.
    package static func encode(_ bytes: some Sequence<UInt8>, keepingSlashes: Bool = false) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.underestimatedCount)
        for byte in bytes {
            if isUnreserved(byte) || keepingSlashes && byte == UInt8(ascii: "/") {
                output.append(byte)
            } else {
                append(byte, to: &output)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends the code of a byte.
    package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        Hexadecimal.append(byte, to: &bytes, inUpperCase: true)
    }

    /// Letters, digits and `-._~`.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Decodes `%xx`, and `+` as a space if `plusIsSpace`; anything that is not a code stays as it is, and invalid UTF-8
    /// becomes U+FFFD.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        String(decoding: decode(Array(text.utf8), plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// The same for bytes.
    package static func decode(_ source: [UInt8], plusIsSpace: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var at = 0
        while at < source.count {
            if let byte = byte(at: at, of: source) {
                bytes.append(byte)
                at += 3
            } else {
                bytes.append(plusIsSpace && source[at] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[at])
                at += 1
            }
        }
        return bytes
    }

    /// The byte that a code at a position stands for, `nil` if none is there.
    package static func byte(at position: Int, of bytes: [UInt8]) -> UInt8? {
        guard bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
            let high = Hexadecimal.value(of: bytes[position + 1]), let low = Hexadecimal.value(of: bytes[position + 2])
        else { return nil }
        return high << 4 | low
    }
}
