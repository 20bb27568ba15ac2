internal import PlugCore

/// When something recurs (RFC 5545, 3.3.10).
struct RecurrenceRule: Sendable {
    enum Frequency: String {
        case yearly = "YEARLY"
        case monthly = "MONTHLY"
        case weekly = "WEEKLY"
        case daily = "DAILY"
        case hourly = "HOURLY"
        case minutely = "MINUTELY"
        case secondly = "SECONDLY"
    }

    /// A weekday from 0, Monday; `nth` in its month or year, 0 for each.
    struct Weekday: Equatable {
        var nth: Int64
        var day: Int64
    }

    private(set) var frequency: Frequency
    private(set) var interval: Int64 = 1
    private(set) var count: Int?
    private(set) var until: CalendarTime?
    private(set) var months: [Int64] = []
    private(set) var weekNumbers: [Int64] = []
    private(set) var yearDays: [Int64] = []
    private(set) var monthDays: [Int64] = []
    private(set) var weekdays: [Weekday] = []
    private(set) var hours: [Int64] = []
    private(set) var minutes: [Int64] = []
    private(set) var seconds: [Int64] = []
    private(set) var positions: [Int64] = []
    private(set) var weekStart: Int64 = 0

    private static let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Reads `FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10`, `nil` if it is not a rule.
    init?(_ text: String) {
        var parts: [String: String] = [:]
        for part in text.uppercased().split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            parts[String(pair[0])] = String(pair[1])
        }
        guard let frequency = parts["FREQ"].flatMap(Frequency.init(rawValue:)) else { return nil }
        self.frequency = frequency
        if let text = parts["INTERVAL"] {
            guard let value = Int64(text), 1...1_000_000 ~= value else { return nil }
            interval = value
        }
        if let text = parts["COUNT"] {
            guard let value = Int(text), value > 0 else { return nil }
            count = value
        }
        if let text = parts["UNTIL"] {
            guard let time = CalendarTime(text, zone: nil) else { return nil }
            until = time
        }
        func numbers(_ key: String, _ range: ClosedRange<Int64>) -> [Int64]? {
            guard let text = parts[key] else { return [] }
            let values = text.split(separator: ",").map { Int64($0) }
            let known = values.compactMap { $0 }.filter { range.contains($0) }
            return known.count == values.count && !known.isEmpty && known.count <= 400 ? known : nil
        }
        guard let months = numbers("BYMONTH", 1...12), let weekNumbers = numbers("BYWEEKNO", -53...53),
            let yearDays = numbers("BYYEARDAY", -366...366), let monthDays = numbers("BYMONTHDAY", -31...31),
            let hours = numbers("BYHOUR", 0...23), let minutes = numbers("BYMINUTE", 0...59),
            let seconds = numbers("BYSECOND", 0...60), let positions = numbers("BYSETPOS", -366...366)
        else { return nil }
        (self.months, self.weekNumbers, self.yearDays, self.monthDays) = (months, weekNumbers, yearDays, monthDays)
        (self.hours, self.minutes, self.seconds, self.positions) = (
            hours, minutes, seconds.map { min($0, 59) }, positions
        )
        // Every minute of a day is enough; more is an attack.
        guard max(1, hours.count) * max(1, minutes.count) * max(1, seconds.count) <= 1440 else { return nil }
        for part in parts["BYDAY"]?.split(separator: ",") ?? [] {
            guard weekdays.count < 400 else { return nil }
            guard let day = Self.days.firstIndex(of: String(part.suffix(2))) else { return nil }
            let nth = part.count == 2 ? 0 : Int64(part.dropLast(2))
            guard let nth, -53...53 ~= nth else { return nil }
            weekdays.append(Weekday(nth: nth, day: Int64(day)))
        }
        if let text = parts["WKST"] {
            guard let day = Self.days.firstIndex(of: text) else { return nil }
            weekStart = Int64(day)
        }
    }

    /// The maximum number of periods examined.
    private static let periodLimit = 100_000

    /// Why occurrences are left out.
    enum Cut: Error, Equatable {
        /// There are more than are wanted.
        case tooMany
        /// The rule was followed as far as is allowed without reaching the window's end.
        case tooFar
    }

    /// The occurrences within a window of something that begins at `start`, which is always the first one.
    ///
    /// - Parameters:
    ///   - window: Instants, in UTC.
    ///   - limit: The maximum number of occurrences wanted.
    ///   - budget: How many instants may be examined, for all rules of a file together.
    ///   - utc: Converts a time on the zone's clock to UTC.
    /// - Returns: The occurrences in order, and why any are missing.
    func times(
        from start: Int64,
        in window: ClosedRange<Int64>,
        limit: Int,
        _ budget: inout Int,
        utc: (Int64) -> Int64
    ) -> (times: [Int64], cut: Cut?) {
        var found: [Int64] = []
        var left = count ?? .max
        func take(_ time: Int64) -> Bool {
            if let until {
                let isPast =
                    switch until.zone {
                    case .utc: utc(time) > until.local
                    case .day: time >= until.local + 86400
                    default: time > until.local
                    }
                if isPast { return false }
            }
            let moment = utc(time)
            if moment > window.upperBound || left == 0 { return false }
            left -= 1
            if moment >= window.lowerBound { found.append(time) }
            return true
        }
        // A zone's clock is less than a day away from UTC.
        let earliest = max(window.lowerBound, .min / 2) - 86400
        guard take(start) else { return (found, nil) }
        // What precedes the window can be skipped if nothing is counted, or if the count is known.
        var period: Int64 = 0
        if count == nil || givesOneInEachPeriod {
            period = max(0, skipped(start, to: earliest))
            // The first period's occurrence is `start`, which was counted.
            left -= Int(clamping: max(0, period - 1))
            if left <= 0 { return (found, nil) }
        }
        for _ in 0..<Self.periodLimit {
            if budget <= 0 { return (found, .tooFar) }
            guard let next = moments(period, start) else { return (found, nil) }
            budget -= 1 + next.all.count
            if next.first - 86400 > window.upperBound { return (found, nil) }
            for time in selected(next.all) where time > start {
                if !take(time) { return (found, nil) }
                if found.count > limit { return (Array(found.prefix(limit)), .tooMany) }
            }
            period += 1
        }
        return (found, .tooFar)
    }

    /// Whether each day, hour, minute, second or week has exactly one occurrence: nothing is left out, nothing is added.
    private var givesOneInEachPeriod: Bool {
        let isOfOneLength =
            switch frequency {
            case .yearly, .monthly: false
            case .weekly, .daily, .hourly, .minutely, .secondly: true
            }
        return isOfOneLength && positions.isEmpty && weekdays.isEmpty
            && [months, weekNumbers, yearDays, monthDays, hours, minutes, seconds].allSatisfy(\.isEmpty)
    }

    private func selected(_ times: [Int64]) -> [Int64] {
        guard !positions.isEmpty else { return times }
        let chosen = positions.compactMap { position -> Int64? in
            let index = position > 0 ? Int(position) - 1 : times.count + Int(position)
            return times.indices.contains(index) ? times[index] : nil
        }
        return Set(chosen).sorted()
    }

    /// How many periods may be skipped before a time; two fewer, to be safe.
    private func skipped(_ start: Int64, to time: Int64) -> Int64 {
        guard time > start else { return 0 }
        let length: Int64 =
            switch frequency {
            case .yearly: 366 * 86400
            case .monthly: 31 * 86400
            case .weekly: 7 * 86400
            case .daily: 86400
            case .hourly: 3600
            case .minutely: 60
            case .secondly: 1
            }
        return (time - start) / (length * interval) - 2
    }

    // MARK: - One period

    /// The occurrences in a period in order, and its first instant; `nil` past the last year.
    private func moments(_ period: Int64, _ start: Int64) -> (first: Int64, all: [Int64])? {
        let day = Self.floored(start, 86400)
        let date = CivilDate(daysSinceEpoch: day)
        let step = period * interval
        switch frequency {
        case .hourly, .minutely, .secondly: return clockTimes(start, step)
        case .daily:
            let today = day + step
            return (today * 86400, at(allows(today) ? [today] : [], start))
        case .weekly:
            let week = day - (Self.weekday(day) - weekStart + 7) % 7 + step * 7
            let wanted = weekdays.isEmpty ? [Self.weekday(day)] : weekdays.map(\.day)
            let days = (week..<(week + 7)).filter { wanted.contains(Self.weekday($0)) && isInMonths($0) }
            return (week * 86400, at(days, start))
        case .monthly:
            let month = date.year * 12 + date.month - 1 + step
            let year = Self.floored(month, 12)
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
            return ((first.daysSinceEpoch - 7) * 86400, at(days(ofYear: first, date, Self.weekday(day)), start))
        }
    }

    private func clockTimes(_ start: Int64, _ step: Int64) -> (first: Int64, all: [Int64]) {
        let length: Int64 = frequency == .hourly ? 3600 : frequency == .minutely ? 60 : 1
        let time = start + step * length
        let day = Self.floored(time, 86400)
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
        let clock = start - Self.floored(start, 86400) * 86400
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
        if !weekdays.isEmpty, !weekdays.contains(where: { $0.day == Self.weekday(day) }) { return false }
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
                weekdays.isEmpty || weekdays.contains { $0.day == Self.weekday(day) }
            }
        }
        if !weekdays.isEmpty { return weekdays(from: first, count: length) }
        return usual <= length ? [first + usual - 1] : []
    }

    private func days(ofYear first: CivilDate, _ usual: CivilDate, _ weekday: Int64) -> [Int64] {
        let (begin, length) = Self.year(first.year)
        func isWeekday(_ day: Int64) -> Bool { weekdays.isEmpty || weekdays.contains { $0.day == Self.weekday(day) } }
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
            let all = (first..<(first + count)).filter { Self.weekday($0) == wanted.day }
            if wanted.nth == 0 { return all }
            let index = wanted.nth > 0 ? Int(wanted.nth) - 1 : all.count + Int(wanted.nth)
            return all.indices.contains(index) ? [all[index]] : []
        }
    }

    /// The first days of the wanted weeks of a year. The first week has at least four days in the year.
    private func weeks(of year: Int64) -> [Int64] {
        func firstWeek(_ year: Int64) -> Int64 {
            let fourth = Self.year(year).first + 3
            return fourth - (Self.weekday(fourth) - weekStart + 7) % 7
        }
        let first = firstWeek(year)
        let count = (firstWeek(year + 1) - first) / 7
        return Set(weekNumbers.map { $0 < 0 ? count + 1 + $0 : $0 }).filter { 1...count ~= $0 }.map {
            first + ($0 - 1) * 7
        }
    }

    // MARK: - Days

    private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value - divisor + 1) / divisor
    }

    /// From 0, Monday; 1970 began on a Thursday.
    private static func weekday(_ day: Int64) -> Int64 { ((day + 3) % 7 + 7) % 7 }

    private static func year(_ year: Int64) -> (first: Int64, length: Int64) {
        let first = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
        return (first, (CivilDate(year: year + 1, month: 1, day: 1)?.daysSinceEpoch ?? 0) - first)
    }

    private static func monthLength(_ date: CivilDate) -> Int64 {
        (28...31).last { CivilDate(year: date.year, month: date.month, day: $0) != nil } ?? 28
    }
}
