/// One text for each decimal value, so that `1`, `1.0` and `1e0` hash alike.
enum CanonicalNumber {
    /// Integers up to this many digits are written plainly.
    private static let plainDigits = 20
    /// PostgreSQL's `numeric`: digits before the point.
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
        let parts = Parts(text)
        guard !parts.digits.isEmpty else { return bytes.append(UInt8(ascii: "0")) }
        let sign = parts.isNegative ? 1 : 0
        if parts.isNegative { bytes.append(UInt8(ascii: "-")) }
        bytes.append(contentsOf: parts.digits)
        // A value has one form: plain where the plain form would have taken the short way above.
        if parts.exponent >= 0, parts.digits.count + parts.exponent + sign <= plainDigits {
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: parts.exponent))
        } else {
            bytes.append(UInt8(ascii: "e"))
            bytes.append(contentsOf: String(parts.exponent).utf8)
        }
    }

    static func fitsNumeric(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }) || text.count > numericDigits else {
            return true
        }
        let parts = Parts(text)
        return parts.digits.isEmpty || parts.digits.count + parts.exponent <= numericDigits
    }

    private static func isPlainInteger(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: "-") }
    }

    /// The value is `digits` (no zeros at either end; none for zero) times ten to `exponent`.
    private struct Parts {
        var isNegative = false
        var digits: [UInt8] = []
        var exponent = 0

        init(_ text: UnsafeBufferPointer<UInt8>) {
            var fraction = 0
            var isFraction = false
            for (at, byte) in text.enumerated() {
                switch byte {
                case UInt8(ascii: "-"): isNegative = true
                case UInt8(ascii: "."): isFraction = true
                case UInt8(ascii: "e"), UInt8(ascii: "E"):
                    exponent = Self.power(text[(at + 1)...])
                    finish(fraction)
                    return
                default:
                    digits.append(byte)
                    fraction += isFraction ? 1 : 0
                }
            }
            finish(fraction)
        }

        private mutating func finish(_ fraction: Int) {
            exponent -= fraction
            while digits.last == UInt8(ascii: "0") {
                digits.removeLast()
                exponent += 1
            }
            digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
        }

        /// Saturates far beyond what any number here can mean.
        private static func power(_ text: some Collection<UInt8>) -> Int {
            var value = 0
            for byte in text where byte &- 0x30 < 10 { value = min(1 << 52, value * 10 + Int(byte - 0x30)) }
            return text.first == UInt8(ascii: "-") ? -value : value
        }
    }
}
