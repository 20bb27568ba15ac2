internal import LosslessJSON

/// One text for each decimal value, so that `1`, `1.0` and `1e0` hash alike.
enum CanonicalNumber {
    /// Integers of up to this many digits are written plainly.
    private static let plainDigits = 20
    /// The digits before the point in PostgreSQL's `numeric`.
    private static let numericDigits = 131_072

    static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        if isPlainInteger(text), text.count <= plainDigits {
            if text.count == 2, text[0] == UInt8(ascii: "-"), text[1] == UInt8(ascii: "0") {
                bytes.append(UInt8(ascii: "0"))
            } else {
                bytes.append(contentsOf: text)
            }
            return
        }
        let value = JSONDecimal(Array(text))
        guard !value.digits.isEmpty else { return bytes.append(UInt8(ascii: "0")) }
        let sign = value.isNegative ? 1 : 0
        if value.isNegative { bytes.append(UInt8(ascii: "-")) }
        bytes.append(contentsOf: value.digits)
        // The digits are an integer, to be multiplied by ten to this power.
        let power = value.exponent - value.digits.count
        // A value has one form: plain if the plain form would have taken the shortcut above.
        if power >= 0, value.exponent + sign <= plainDigits {
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: power))
        } else {
            bytes.append(UInt8(ascii: "e"))
            bytes.append(contentsOf: String(power).utf8)
        }
    }

    static func fitsNumeric(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) || text.count > numericDigits else {
            return true
        }
        return JSONDecimal(Array(text)).exponent <= numericDigits
    }

    private static func isPlainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }
    }
}
