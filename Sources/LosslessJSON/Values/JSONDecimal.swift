/// A number's exact value: sign, significant digits without zeros at either end, and the power of ten of the first digit.
package struct JSONDecimal: Hashable, Comparable {
    package var isNegative: Bool
    /// ASCII digits; empty for zero.
    package var digits: [UInt8]
    /// The value is `0.DIGITS` times ten to this power.
    package var exponent: Int

    /// Reads a text that is a JSON number.
    init(_ text: String) { self.init(Array(text.utf8)) }

    /// Reads the bytes of a JSON number.
    package init(_ bytes: [UInt8]) {
        isNegative = bytes.first == UInt8(ascii: "-")
        var digits: [UInt8] = []
        var point: Int?
        var power = 0
        var at = isNegative ? 1 : 0
        while at < bytes.count {
            let byte = bytes[at]
            at += 1
            if byte == UInt8(ascii: ".") {
                point = digits.count
            } else if byte | 0x20 == UInt8(ascii: "e") {
                power = Self.exponent(bytes[at...])
                break
            } else {
                digits.append(byte)
            }
        }
        var (start, end) = (0, digits.count)
        while start < end, digits[start] == UInt8(ascii: "0") { start += 1 }
        while end > start, digits[end - 1] == UInt8(ascii: "0") { end -= 1 }
        exponent = (point ?? digits.count) - start + power
        self.digits = end - start == digits.count ? digits : Array(digits[start..<end])
        if self.digits.isEmpty {
            isNegative = false
            exponent = 0
        }
    }

    private static let bound = 1 << 52

    /// Whether the exponent may be one that is not distinguished from others.
    var isSaturated: Bool { abs(exponent) >= Self.bound / 2 }

    /// An exponent too large for any machine saturates: such numbers only need to be ordered.
    private static func exponent(_ bytes: ArraySlice<UInt8>) -> Int {
        let isNegative = bytes.first == UInt8(ascii: "-")
        var value = 0
        for byte in bytes where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "+") {
            value = min(bound, value * 10 + Int(byte - UInt8(ascii: "0")))
        }
        return isNegative ? -value : value
    }

    package static func < (left: Self, right: Self) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private func isCloserToZero(than other: Self) -> Bool {
        if digits.isEmpty || other.digits.isEmpty { return digits.isEmpty && !other.digits.isEmpty }
        if exponent != other.exponent { return exponent < other.exponent }
        return digits.lexicographicallyPrecedes(other.digits)
    }

    /// The value as an integer, if it fits in 64 bits.
    var int64: Int64? {
        guard exponent <= 19, exponent >= digits.count else { return digits.isEmpty ? 0 : nil }
        let zeros = String(repeating: "0", count: exponent - digits.count)
        return Int64((isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self) + zeros)
    }
}
