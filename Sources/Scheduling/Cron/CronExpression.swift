internal import PlugCore

/// Times of day on certain days, in cron's five fields: `30 6 * * MON-FRI`.
///
/// The fields are minute, hour, day of the month, month and day of the week, each `*`, a value, a range, a list of those, or with
/// a step (`*/15`, `8-18/2`). Months and days of the week have names; 0 and 7 are Sunday. `@hourly`, `@daily`, `@weekly`,
/// `@monthly` and `@yearly` abbreviate five fields.
///
/// If both day fields are restricted, a day need match only one of them. A field that begins with `*` is not restricted, even
/// with a step, as in Debian's cron: a day must then match both.
package struct CronExpression: Sendable, Equatable, CustomStringConvertible {
    /// The expression as written.
    package let description: String
    let minutes: CronSet
    let hours: CronSet
    let days: CronSet
    let months: CronSet
    let weekdays: CronSet

    /// Whether it does not restrict the hours, so that the next time is never far off.
    let isEachHour: Bool
    /// Whether it counts elapsed time rather than clock times: it runs every hour, or every so many minutes.
    let countsTime: Bool

    /// Parses an expression.
    ///
    /// - Throws: `bad-cron`, or `cron-never` for dates that occur in no year.
    package init(_ text: String) throws(ScheduleFault) {
        let sets = try CronReader.read(text)
        (minutes, hours, days, months, weekdays) = (sets[0], sets[1], sets[2], sets[3], sets[4])
        description = text
        isEachHour = hours.bits == 0xFF_FFFF
        countsTime = isEachHour || minutes.isWild && minutes.bits.nonzeroBitCount > 1
        guard hasADay else {
            throw ScheduleFault(
                .cronNever,
                "no month that \(ScheduleFault.quoted(text)) names has such a day",
                advice: "correct the day of the month or the month",
                in: text
            )
        }
    }

    /// Whether a day need match only one of the day fields.
    var eitherDay: Bool { !days.isWild && !weekdays.isWild }

    /// Each date of a leap year falls on each weekday in some year, so the dates alone decide.
    private var hasADay: Bool {
        if eitherDay { return true }
        let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return zip(1..., lengths).contains { month, length in
            months.contains(month) && days.first(from: 1).map { $0 <= length } == true
        }
    }
}
