import PlugCore
import TestKit
import Testing

@testable import Scheduling

struct CronReadingTests {
    /// Expressions and others that mean the same.
    @Test(arguments: [
        ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"), ("@weekly", "0 0 * * 0"),
        ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"), ("@Annually", "0 0 1 1 *"),
        ("  5\t6 7   8 * ", "5 6 7 8 *"), ("05 06 07 08 *", "5 6 7 8 *"),
        ("0 0 * jan,Feb-APR *", "0 0 * 1,2,3,4 *"), ("0 0 * 1-12/3 *", "0 0 * 1,4,7,10 *"),
        ("0 0 * * 7", "0 0 * * 0"), ("0 0 * * SUN", "0 0 * * 0"), ("0 0 * * 5-7", "0 0 * * 0,5,6"),
        ("0 0 * * FRI-SUN", "0 0 * * 0,5,6"), ("0 0 * * 0-7", "0 0 * * 0,1,2,3,4,5,6"), ("0 0 * * 0-0", "0 0 * * SUN"),
        ("0 0 * * sat,mon", "0 0 * * 1,6"), ("0 0 * * SUN-TUE", "0 0 * * 0,1,2"),
        ("10-20/5 0 * * *", "10,15,20 0 * * *"), ("1,1,1 0 * * *", "1 0 * * *"), ("0-59/60 0 * * *", "0 0 * * *"),
    ])
    func severalTextsMeanTheSame(text: String, other: String) throws {
        let (first, second) = (try CronExpression(text), try CronExpression(other))
        #expect(first.minutes == second.minutes)
        #expect(first.hours == second.hours)
        #expect(first.days == second.days)
        #expect(first.months == second.months)
        #expect(first.weekdays == second.weekdays)
        #expect(first.description == text)
    }

    @Test func fieldsAreSetsOfValues() throws {
        let all = try CronExpression("*/20 */12 */10 */4 */2")
        #expect(all.minutes == CronSet(bits: 1 | 1 << 20 | 1 << 40, isWild: true))
        #expect(all.hours == CronSet(bits: 1 | 1 << 12, isWild: true))
        #expect(all.days == CronSet(bits: 1 << 1 | 1 << 11 | 1 << 21 | 1 << 31, isWild: true))
        #expect(all.months == CronSet(bits: 1 << 1 | 1 << 5 | 1 << 9, isWild: true))
        #expect(all.weekdays == CronSet(bits: 0b101_0101, isWild: true))
        #expect(try CronExpression("* * * * *").minutes == CronSet(bits: 1 << 60 - 1, isWild: true))
    }

    private static let short =
        "write minute, hour, day of the month, month and day of the week: \"0 6 * * *\" is each day at six"
    private static let long =
        "there are no fields for seconds or years: keep minute, hour, day of the month, month, day of the week"

