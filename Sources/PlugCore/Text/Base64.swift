/// Base64 of RFC 4648 with padding; decoding accepts both alphabets, with or without padding.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of some bytes.
    public static func encoded(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let isPadding = place > group.count
                output.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of a text, `nil` if it is not base64.
    public static func decoded(_ text: String) -> [UInt8]? { decoded(Array(text.utf8)[...]) }

    /// The bytes of a text, `nil` if it is not base64.
    public static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = text.prefix { $0 != UInt8(ascii: "=") }
        guard text[digits.endIndex...].allSatisfy({ $0 == UInt8(ascii: "=") }), digits.count % 4 != 1 else {
            return nil
        }
        var output: [UInt8] = []
        output.reserveCapacity(digits.count / 4 * 3 + 2)
        for start in stride(from: digits.startIndex, to: digits.endIndex, by: 4) {
            let group = digits[start..<min(start + 4, digits.endIndex)]
            var bits: UInt32 = 0
            for digit in group {
                guard let value = value(of: digit) else { return nil }
                bits = bits << 6 | UInt32(value)
            }
            bits <<= UInt32(6 * (4 - group.count))
            for place in 1..<group.count { output.append(UInt8(truncatingIfNeeded: bits >> UInt32(24 - 8 * place))) }
        }
        return output
    }

    static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
