internal import PlugCore

// The occurrences within one period of a rule: a year, a month, a week, a day …
extension RecurrenceRule {
    /// The occurrences in a period in order, and its first instant; `nil` past the last year.
    func moments(_ period: Int64, _ start: Int64) -> (first: Int64, all: [Int64])? {
        let day = CivilDate.floored(start, 86400)
        let date = CivilDate(daysSinceEpoch: day)
        let step = period * interval
        switch frequency {
        case .hourly, .minutely, .secondly: return clockTimes(start, step)
        case .daily:
            let today = day + step
            return (today * 86400, at(allows(today) ? [today] : [], start))
        case .weekly:
            let week = day - (CivilDate.weekday(day) - weekStart + 7) % 7 + step * 7
            let wanted = weekdays.isEmpty ? [CivilDate.weekday(day)] : weekdays.map(\.day)
            let days = (week..<(week + 7)).filter { wanted.contains(CivilDate.weekday($0)) && isInMonths($0) }
            return (week * 86400, at(days, start))
        case .monthly:
            let month = date.year * 12 + date.month - 1 + step
            let year = CivilDate.floored(month, 12)
            guard year < 10_000, let first = CivilDate(year: year, month: month - year * 12 + 1, day: 1) else {
                return nil
            }
            let begin = first.daysSinceEpoch
            let isWanted = months.isEmpty || months.contains(first.month)
            return (begin * 86400, at(isWanted ? days(ofMonth: begin, date.day) : [], start))
        case .yearly:
            guard date.year + step < 10_000, let first = CivilDate(year: date.year + step, month: 1, day: 1) else {
                return nil
            }
            // Weeks of a year may begin in the previous one.
            return ((first.daysSinceEpoch - 7) * 86400, at(days(ofYear: first, date, CivilDate.weekday(day)), start))
        }
    }

