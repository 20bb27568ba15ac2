internal import CSimdJSON

/// A number with its text as it was written; arithmetic happens elsewhere, comparison is by exact decimal value.
public struct JSONNumber: Sendable {
    /// The text, valid by JSON's grammar: `1.10`, `1e400`, `12345678901234567890.123`.
    public let text: String

    /// Takes a text that is a JSON number, otherwise `nil`.
    public init?(_ text: String) {
        // The text ends with a zero, as C requires.
        let count = text.withCString(encodedAs: UTF8.self) { start in
            plughost_json_number_end(start).map { $0 - start }
        }
        guard count == text.utf8.count else { return nil }
        self.text = text
    }

    /// Takes a text whose grammar has already been checked.
    init(checked text: String) { self.text = text }

    /// An integer.
    public init(_ value: Int64) { text = String(value) }

    /// A double in the shortest form that reads back as the same double, written as jq 1.6/1.7 do: `1e+100`, `0.1`, `1e-05`.
    /// Infinities become the largest doubles; NaN has no number and gives `nil`.
    public init?(_ value: Double) {
        guard !value.isNaN else { return nil }
        let finite = value.isInfinite ? (value < 0 ? -Double.greatestFiniteMagnitude : .greatestFiniteMagnitude) : value
        text = JSONNumberText.text(of: finite)
    }

    /// The value as an integer, if it is one in 64 bits (`1.0` and `1e2` are).
    public var int64: Int64? {
        if let plain = Int64(text) { return plain }
        let decimal = JSONDecimal(text)
        return decimal.int64
    }

    /// The nearest double; a number that is too large becomes an infinity.
    public var double: Double { Double(text) ?? .nan }
}

extension JSONNumber {
    /// Whole numbers of up to this many digits are their own canonical text.
    public static let plainDigits = 40

    /// One text for each decimal value, as an identity needs it: integers up to 40 digits and short fractions plainly
    /// (`1` for `1.0`, `1e0` and `10e-1`), larger or smaller ones with an exponent (`1e400`). An exponent beyond those that are
    /// distinguished stays as it is written.
    public var canonicalText: String {
        let isPlain = text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- 0x30 < 10 }
        if isPlain, text.utf8.count <= Self.plainDigits, text != "-0" { return text }
        let decimal = JSONDecimal(text)
        if decimal.isSaturated { return text }
        let digits = String(decoding: decimal.digits, as: UTF8.self)
        let sign = decimal.isNegative ? "-" : ""
        func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }
        switch decimal.exponent {
        case _ where digits.isEmpty: return "0"
        case digits.count...max(Self.plainDigits, digits.count):
            return sign + digits + zeros(decimal.exponent - digits.count)
        case 1..<digits.count: return sign + digits.prefix(decimal.exponent) + "." + digits.dropFirst(decimal.exponent)
        case -9...0: return sign + "0." + zeros(-decimal.exponent) + digits
        default:
            let point = digits.count > 1 ? "." : ""
            return sign + digits.prefix(1) + point + digits.dropFirst() + "e" + String(decimal.exponent - 1)
        }
    }
}

extension JSONNumber: Hashable, Comparable {
    /// Whether both have the same decimal value: `1.0 == 1`, `9007199254740993 != 9007199254740992`.
    public static func == (left: Self, right: Self) -> Bool {
        left.text == right.text || JSONDecimal(left.text) == JSONDecimal(right.text)
    }

    /// Whether `left` is the smaller decimal value.
    public static func < (left: Self, right: Self) -> Bool {
        if left.text.utf8.count < 19, right.text.utf8.count < 19, let a = Int64(left.text), let b = Int64(right.text) {
            return a < b
        }
        return JSONDecimal(left.text) < JSONDecimal(right.text)
    }

    /// Hashes the decimal value.
    public func hash(into hasher: inout Hasher) { JSONDecimal(text).hash(into: &hasher) }
}
