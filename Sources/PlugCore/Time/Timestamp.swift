/// A moment in UTC that keeps the source's fraction digits.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64
    /// The digits after the point, as the source gave them; empty for none.
    public var fraction: String

    /// A moment.
    public init(seconds: Int64, fraction: String = "") {
        self.seconds = seconds
        self.fraction = fraction
    }

    /// A moment given in microseconds since 1970.
    public init(microseconds: Int64) {
        seconds = CivilDate.floored(microseconds, 1_000_000)
        // Not by multiplication: the second of the smallest number begins below the range.
        let rest = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
        var digits = String(rest)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        fraction = digits
    }

    /// Microseconds since 1970; finer digits are cut off, and distant years saturate.
    public var microseconds: Int64 {
        let digits = (fraction + "000000").prefix(6)
        let (scaled, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflows { return seconds < 0 ? .min : .max }
        let (sum, overflowsAgain) = scaled.addingReportingOverflow(Int64(digits) ?? 0)
        return overflowsAgain ? .max : sum
    }

    /// RFC 3339 in UTC with `Z` and the source's fraction digits: `2026-11-21T04:08:00.120Z`.
    public var rfc3339: String {
        let time = seconds - CivilDate.floored(seconds, 86400) * 86400
        var text: [UInt8] = []
        text.reserveCapacity(32)
        writeDate(to: &text)
        Self.writeTwo(time / 3600, after: "T", to: &text)
        Self.writeTwo(time / 60 % 60, after: ":", to: &text)
        Self.writeTwo(time % 60, after: ":", to: &text)
        if !fraction.isEmpty {
            text.append(UInt8(ascii: "."))
            text += fraction.utf8
        }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// The day in UTC: `2026-11-21`.
    public var date: String {
        var text: [UInt8] = []
        writeDate(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    // Moments are written for each request and each run: digit by digit takes a fifth of what interpolated text does.

    private func writeDate(to text: inout [UInt8]) {
        let day = CivilDate(daysSinceEpoch: CivilDate.floored(seconds, 86400))
        if day.year < 0 { text.append(UInt8(ascii: "-")) }
        let year = abs(day.year)
        if year > 9999 { text += String(year / 100).utf8 } else { Self.writeTwo(year / 100, to: &text) }
        Self.writeTwo(year % 100, to: &text)
        Self.writeTwo(day.month, after: "-", to: &text)
        Self.writeTwo(day.day, after: "-", to: &text)
    }

    private static func writeTwo(_ number: Int64, after mark: Unicode.Scalar, to text: inout [UInt8]) {
        text.append(UInt8(ascii: mark))
        writeTwo(number, to: &text)
    }

    private static func writeTwo(_ number: Int64, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "0") + UInt8(number / 10))
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    /// Orders by moment: `.1` and `.10` are the same time, though not the same text.
    public static func < (left: Self, right: Self) -> Bool {
        if left.seconds != right.seconds { return left.seconds < right.seconds }
        return left.significantFraction.utf8.lexicographicallyPrecedes(right.significantFraction.utf8)
    }

    /// Whether both are the same moment.
    public static func == (left: Self, right: Self) -> Bool {
        left.seconds == right.seconds && left.significantFraction == right.significantFraction
    }

    /// Hashes the moment.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(seconds)
        hasher.combine(significantFraction)
    }

    private var significantFraction: Substring {
        var digits = Substring(fraction)
        while digits.last == "0" { digits.removeLast() }
        return digits
    }
}
