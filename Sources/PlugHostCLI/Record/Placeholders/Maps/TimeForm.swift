internal import PlugCore

/// The parts of a time in a text, to write another one in the same form.
struct TimeForm {
    private static let months = MonthNames.short.map { $0.lowercased() }
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Runs of digits, runs of letters and single punctuation marks, as written.
    private var parts: [Substring]

    init(_ text: String) {
        parts = []
        var rest = Substring(text)
        while let first = rest.first {
            let isAlike: (Character) -> Bool =
                first.isASCII && first.isNumber ? { $0.isASCII && $0.isNumber } : { $0.isASCII && $0.isLetter }
            let count = first.isASCII && (first.isNumber || first.isLetter) ? rest.prefix(while: isAlike).count : 1
            parts.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }

    private func number(_ at: Int, _ widths: ClosedRange<Int>) -> Int64? {
        guard parts.indices.contains(at), widths.contains(parts[at].count), parts[at].first?.isNumber == true else {
            return nil
        }
        return Int64(parts[at])
    }

    private func sign(_ at: Int, _ signs: String) -> Bool {
        parts.indices.contains(at) && parts[at].count == 1 && signs.contains(parts[at])
    }

    mutating func shifted(by shift: TimeShift) -> String? {
        // 2026-11-24, and what may follow
        if let year = number(0, 4...4), sign(1, "-/."), let month = number(2, 2...2), sign(3, "-/."),
            let day = number(4, 2...2)
        {
            if parts.count == 5 { return shifted(year, month, day, (0, 2, 4), nil, by: shift) }
            guard parts[5] == "T" || parts[5] == "t" || parts[5] == " " else { return nil }
            guard let clock = clock(from: 6), isZone(from: clock.end) else { return nil }
            return shifted(year, month, day, (0, 2, 4), clock, by: shift)
        }
        // 20261124T090000Z, as in calendars
        if parts.count >= 3, parts[0].count == 8, parts[1] == "T", parts[2].count == 6, number(0, 8...8) != nil,
            isZone(from: 3)
        {
            let (date, time) = (parts[0], parts[2])
            func piece(_ text: Substring, _ from: Int, _ count: Int) -> Substring { text.dropFirst(from).prefix(count) }
            parts.replaceSubrange(
                0...2,
                with: [
                    piece(date, 0, 4), piece(date, 4, 2), piece(date, 6, 2), "T", piece(time, 0, 2), piece(time, 2, 2),
                    piece(time, 4, 2),
                ]
            )
            guard let year = number(0, 4...4), let month = number(1, 2...2), let day = number(2, 2...2),
                let hour = number(4, 2...2), let minute = number(5, 2...2), let second = number(6, 2...2)
            else { return nil }
            let clock = Clock(hour: (4, hour), minute: (5, minute), second: (6, second), end: 7)
            return shifted(year, month, day, (0, 1, 2), clock, by: shift)
        }
        return named(by: shift)
    }

    /// `Tue, 24 Nov 2026 09:00:00 GMT`, `24 Nov 2026 09:00:00 +0000`, `Tue Nov 24 09:00:00 +0000 2026`
    private mutating func named(by shift: TimeShift) -> String? {
        guard let monthAt = parts.firstIndex(where: { Self.months.contains($0.lowercased()) }),
            let month = Self.months.firstIndex(of: parts[monthAt].lowercased()).map({ Int64($0 + 1) }),
            let colon = parts.firstIndex(of: ":"), let clock = clock(from: colon - 1),
            let yearAt = parts.indices.first(where: {
                parts[$0].count == 4 && number($0, 4...4) != nil && !isOffset($0)
            }),
            let year = number(yearAt, 4...4),
            let dayAt = parts.indices.first(where: { $0 < colon - 1 && number($0, 1...2) != nil }),
            let day = number(dayAt, 1...2)
        else { return nil }
        let allowed = Set(parts.indices.filter { parts[$0].first?.isLetter == true }.map { parts[$0].lowercased() })
        guard
            allowed.isSubset(
                of: Set(
                    Self.months + Self.days + [
                        "gmt", "utc", "z", "ut", "est", "edt", "cst", "cdt", "mst", "mdt", "pst", "pdt",
                    ]
                )
            )
        else { return nil }
        return shifted(year, month, day, (yearAt, monthAt, dayAt), clock, by: shift)
    }

    private func isOffset(_ at: Int) -> Bool { at > 0 && (parts[at - 1] == "+" || parts[at - 1] == "-") }

    private struct Clock {
        var hour: (at: Int, value: Int64)
        var minute: (at: Int, value: Int64)
        var second: (at: Int, value: Int64)?
        var end: Int
    }

    private func clock(from at: Int) -> Clock? {
        guard let hour = number(at, 1...2), sign(at + 1, ":"), let minute = number(at + 2, 2...2) else { return nil }
        guard sign(at + 3, ":"), let second = number(at + 4, 2...2) else {
            return Clock(hour: (at, hour), minute: (at + 2, minute), second: nil, end: at + 3)
        }
        let hasFraction = sign(at + 5, ".,") && number(at + 6, 1...18) != nil
        return Clock(
            hour: (at, hour),
            minute: (at + 2, minute),
            second: (at + 4, second),
            end: hasFraction ? at + 7 : at + 5
        )
    }

    /// Whether only a time zone follows.
    private func isZone(from at: Int) -> Bool {
        let rest = parts[min(at, parts.count)...].joined().uppercased().filter { $0 != " " }
        if ["", "Z", "UTC", "GMT"].contains(rest) { return true }
        guard let first = rest.first, first == "+" || first == "-" else { return false }
        let digits = rest.dropFirst().filter { $0 != ":" }
        return (digits.count == 2 || digits.count == 4) && digits.allSatisfy(\.isNumber)
    }

    private mutating func shifted(
        _ year: Int64,
        _ month: Int64,
        _ day: Int64,
        _ at: (year: Int, month: Int, day: Int),
        _ clock: Clock?,
        by shift: TimeShift
    ) -> String? {
        guard 1900...2200 ~= year, let date = CivilDate(year: year, month: month, day: day) else { return nil }
        var time = date.daysSinceEpoch * 86_400
        if let clock {
            guard clock.hour.value < 25, clock.minute.value < 60, clock.second?.value ?? 0 < 61 else { return nil }
            time += clock.hour.value * 3600 + clock.minute.value * 60 + (clock.second?.value ?? 0)
        }
        time += clock == nil ? shift.days * 86_400 : shift.seconds
        let days = CivilDate.floored(time, 86_400)
        let new = CivilDate(daysSinceEpoch: days)
        put(new.year, at.year)
        put(new.day, at.day)
        if parts[at.month].first?.isNumber == true {
            put(new.month, at.month)
        } else {
            parts[at.month] = Self.cased(Self.months[Int(new.month) - 1], like: parts[at.month])
        }
        if let weekday = parts.firstIndex(where: { Self.days.contains($0.lowercased()) }) {
            // 1970-01-01 was a Thursday.
            let name = Self.days[Int(((days + 3) % 7 + 7) % 7)]
            parts[weekday] = Self.cased(name, like: parts[weekday])
        }
        if let clock {
            let rest = time - days * 86_400
            put(rest / 3600, clock.hour.at)
            put(rest / 60 % 60, clock.minute.at)
            if let second = clock.second { put(rest % 60, second.at) }
        }
        return parts.joined()
    }

    private mutating func put(_ value: Int64, _ at: Int) {
        let digits = String(value)
        parts[at] = Substring(String(repeating: "0", count: max(0, parts[at].count - digits.count)) + digits)
    }

    private static func cased(_ word: String, like other: Substring) -> Substring {
        Substring(String(zip(word, other).map { $1.isUppercase ? Character($0.uppercased()) : $0 }))
    }
}
