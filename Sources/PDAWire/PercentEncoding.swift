internal import PlugCore

/// Percent-encoding for one path segment or header, and back.
public enum PercentEncoding {
    /// Encodes everything but unreserved characters (RFC 3986), so that a text stays one segment.
    public static func segment(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, to: &bytes, inUpperCase: true)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes `%xx`, and `+` as a space if `plusIsSpace`; anything that is not an escape stays as it is, and invalid
    /// UTF-8 becomes U+FFFD.
    public static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        let source = Array(text.utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var at = 0
        while at < source.count {
            if source[at] == UInt8(ascii: "%"), at + 2 < source.count,
                let high = Hexadecimal.value(of: source[at + 1]), let low = Hexadecimal.value(of: source[at + 2])
            {
                bytes.append(high << 4 | low)
                at += 3
            } else {
                bytes.append(plusIsSpace && source[at] == UInt8(ascii: "+") ? UInt8(ascii: " ") : source[at])
                at += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
