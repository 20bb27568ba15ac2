/// A time with the English name of its month, as mails, feeds and web servers write it: `Sat, 21 Nov 2026 04:08:00 GMT`.
///
/// RFC 5322 and what else there is: months and days in full or not at all, the month before the day, years of two digits, hours
/// of one, a.m. and p.m., no time, no seconds, no zone, zones by many names, a comment at the end.
struct MailTime {
    private var day: Int64?
    private var month: Int64?
    private var year: Int64?
    private var seconds: Int64?
    private var fraction = ""
    private var isAfternoon: Bool?
    private var offset: Int64?

    /// The time; `nil` if it is not one.
    init?(_ text: String) {
        // Longer texts are none, and are asked about often.
        guard text.utf8.count <= 64 else { return nil }
        var text = text[...]
        // A weekday, in whatever language.
        if let comma = text.firstIndex(of: ","), text[..<comma].allSatisfy({ !$0.isNumber }),
            Self.month(text[..<comma].drop { $0 == " " }) == nil
        {
            text = text[text.index(after: comma)...]
        }
        let words = text.prefix { $0 != "(" }.split { " ,\t\u{A0}\u{202F}\n\r".contains($0) }
        for (at, word) in words.enumerated() {
            // `09-Oct-2026`
            let parts =
                word.contains(where: \.isLetter) && word.first?.isNumber == true ? word.split(separator: "-") : [word]
            for part in parts { guard take(part, isFirst: at == 0) else { return nil } }
        }
        // `(EST)` repeats the zone, or is the only one that says it.
        if offset == nil, words.last.map({ text[$0.endIndex...].contains("(") }) == true {
            let comment = text.drop { $0 != "(" }.dropFirst().prefix { $0 != ")" }
            guard let zone = ZoneAbbreviations.offset(comment) else { return nil }
            offset = zone
        }
        if let isAfternoon {
            guard let seconds, 3600..<46_800 ~= seconds else { return nil }
            self.seconds = seconds % 43_200 + (isAfternoon ? 43_200 : 0)
        }
    }

    /// The time that was read.
    var written: WrittenTime? {
        guard let year, let month, let day, let date = CivilDate(year: year, month: month, day: day) else { return nil }
        return WrittenTime(local: date.daysSinceEpoch * 86_400 + (seconds ?? 0), fraction: fraction, offset: offset)
    }

    private mutating func take(_ word: Substring, isFirst: Bool) -> Bool {
        if let first = word.utf8.first, first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            return takeOffset(word)
        }
        if word.contains(":") { return takeClock(word) }
        if word.first?.isNumber == true { return takeNumber(word) }
        let name = word.last == "." ? word.dropLast() : word
        if month == nil, let number = Self.month(name) {
            month = number
            return true
        }
        switch name.lowercased() {
        case "am", "a.m": return takeHalf(isAfternoon: false)
        case "pm", "p.m": return takeHalf(isAfternoon: true)
        case "at": return true
        default: break
        }
        if seconds == nil { return Self.isWeekday(name) }
        return takeZone(name)
    }

    private static func month(_ name: Substring) -> Int64? {
        let name = name.lowercased()
        // `Sept` is usual, too.
        guard name.utf8.count >= 3 else { return nil }
        return MonthNames.long.firstIndex { $0.lowercased().hasPrefix(name) }.map { Int64($0 + 1) }
    }

    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    private static func isWeekday(_ name: Substring) -> Bool {
        let name = name.lowercased()
        return name.utf8.count >= 2 && weekdays.contains { $0.hasPrefix(name) }
    }

    private mutating func takeHalf(isAfternoon: Bool) -> Bool {
        guard seconds != nil, self.isAfternoon == nil else { return false }
        self.isAfternoon = isAfternoon
        return true
    }

    /// The day, then the year; a year of two digits comes second.
    private mutating func takeNumber(_ word: Substring) -> Bool {
        var digits = word
        for ending in ["st", "nd", "rd", "th", "."] where digits.hasSuffix(ending) {
            digits = digits.dropLast(ending.count)
        }
        guard let number = Self.number(digits) else { return false }
        if day == nil, digits.utf8.count <= 2 {
            day = number
        } else if year == nil, digits.utf8.count == 4 {
            year = number
        } else if year == nil, digits.utf8.count == 2 {
            // RFC 5322, 4.3
            year = number + (number < 50 ? 2000 : 1900)
        } else {
            return false
        }
        return true
    }

    /// `4:08`, `04:08:00.25`, `4:08pm`
    private mutating func takeClock(_ word: Substring) -> Bool {
        guard seconds == nil else { return false }
        var word = word
        var half: Bool?
        for (ending, isAfternoon) in [("am", false), ("pm", true), ("AM", false), ("PM", true)]
        where word.hasSuffix(ending) {
            word = word.dropLast(2)
            half = isAfternoon
        }
        // `04:08:00GMT`
        let zone = word.reversed().prefix { $0.isLetter }.count
        if zone > 0 {
            guard let known = ZoneAbbreviations.offset(word.suffix(zone)) else { return false }
            offset = known
            word = word.dropLast(zone)
        }
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard 2...3 ~= parts.count, let hour = Self.number(parts[0]), let minute = Self.number(parts[1]), hour <= 24,
            minute < 60
        else { return false }
        var second: Int64 = 0
        if parts.count == 3 {
            let fine = parts[2].split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." }
            // A leap second counts as the one that follows it.
            guard let value = Self.number(fine[0]), value <= 60 else { return false }
            second = value
            if fine.count == 2 {
                guard !fine[1].isEmpty, fine[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return false }
                fraction = String(fine[1])
            }
        }
        // Midnight at the end of the day.
        guard hour < 24 || (minute == 0 && second == 0) else { return false }
        seconds = hour * 3600 + minute * 60 + second
        if let half { return takeHalf(isAfternoon: half) }
        return true
    }

    /// `CEST`, `GMT+2`; the letters that stood for zones once mean nothing certain (RFC 5322, 4.3).
    private mutating func takeZone(_ name: Substring) -> Bool {
        let letters = name.prefix { $0 != "+" && $0 != "-" }
        guard let zone = ZoneAbbreviations.offset(letters) ?? (letters.utf8.count == 1 ? 0 : nil) else { return false }
        if letters.endIndex < name.endIndex { return zone == 0 && takeOffset(name[letters.endIndex...]) }
        // `-0700 PDT` says it twice.
        offset = offset ?? zone
        return true
    }

    /// `+0200`, `-08:00`, `+2`
    private mutating func takeOffset(_ word: Substring) -> Bool {
        let digits = word.dropFirst().filter { $0 != ":" }
        guard seconds != nil, offset == nil || offset == 0, 1...4 ~= digits.utf8.count,
            let number = Self.number(digits[...])
        else { return false }
        let (hours, minutes) = digits.utf8.count > 2 ? (number / 100, number % 100) : (number, 0)
        guard hours < 24, minutes < 60 else { return false }
        offset = (word.first == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
        return true
    }

    private static func number(_ digits: Substring) -> Int64? {
        digits.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(digits) : nil
    }
}
