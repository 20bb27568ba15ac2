internal import PlugCore

/// Percent-encoding as required by both OAuth 1 (RFC 5849, section 3.6) and AWS: everything but letters, digits and `-._~` is
/// encoded, with upper-case digits.
enum PercentCode {
    static func encoded(_ text: some StringProtocol, keepingSlashes: Bool = false) -> String {
        encoded(Array(text.utf8), keepingSlashes: keepingSlashes)
    }

    static func encoded(_ bytes: [UInt8], keepingSlashes: Bool = false) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for byte in bytes {
            if isUnreserved(byte) || keepingSlashes && byte == UInt8(ascii: "/") {
                output.append(byte)
            } else {
                output.append(UInt8(ascii: "%"))
                Hexadecimal.append(byte, to: &output, inUpperCase: true)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The decoded bytes of a text; a percent sign that is not followed by two digits is kept.
    static func decoded(_ text: some StringProtocol) -> [UInt8] {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var at = 0
        while at < bytes.count {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let high = Hexadecimal.value(of: bytes[at + 1]),
                let low = Hexadecimal.value(of: bytes[at + 2])
            {
                output.append(high << 4 | low)
                at += 3
            } else {
                output.append(bytes[at])
                at += 1
            }
        }
        return output
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// Pairs in the order required by both protocols: by name, then by value, byte by byte.
func sortedByBytes(_ pairs: [(name: String, value: String)]) -> [(name: String, value: String)] {
    pairs.sorted { left, right in
        left.name == right.name
            ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
            : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
