extension Timestamp {
    /// Reads the forms that APIs use: RFC 3339 and its relaxed sisters (a space for `T`, `+0100`, no zone meaning UTC, a
    /// day alone), RFC 2822 and HTTP dates, and those of .NET: `/Date(1479249799770+0100)/`.
    public init?(_ text: String) {
        var scanner = TimeScanner(text)
        if let timestamp = scanner.internet() {
            self = timestamp
        } else {
            scanner = TimeScanner(text)
            if let timestamp = scanner.mail() {
                self = timestamp
            } else if let timestamp = Self.dotNet(text) {
                self = timestamp
            } else {
                return nil
            }
        }
    }

    /// Milliseconds since 1970 in UTC; the zone behind them only says how a person is to see it.
    private static func dotNet(_ text: String) -> Timestamp? {
        guard text.hasPrefix("/Date("), text.hasSuffix(")/") else { return nil }
        let inner = text.dropFirst(6).dropLast(2)
        let sign = inner.dropFirst().firstIndex { $0 == "+" || $0 == "-" }
        let zone = sign.map { inner[$0...].dropFirst() } ?? "0000"
        guard zone.utf8.count == 4, zone.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Timestamp(epochMilliseconds: String(inner[..<(sign ?? inner.endIndex)]))
    }

    /// Reads seconds since 1970 from a number's text, fraction digits kept: `1542782400.25`.
    public init?(epoch text: String) { self.init(scaled: text, digits: 0) }

    /// Reads milliseconds since 1970 from a number's text.
    public init?(epochMilliseconds text: String) { self.init(scaled: text, digits: 3) }

    private init?(scaled text: String, digits: Int) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Int64(parts[0]), parts.count == 1 || parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        let behind = parts.count == 2 ? String(parts[1]) : ""
        let isNegative = parts[0].hasPrefix("-")
        let scale: Int64 = digits == 3 ? 1000 : 1
        if isNegative && !behind.isEmpty { return nil }
        let seconds = CivilDate.floored(whole, scale)
        // Three million years either way: what is beyond is no time, and its calendar does not fit into 64 bits.
        guard -100_000_000_000_000...100_000_000_000_000 ~= seconds else { return nil }
        var fraction = ""
        if digits == 3 {
            let rest = String(whole - seconds * scale)
            fraction = String(repeating: "0", count: 3 - rest.count) + rest
        }
        fraction += behind
        if digits == 3, fraction == "000" { fraction = "" }
        self.init(seconds: seconds, fraction: fraction)
    }
}

/// Reads a time from left to right. Works on bytes: a page can hold thousands of times.
struct TimeScanner {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var isAtEnd: Bool { at == bytes.count }

    /// `2026-11-21`, `2026-11-21T04:08:00.120+01:00` and what is close to it.
    mutating func internet() -> Timestamp? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        if isAtEnd { return Timestamp(seconds: date.daysSinceEpoch * 86400) }
        guard take("T") || take("t") || take(" ") else { return nil }
        return time(on: date)
    }

    /// `Sat, 21 Nov 2026 04:08:00 GMT`, the weekday and the seconds optional.
    mutating func mail() -> Timestamp? {
        if let comma = bytes.firstIndex(of: UInt8(ascii: ",")) { at = comma + 1 }
        skipSpaces()
        guard let day = number(1, 2), take(" "), let month = monthName(), take(" "), let year = number(4),
            let date = CivilDate(year: year, month: month, day: day), take(" ")
        else { return nil }
        return time(on: date)
    }

    /// The time of a day, to the end of the text.
    private mutating func time(on date: CivilDate) -> Timestamp? {
        guard let hour = number(2), hour < 24, take(":"), let minute = number(2), minute < 60 else { return nil }
        var second: Int64 = 0
        var fraction = ""
        if take(":") {
            // A leap second counts as the second that follows it.
            guard let value = number(2), value <= 60 else { return nil }
            second = value
            if take(".") || take(",") {
                guard let digits = digits() else { return nil }
                fraction = digits
            }
        }
        skipSpaces()
        guard let offset = zone(), isAtEnd else { return nil }
        let seconds = date.daysSinceEpoch * 86400 + hour * 3600 + minute * 60 + second - offset
        return Timestamp(seconds: seconds, fraction: fraction)
    }

    /// Seconds east of UTC; none is UTC.
    private mutating func zone() -> Int64? {
        if isAtEnd || take("Z") || take("z") || takeWord("GMT") || takeWord("UTC") || takeWord("UT") { return 0 }
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 3600 }
        _ = take(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func monthName() -> Int64? {
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        for (at, name) in names.enumerated() where takeWord(name) { return Int64(at + 1) }
        return nil
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard bytes[at...].starts(with: word.utf8) else { return false }
        at += word.utf8.count
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard at < bytes.count, UInt32(bytes[at]) == character.value else { return false }
        at += 1
        return true
    }

    private mutating func skipSpaces() { while take(" ") {} }

    private mutating func digits() -> String? {
        let end = bytes[at...].firstIndex { !(0x30...0x39 ~= $0) } ?? bytes.count
        defer { at = end }
        return end == at ? nil : String(decoding: bytes[at..<end], as: UTF8.self)
    }

    private mutating func number(_ count: Int) -> Int64? { number(count, count) }

    /// A number of `least` to `most` digits; at most 18, so that it fits.
    private mutating func number(_ least: Int, _ most: Int) -> Int64? {
        var value: Int64 = 0
        var end = at
        while end < bytes.count, end - at < most, 0x30...0x39 ~= bytes[end] {
            value = value * 10 + Int64(bytes[end] - 0x30)
            end += 1
        }
        guard end - at >= least else { return nil }
        at = end
        return value
    }
}
