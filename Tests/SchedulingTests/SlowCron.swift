import PlugCore
import TestKit

/// Cron by brute force: every minute is looked at, and every field is a list of numbers. Shares nothing with what it tests
/// but the offsets of zones.
struct SlowCron {
    /// A minute of a zone's clocks.
    struct Minute {
        let moment: Int64
        let local: Int64
        let date: [Int]

        /// - Parameter moment: Seconds since 1970.
        init(_ moment: Int64, local: Int64) {
            self.moment = moment
            self.local = local
            let days = CivilDate.floored(local, 86_400)
            let day = CivilDate(daysSinceEpoch: days)
            let time = Int(local - days * 86_400)
            date = [time / 60 % 60, time / 3600, Int(day.day), Int(day.month), Int(((days + 4) % 7 + 7) % 7)]
        }
    }

    private static let ranges = [0...59, 0...23, 1...31, 1...12, 0...6]
    private let eachHour: Bool
    private let countsTime: Bool
    private let eitherDay: Bool
    /// Whether a field names a value, from 0.
    private let values: [[Bool]]

    init(_ expression: String) {
        let fields = expression.split(separator: " ").map(String.init)
        values = zip(fields, Self.ranges).map { field, range in
            let named = Set(field.split(separator: ",").flatMap { Self.values($0, range) })
            return (0...range.upperBound).map(named.contains)
        }
        eachHour = !values[1].contains(false)
        countsTime = eachHour || fields[0].hasPrefix("*") && values[0].count { $0 } > 1
        eitherDay = !fields[2].hasPrefix("*") && !fields[4].hasPrefix("*")
    }

    private static func values(_ part: Substring, _ range: ClosedRange<Int>) -> [Int] {
        let sides = part.split(separator: "/")
        let ends =
            sides[0] == "*"
            ? [range.lowerBound, range.upperBound] : sides[0].split(separator: "-").compactMap { Int($0) }
        let step = sides.count == 2 ? Int(sides[1]) ?? 1 : 1
        return (ends[0]...ends[ends.count - 1]).filter { ($0 - ends[0]) % step == 0 }
    }

    private func matches(_ date: [Int]) -> Bool {
        guard values[0][date[0]], values[1][date[1]], values[3][date[3]] else { return false }
        let (isDay, isWeekday) = (values[2][date[2]], values[4][date[4]])
        return eitherDay ? isDay || isWeekday : isDay && isWeekday
    }

    /// The times among minutes that follow one another, in microseconds; the first days are for what clocks showed before.
    func times(in minutes: [Minute], from start: Int64) -> [Int64] {
        var times: [Int64] = []
        var latest = minutes.lazy.filter { $0.moment < start }.map(\.local).max() ?? .min
        for (last, minute) in zip(minutes, minutes.dropFirst()) where minute.moment >= start {
            var isDue = (countsTime || minute.local > latest) && matches(minute.date)
            if minute.local > last.local + 60, !eachHour {
                // What lies between the two is no time of these clocks.
                let gap = stride(from: last.local + 60, to: minute.local, by: 60)
                isDue = isDue || gap.contains { matches(Minute(0, local: $0).date) }
            }
            if isDue { times.append(minute.moment * 1_000_000) }
            latest = max(latest, minute.local)
        }
        return times
    }

    /// An expression that can match, of numbers.
    static func random(_ numbers: inout SplitMix) -> String {
        let fields = Self.ranges.enumerated().map { index, range in
            field(range, oftenAny: index > 1, &numbers)
        }
        // Any day of the week can be on the first days of any month.
        let days = fields[2].hasPrefix("*") ? fields[2] : "\(Int.random(in: 1...29, using: &numbers)),\(fields[2])"
        return "\(fields[0]) \(fields[1]) \(days) \(fields[3]) \(fields[4])"
    }

    private static func field(_ range: ClosedRange<Int>, oftenAny: Bool, _ numbers: inout SplitMix) -> String {
        if Int.random(in: 0..<10, using: &numbers) < (oftenAny ? 6 : 2) { return "*" }
        let parts = (0..<Int.random(in: 1...3, using: &numbers)).map { _ -> String in
            let low = Int.random(in: range, using: &numbers)
            let high = Int.random(in: low...range.upperBound, using: &numbers)
            let step = Int.random(in: 1...range.count / 2, using: &numbers)
            return ["\(low)", "\(low)", "\(low)-\(high)", "\(low)-\(high)/\(step)", "*/\(step)"].randomElement(
                using: &numbers
            ) ?? "*"
        }
        return parts.joined(separator: ",")
    }
}
