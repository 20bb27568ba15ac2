/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Equatable {
    /// The year; 0 is the one before 1.
    package var year: Int64
    /// The month, from 1.
    package var month: Int64
    /// The day of the month, from 1.
    package var day: Int64

    /// Days since 1970-01-01.
    package var daysSinceEpoch: Int64 {
        // Years begin in March, so that the leap day comes last.
        let shifted = month <= 2 ? year - 1 : year
        let era = Self.floored(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day this many days after 1970-01-01.
    package init(daysSinceEpoch: Int64) {
        let days = daysSinceEpoch + 719_468
        let era = Self.floored(days, 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// A day, or `nil` if it does not exist.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard 1...12 ~= month, 1...31 ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
        guard CivilDate(daysSinceEpoch: daysSinceEpoch) == self else { return nil }
    }

    /// The day of the week of a day since 1970: 0 is Monday. The first day of 1970 was a Thursday.
    package static func weekday(_ day: Int64) -> Int64 { ((day + 3) % 7 + 7) % 7 }

    /// The quotient, rounded down even for negative numbers.
    package static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
        let quotient = value / divisor
        return value % divisor < 0 ? quotient - 1 : quotient
    }
}
