/// Reads a time from left to right. Works on bytes: a page can hold thousands of times.
struct TimeScanner {
    private let bytes: [UInt8]
    private var at = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { at == bytes.count }

    /// `2026-11-21`, `2026-11-21T04:08:00.120+01:00` and close variants.
    mutating func internet() -> WrittenTime? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        if isAtEnd { return WrittenTime(local: date.daysSinceEpoch * 86400) }
        guard take("T") || take("t") || take(" ") else { return nil }
        return time(on: date)
    }

    /// The time of day, to the end of the text.
    private mutating func time(on date: CivilDate) -> WrittenTime? {
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
        let local = date.daysSinceEpoch * 86400 + hour * 3600 + minute * 60 + second
        if isAtEnd { return WrittenTime(local: local, fraction: fraction) }
        guard let offset = offset() ?? universal(), isAtEnd else { return nil }
        return WrittenTime(local: local, fraction: fraction, offset: offset)
    }

    /// A zone by its certain name, in seconds east of UTC.
    mutating func zoneName() -> Int64? {
        let end = bytes[at...].firstIndex { !(0x61...0x7A ~= $0 | 0x20) } ?? bytes.count
        let name = String(decoding: bytes[at..<end], as: UTF8.self)
        guard ZoneAbbreviations.certain.contains(name), let offset = ZoneAbbreviations.offset(name) else { return nil }
        at = end
        return offset
    }

    private mutating func universal() -> Int64? {
        let isUniversal = take("Z") || take("z") || takeWord("GMT") || takeWord("UTC") || takeWord("UT")
        return isUniversal ? 0 : nil
    }

    /// `+01`, `+0100` or `-01:00`, in seconds east of UTC.
    mutating func offset() -> Int64? {
        let sign: Int64
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(2), hours < 24 else { return nil }
        if isAtEnd { return sign * hours * 3600 }
        let hasColon = take(":")
        guard let minutes = number(2) else { return hasColon ? nil : sign * hours * 3600 }
        return minutes < 60 ? sign * (hours * 3600 + minutes * 60) : nil
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

    mutating func skipSpaces() { while takeSpace() {} }

    /// A space or a no-break space: some services write times with the latter.
    private mutating func takeSpace() -> Bool {
        take(" ") || takeWord("\u{A0}") || takeWord("\u{202F}")
    }

    /// A pattern's own text; a space in it stands for one or more.
    mutating func takeLiteral(_ literal: String) -> Bool {
        for scalar in literal.unicodeScalars {
            if scalar == " " {
                guard takeSpace() else { return false }
                skipSpaces()
            } else if !takeWord(String(scalar)) {
                return false
            }
        }
        return true
    }

    /// One of several names, whole or its first three letters, in any case; gives its index.
    mutating func name(of names: [String]) -> Int? {
        for (index, name) in names.enumerated() {
            for form in [name[...], name.prefix(3)] {
                let end = at + form.utf8.count
                guard end <= bytes.count,
                    zip(bytes[at..<end], form.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
                else { continue }
                at = end
                return index
            }
        }
        return nil
    }

    /// An integer, possibly negative.
    mutating func signedNumber() -> Int64? {
        let isNegative = take("-")
        return number(1, 18).map { isNegative ? -$0 : $0 }
    }

    mutating func digits() -> String? {
        let end = bytes[at...].firstIndex { !(0x30...0x39 ~= $0) } ?? bytes.count
        defer { at = end }
        return end == at ? nil : String(decoding: bytes[at..<end], as: UTF8.self)
    }

    mutating func number(_ count: Int) -> Int64? { number(count, count) }

    /// A number of `least` to `most` digits; at most 18, so that it fits.
    mutating func number(_ least: Int, _ most: Int) -> Int64? {
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
