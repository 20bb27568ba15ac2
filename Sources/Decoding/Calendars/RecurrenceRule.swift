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
    /// What a period costs, however few occurrences it has: each number of the rule may be compared with it.
    private var weight = 1

    private static let days = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    /// Reads `FREQ=WEEKLY;BYDAY=MO,WE;COUNT=10`, `nil` if it is not a rule.
    init?(_ text: String) {
        var parts: [String: String] = [:]
        for part in text.uppercased().filter({ $0 != " " }).split(separator: ";") {
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
            return known.count == values.count && !known.isEmpty && known.count <= 400 ? Set(known).sorted() : nil
        }
        guard let months = numbers("BYMONTH", 1...12), let weekNumbers = numbers("BYWEEKNO", -53...53),
            let yearDays = numbers("BYYEARDAY", -366...366), let monthDays = numbers("BYMONTHDAY", -31...31),
            let hours = numbers("BYHOUR", 0...23), let minutes = numbers("BYMINUTE", 0...59),
            let seconds = numbers("BYSECOND", 0...60), let positions = numbers("BYSETPOS", -366...366)
        else { return nil }
        (self.months, self.weekNumbers, self.yearDays, self.monthDays) = (months, weekNumbers, yearDays, monthDays)
        (self.hours, self.minutes, self.seconds, self.positions) = (
            hours, minutes, Set(seconds.map { min($0, 59) }).sorted(), positions
        )
        // Every minute of a day is enough; more is an attack.
        guard max(1, hours.count) * max(1, minutes.count) * max(1, seconds.count) <= 1440 else { return nil }
        for part in parts["BYDAY"]?.split(separator: ",") ?? [] {
            guard weekdays.count < 400 else { return nil }
            guard let day = Self.days.firstIndex(of: String(part.suffix(2))) else { return nil }
            let nth = part.count == 2 ? 0 : Int64(part.dropLast(2))
            guard let nth, -53...53 ~= nth else { return nil }
            let weekday = Weekday(nth: nth, day: Int64(day))
            if !weekdays.contains(weekday) { weekdays.append(weekday) }
        }
        weight = [months, weekNumbers, yearDays, monthDays, positions].reduce(weekdays.count + 1) { $0 + $1.count }
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
        /// They take more room than one component may.
        case tooLarge
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
            budget -= weight + next.all.count
            if next.first - 86400 > window.upperBound { return (found, nil) }
            for time in selected(next.all) where time > start {
                if !take(time) { return (found, nil) }
                if found.count > limit { return (Array(found.prefix(limit)), .tooMany) }
            }
            period += 1
        }
        return (found, .tooFar)
    }

    /// Whether the time at which something begins is one of the rule's own.
    func gives(_ start: Int64) -> Bool {
        guard let first = moments(0, start) else { return false }
        return selected(first.all).contains(start)
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
}