    private func clockTimes(_ start: Int64, _ step: Int64) -> (first: Int64, all: [Int64]) {
        let length: Int64 = frequency == .hourly ? 3600 : frequency == .minutely ? 60 : 1
        let time = start + step * length
        let day = CivilDate.floored(time, 86400)
        let clock = time - day * 86400
        let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60)
        let first = time - time % length
        let fits =
            allows(day) && (hours.isEmpty || hours.contains(hour))
            && (frequency == .hourly || minutes.isEmpty || minutes.contains(minute))
            && (frequency != .secondly || seconds.isEmpty || seconds.contains(second))
        guard fits else { return (first, []) }
        let allMinutes = frequency == .hourly && !minutes.isEmpty ? minutes : [minute]
        let allSeconds = frequency != .secondly && !seconds.isEmpty ? seconds : [second]
        let times = allMinutes.flatMap { minute in
            allSeconds.map { day * 86400 + hour * 3600 + minute * 60 + $0 }
        }
        return (first, Set(times).sorted())
    }

    /// The days with all times of day.
    private func at(_ days: [Int64], _ start: Int64) -> [Int64] {
        let clock = start - CivilDate.floored(start, 86400) * 86400
        let hours = hours.isEmpty ? [clock / 3600] : hours
        let minutes = minutes.isEmpty ? [clock / 60 % 60] : minutes
        let seconds = seconds.isEmpty ? [clock % 60] : seconds
        if hours.count == 1, minutes.count == 1, seconds.count == 1 {
            return Set(days).sorted().map { $0 * 86400 + hours[0] * 3600 + minutes[0] * 60 + seconds[0] }
        }
        var times: Set<Int64> = []
        for day in days {
            for hour in hours {
                for minute in minutes {
                    for second in seconds { times.insert(day * 86400 + hour * 3600 + minute * 60 + second) }
                }
            }
        }
        return times.sorted()
    }

    /// Whether a day of a daily or finer rule is wanted.
    private func allows(_ day: Int64) -> Bool {
        let date = CivilDate(daysSinceEpoch: day)
        if !isInMonths(day) || !isMonthDay(day) { return false }
        if !weekdays.isEmpty, !weekdays.contains(where: { $0.day == CivilDate.weekday(day) }) { return false }
        if !yearDays.isEmpty {
            let (first, count) = Self.year(date.year)
            if !yearDays.contains(day - first + 1), !yearDays.contains(day - first - count) { return false }
        }
        return true
    }

    private func isMonthDay(_ day: Int64) -> Bool {
        if monthDays.isEmpty { return true }
        let date = CivilDate(daysSinceEpoch: day)
        return monthDays.contains(date.day) || monthDays.contains(date.day - Self.monthLength(date) - 1)
    }

    private func isInMonths(_ day: Int64) -> Bool {
        months.isEmpty || months.contains(CivilDate(daysSinceEpoch: day).month)
    }

    private func days(ofMonth first: Int64, _ usual: Int64) -> [Int64] {
        let length = Self.monthLength(CivilDate(daysSinceEpoch: first))
        if !monthDays.isEmpty {
            let numbers = Set(monthDays.map { $0 < 0 ? length + 1 + $0 : $0 }).filter { 1...length ~= $0 }
            return numbers.map { first + $0 - 1 }.filter { day in
                weekdays.isEmpty || weekdays.contains { $0.day == CivilDate.weekday(day) }
            }
        }
        if !weekdays.isEmpty { return weekdays(from: first, count: length) }
        return usual <= length ? [first + usual - 1] : []
    }

    private func days(ofYear first: CivilDate, _ usual: CivilDate, _ weekday: Int64) -> [Int64] {
        let (begin, length) = Self.year(first.year)
        func isWeekday(_ day: Int64) -> Bool {
            weekdays.isEmpty || weekdays.contains { $0.day == CivilDate.weekday(day) }
        }
        if !yearDays.isEmpty {
            let numbers = Set(yearDays.map { $0 < 0 ? length + 1 + $0 : $0 }).filter { 1...length ~= $0 }
            return numbers.map { begin + $0 - 1 }.filter { isInMonths($0) && isMonthDay($0) && isWeekday($0) }
        }
        if !weekNumbers.isEmpty {
            let wanted = weekdays.isEmpty ? [weekday] : weekdays.map(\.day)
            return weeks(of: first.year).flatMap { week in wanted.map { week + ($0 - weekStart + 7) % 7 } }
                .filter { isInMonths($0) && isMonthDay($0) }
        }
        let wantedMonths = months.isEmpty ? Array(1...12) : months
        func firsts() -> [Int64] {
            wantedMonths.compactMap { CivilDate(year: first.year, month: $0, day: 1)?.daysSinceEpoch }
        }
        if !monthDays.isEmpty { return firsts().flatMap { days(ofMonth: $0, usual.day) } }
        if !weekdays.isEmpty {
            return months.isEmpty
                ? weekdays(from: begin, count: length) : firsts().flatMap { days(ofMonth: $0, usual.day) }
        }
        if !months.isEmpty { return firsts().flatMap { days(ofMonth: $0, usual.day) } }
        return CivilDate(year: first.year, month: usual.month, day: usual.day).map { [$0.daysSinceEpoch] } ?? []
    }

    /// The weekdays in a span of days: each of them, or the nth from either end.
    private func weekdays(from first: Int64, count: Int64) -> [Int64] {
        weekdays.flatMap { wanted in
            let from = first + (wanted.day - CivilDate.weekday(first) + 7) % 7
            if wanted.nth == 0 { return Array(stride(from: from, to: first + count, by: 7)) }
            let number = (first + count - from + 6) / 7
            let index = wanted.nth > 0 ? wanted.nth - 1 : number + wanted.nth
            return 0..<number ~= index ? [from + index * 7] : []
        }
    }

    /// The first days of the wanted weeks of a year. The first week has at least four days in the year.
    private func weeks(of year: Int64) -> [Int64] {
        func firstWeek(_ year: Int64) -> Int64 {
            let fourth = Self.year(year).first + 3
            return fourth - (CivilDate.weekday(fourth) - weekStart + 7) % 7
        }
        let first = firstWeek(year)
        let count = (firstWeek(year + 1) - first) / 7
        return Set(weekNumbers.map { $0 < 0 ? count + 1 + $0 : $0 }).filter { 1...count ~= $0 }.map {
            first + ($0 - 1) * 7
        }
    }

    // MARK: - Days

    private static func year(_ year: Int64) -> (first: Int64, length: Int64) {
        let first = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
        return (first, (CivilDate(year: year + 1, month: 1, day: 1)?.daysSinceEpoch ?? 0) - first)
    }

    private static func monthLength(_ date: CivilDate) -> Int64 {
        (28...31).last { CivilDate(year: date.year, month: date.month, day: $0) != nil } ?? 28
    }
}
