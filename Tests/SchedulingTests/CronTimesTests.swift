import PlugCore
import Testing

@testable import Scheduling

/// Times by clocks that nobody changes.
struct CronTimesTests {
    /// Expressions, moments, and the next times.
    @Test(arguments: [
        ("* * * * *", "2026-11-21T05:08:00Z", ["2026-11-21T05:09:00Z", "2026-11-21T05:10:00Z"]),
        ("* * * * *", "2026-11-21T05:08:59.999999Z", ["2026-11-21T05:09:00Z"]),
        ("8 5 * * *", "2026-11-21T05:07:59.999999Z", ["2026-11-21T05:08:00Z", "2026-11-22T05:08:00Z"]),
        ("8 5 * * *", "2026-11-21T05:08:00Z", ["2026-11-22T05:08:00Z"]),
        ("*/15 * * * *", "2026-12-31T23:31:00Z", ["2026-12-31T23:45:00Z", "2027-01-01T00:00:00Z"]),
        ("30 8-18/2 * * MON-FRI", "2026-11-20T16:30:00Z", ["2026-11-20T18:30:00Z", "2026-11-23T08:30:00Z"]),
        ("59 23 31 12 *", "2026-12-31T23:59:00Z", ["2027-12-31T23:59:00Z"]),
        ("0 0 31 * *", "2026-01-31T00:00:00Z", ["2026-03-31T00:00:00Z", "2026-05-31T00:00:00Z"]),
        ("@weekly", "2026-11-21T05:08:00Z", ["2026-11-22T00:00:00Z", "2026-11-29T00:00:00Z"]),
        ("@monthly", "2026-11-21T05:08:00Z", ["2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"]),
        ("@yearly", "2026-01-01T00:00:00Z", ["2027-01-01T00:00:00Z"]),
        ("0 0 29 2 *", "2096-02-29T00:00:00Z", ["2104-02-29T00:00:00Z", "2108-02-29T00:00:00Z"]),
        // Either day field, where both are restricted: the 13th and each Friday.
        ("0 0 13 * FRI", "2026-11-12T00:00:00Z", ["2026-11-13T00:00:00Z", "2026-11-20T00:00:00Z"]),
        ("0 0 13 * FRI", "2026-12-11T00:00:00Z", ["2026-12-13T00:00:00Z", "2026-12-18T00:00:00Z"]),
        // Both, where one begins with *: the second Monday of a month, by days 8 to 14.
        ("0 0 */2 * MON", "2026-11-21T00:00:00Z", ["2026-11-23T00:00:00Z", "2026-12-07T00:00:00Z"]),
        ("0 0 8-14 * */7", "2026-11-21T00:00:00Z", ["2026-12-13T00:00:00Z", "2027-01-10T00:00:00Z"]),
        // 29 February on a Sunday: 28 years, and 40 across 2100.
        ("0 0 29 2 */7", "2004-03-01T00:00:00Z", ["2032-02-29T00:00:00Z", "2060-02-29T00:00:00Z"]),
        ("0 0 29 2 */7", "2088-02-29T00:00:00Z", ["2128-02-29T00:00:00Z"]),
        // Long before 1970.
        ("0 12 1 1 *", "1583-01-01T12:00:00Z", ["1584-01-01T12:00:00Z"]),
        ("* * * * *", "1969-12-31T23:58:00.5Z", ["1969-12-31T23:59:00Z", "1970-01-01T00:00:00Z"]),
    ])
    func theNextTimesFollow(expression: String, start: String, times: [String]) throws {
        let expression = try CronExpression(expression)
        var moment = try moment(start)
        for time in times {
            moment = expression.next(after: moment, in: try zone("UTC"))
            #expect(text(moment) == time)
        }
    }

    /// The calendar repeats after 400 years: what is true of all days in them is true.
    @Test func noDayIsFartherAwayThanTheSearchGoes() throws {
        let first = try #require(CivilDate(year: 2000, month: 1, day: 1)).daysSinceEpoch
        var leapDays: [Int64: [Int64]] = [:]
        for day in first..<first + 2 * 146_097 {
            let date = CivilDate(daysSinceEpoch: day)
            if date.month == 2, date.day == 29 { leapDays[day % 7, default: []].append(date.year) }
        }
        let waits = leapDays.values.map { years in zip(years, years.dropFirst()).map { $1 - $0 }.max() ?? 0 }
        #expect(waits == [40, 40, 40, 40, 40, 40, 40])
        #expect(CronExpression.longestWait == 40 * 12)
    }

    @Test func theEndsOfTimeAreBounds() throws {
        let expression = try CronExpression("0 0 29 2 *")
        for name in ["UTC", "Europe/Berlin", "Africa/Casablanca"] {
            #expect(expression.next(after: .max, in: try zone(name)) == .max)
            #expect(expression.next(after: .max - day, in: try zone(name)) == .max)
            #expect(expression.next(after: .min, in: try zone(name)) < .min + 9 * 366 * day)
        }
    }
}
