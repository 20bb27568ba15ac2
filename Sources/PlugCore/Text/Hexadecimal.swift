/// Bytes as hexadecimal digits, two per byte.
public enum Hexadecimal {
    /// The lower-case digits of some bytes.
    public static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes { append(byte, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends a byte's two digits.
    package static func append(_ byte: UInt8, to text: inout [UInt8], inUpperCase: Bool = false) {
        let letters = UInt8(ascii: inUpperCase ? "A" : "a") - 10
        text.append(digit(byte >> 4, letters))
        text.append(digit(byte & 15, letters))
    }

    private static func digit(_ value: UInt8, _ letters: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : letters + value
    }

    /// The value of a digit of either case, `nil` for anything else.
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
