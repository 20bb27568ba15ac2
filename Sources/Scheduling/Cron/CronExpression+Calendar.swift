internal import PlugCore

/// The expression on a calendar and a clock without changes.
extension CronExpression {
    /// For how many months to look for a day. The longest wait is for 29 February on a given weekday: 40 years, across a
    /// century's last year that is not a leap year. The calendar repeats after 400 years, so a test tries all.
    static let longestWait = 40 * 12

    /// The first matching time at or after another, both in seconds of a clock since 1970-01-01 00:00.
    ///
    /// - Returns: `nil` for none, which cannot happen for a parsed expression.
    func first(from local: Int64) -> Int64? {
        let minute = -CivilDate.floored(-local, 60)
        let day = CivilDate.floored(minute, 1440)
        guard let found = self.day(from: day) else { return nil }
        if found == day, let time = time(from: Int(minute - day * 1440)) { return day * 86_400 + time }
        guard let next = found == day ? self.day(from: day + 1) : found, let time = time(from: 0) else { return nil }
        return next * 86_400 + time
    }

    /// The first time of day at or after a minute of the day; in seconds.
    private func time(from minute: Int) -> Int64? {
        guard var hour = hours.first(from: minute / 60) else { return nil }
        var found = minutes.first(from: hour == minute / 60 ? minute % 60 : 0)
        if found == nil {
            guard let next = hours.first(from: hour + 1) else { return nil }
            (hour, found) = (next, minutes.first(from: 0))
        }
        return found.map { Int64(hour * 3600 + $0 * 60) }
    }

    /// The first matching day at or after a day; in days since 1970.
    private func day(from start: Int64) -> Int64? {
        let date = CivilDate(daysSinceEpoch: start)
        var (year, month) = (date.year, Int(date.month))
        var first = start - date.day + 1
        var earliest = Int(date.day)
        for _ in 0...Self.longestWait {
            let length = Self.length(of: month, in: year)
            if months.contains(month) {
                let matching = CronSet(bits: dates(inMonthFrom: first) & ((2 << UInt64(length)) - 1))
                if let day = matching.first(from: earliest) { return first + Int64(day) - 1 }
            }
            first += Int64(length)
            earliest = 1
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
        }
        return nil
    }

    /// The matching dates in the month that begins on a given day since 1970, as bits 1 to 31; some months have fewer.
    private func dates(inMonthFrom first: Int64) -> UInt64 {
        // 1970 began on a Thursday.
        let weekday = UInt64(first + 4 - CivilDate.floored(first + 4, 7) * 7)
        // Bit 0 is the weekday on which the month begins; repeated for as many weeks as a month can touch.
        let week = (weekdays.bits >> weekday | weekdays.bits << (7 - weekday)) & 0x7F
        let byWeekday = (week | week << 7 | week << 14 | week << 21 | week << 28) << 1
        return eitherDay ? days.bits | byWeekday : days.bits & byWeekday
    }

    private static func length(of month: Int, in year: Int64) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