    /// Texts, and what is said about which part of them.
    @Test(arguments: [
        ("", "a cron expression has five fields, and this one has 0", short, 0..<0),
        ("0 6 * *", "a cron expression has five fields, and this one has 4", short, 7..<7),
        ("0 0 6 * * MON", "a cron expression has five fields, and this one has 6", long, 10..<13),
        ("60 * * * *", "'60' is no minute", "write a number from 0 to 59, or *", 0..<2),
        ("* 24 * * *", "'24' is no hour", "write a number from 0 to 23, or *", 2..<4),
        ("* * 0 * *", "'0' is no day of the month", "write a number from 1 to 31, or *", 4..<5),
        ("* * 1,32 * *", "'32' is no day of the month", "write a number from 1 to 31, or *", 6..<8),
        ("* * * 13 *", "'13' is no month", "write a number from 1 to 12, a name from JAN to DEC, or *", 6..<8),
        ("* * * * 8", "'8' is no day of the week", "write a number from 0 to 7, a name from SUN to SAT, or *", 8..<9),
        ("0 0 * * MONDAY", "'MONDAY' is no day of the week", "did you mean 'MON'?", 8..<14),
        ("0 0 * July *", "'July' is no month", "did you mean 'JUL'?", 6..<10),
        ("JAN * * * *", "'JAN' is no minute", "write a number from 0 to 59, or *", 0..<3),
        ("0 0 ? * MON", "'?' is no day of the month", "write * for any day of the month", 4..<5),
        ("0 0 L * *", "'L' is no day of the month", "write a number from 1 to 31, or *", 4..<5),
        ("0,,5 * * * *", "'' is no minute", "write a number from 0 to 59, or *", 2..<2),
        ("-5 * * * *", "'' is no minute", "write a number from 0 to 59, or *", 0..<0),
        ("1-2-3 * * * *", "'1-2-3' is not a range", "write two values, such as 1-5", 0..<5),
        (
            "* 22-2 * * *", "the range '22-2' ends before it begins",
            "write 22-23,0-2 for both ends, or the smaller value first", 2..<6
        ),
        (
            "0 0 * * FRI-TUE", "the range 'FRI-TUE' ends before it begins",
            "write 5-6,0-2 for both ends, or the smaller value first", 8..<15
        ),
        ("5/15 * * * *", "a step after the single value '5'", "write 5-59/15", 0..<4),
        ("*/0 * * * *", "'0' is not a step for the minute", "write a number from 1 to 60", 2..<3),
        ("*/x * * * *", "'x' is not a step for the minute", "write a number from 1 to 60", 2..<3),
        (
            "*/90 * * * *", "'90' is not a step for the minute",
            "steps start again after the last minute: for longer times, use an interval", 2..<4
        ),
        ("*/2/3 * * * *", "'*/2/3' has two steps", "write one", 3..<5),
        ("*5 * * * *", "'*5' is no minute", "write a number from 0 to 59, or *", 0..<2),
        ("٣ * * * *", "'٣' is no minute", "write a number from 0 to 59, or *", 0..<1),
        (
            "9999999999999999999999 * * * *", "'9999999999999999999999' is no minute",
            "write a number from 0 to 59, or *", 0..<22
        ),
        ("@dayly", "'@dayly' is not the name of a schedule", "did you mean '@daily'?", 0..<6),
        (
            " @reboot", "'@reboot' is not the name of a schedule",
            "the names are @hourly, @daily, @weekly, @monthly and @yearly", 1..<8
        ),
        ("@daily x", "'@daily' stands alone", "remove what follows", 6..<8),
        ("\u{1B}[2J * * * *", "'\\u001b[2J' is no minute", "write a number from 0 to 59, or *", 0..<4),
    ])
    func mistakesAreNamedWithTheirPlace(text: String, message: String, advice: String, place: Range<Int>) {
        let fault = ScheduleFault("bad-cron", message, advice: advice, at: place)
        #expect(throws: fault) { try CronExpression(text) }
    }

    @Test func longTextsAreShortInMessages() {
        let word = String(repeating: "é", count: 300)
        let shown = String(repeating: "é", count: 39) + "…"
        let advice = "write a number from 0 to 59, or *"
        let fault = ScheduleFault("bad-cron", "'\(shown)' is no minute", advice: advice, at: 0..<300)
        #expect(throws: fault) { try CronExpression("\(word) * * * *") }
        let whole = String(repeating: "1,", count: 501)
        let error = #expect(throws: ScheduleFault.self) { try CronExpression(whole) }
        #expect(error?.message == "a cron expression of more than 1000 bytes")
    }

    @Test(arguments: ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 30-31 FEB */2", "0 0 31 4 *"])
    func datesThatNoYearHasAreRefused(text: String) {
        let error = #expect(throws: ScheduleFault.self) { try CronExpression(text) }
        #expect(error?.code == "cron-never")
        #expect(error?.message == "no month that '\(text)' names has such a day")
    }

    @Test(arguments: ["0 0 29 2 *", "0 0 30 2 MON", "0 0 31 */2 *", "0 0 29 2 */7"])
    func datesThatSomeYearHasAreNot(text: String) throws {
        #expect(try CronExpression(text).next(after: 0, in: zone("UTC")) < .max)
    }

    @Test func theErrorOfACommandNamesThePlace() {
        let error = #expect(throws: ScheduleFault.self) { try CronExpression("0 25 * * *") }
        #expect(
            error?.plugError.description == """
                error: [bad-cron] '25' is no hour, at character 3
                  help: write a number from 0 to 23, or *
                """
        )
        #expect(error?.plugError.exit == .configuration)
    }

    @Test func anUnknownZoneIsNamed() {
        let advice = "write a name of the IANA time zone database, such as Europe/Berlin, or UTC"
        let near = ScheduleFault(
            "zone-unknown",
            "there is no time zone 'Europe/Berln'",
            advice: "did you mean 'Europe/Berlin'?",
            at: 0..<12
        )
        #expect(throws: near) { try zone("Europe/Berln") }
        let far = ScheduleFault("zone-unknown", "there is no time zone 'CET'", advice: advice, at: 0..<3)
        #expect(throws: far) { try zone("CET") }
        let long = String(repeating: "a/", count: 50_000)
        #expect(throws: ScheduleFault.self) { try zone(long) }
    }
}
