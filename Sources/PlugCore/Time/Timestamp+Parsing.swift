extension Timestamp {
    /// Reads the forms that APIs use: RFC 3339 and its relaxed variants (a space for `T`, `+0100`, no zone meaning UTC, a day
    /// alone), RFC 5322 and what mails and feeds make of it, HTTP dates, and those of .NET: `/Date(1479249799770+0100)/`.
    public init?(_ text: String) {
        guard let time = WrittenTime(text) else { return nil }
        self = time.moment()
    }

    /// Milliseconds since 1970 in UTC; the zone after them only says how to show it to a person.
    init?(dotNet text: String) {
        guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return nil }
        let inner = text.dropFirst(6).dropLast(2)
        let sign = inner.dropFirst().firstIndex { $0 == "+" || $0 == "-" }
        let zone = sign.map { inner[$0...].dropFirst() } ?? "0000"
        guard zone.utf8.count == 4, zone.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self.init(epochMilliseconds: String(inner[..<(sign ?? inner.endIndex)]))
    }

    /// Reads eight digits that are a day from 1900 to 2100, in ISO 8601 without hyphens: `20261122`. As seconds they would be a
    /// day in August 1970, which no service intends.
    public init?(compactDay text: String) {
        guard text.utf8.count == 8, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(text),
            1900...2100 ~= number / 10_000,
            let day = CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
        else { return nil }
        self.init(seconds: day.daysSinceEpoch * 86_400, fraction: "")
    }

    /// Reads seconds since 1970 from a number's text, fraction digits kept: `1542782400.25`.
    public init?(epoch text: String) { self.init(scaled: text, digits: 0) }

    /// Reads milliseconds since 1970 from a number's text.
    public init?(epochMilliseconds text: String) { self.init(scaled: text, digits: 3) }

    /// Reads microseconds since 1970 from a number's text.
    public init?(epochMicroseconds text: String) { self.init(scaled: text, digits: 6) }

    /// Three million years either way: anything beyond is not a time, and its calendar does not fit into 64 bits.
    private static let range: ClosedRange<Int64> = -100_000_000_000_000...100_000_000_000_000

    private init?(scaled text: String, digits: Int) {
        // The claims of every token are whole seconds.
        if digits == 0, let seconds = Int64(text) {
            guard Self.range ~= seconds else { return nil }
            self.init(seconds: seconds, fraction: "")
            return
        }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Int64(parts[0]), parts.count == 1 || parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        let behind = parts.count == 2 ? String(parts[1]) : ""
        let isNegative = parts[0].hasPrefix("-")
        let scale: Int64 = digits == 6 ? 1_000_000 : digits == 3 ? 1000 : 1
        if isNegative, behind.utf8.contains(where: { $0 != UInt8(ascii: "0") }) { return nil }
        let seconds = CivilDate.floored(whole, scale)
        guard Self.range ~= seconds else { return nil }
        var fraction = ""
        if digits > 0 {
            let rest = String(((whole % scale) + scale) % scale)
            fraction = String(repeating: "0", count: digits - rest.count) + rest
        }
        fraction += behind
        if digits > 0, fraction.utf8.count == digits, fraction.utf8.allSatisfy({ $0 == UInt8(ascii: "0") }) {
            fraction = ""
        }
        self.init(seconds: seconds, fraction: fraction)
    }
}
