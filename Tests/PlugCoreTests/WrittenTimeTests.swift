import PlugCore
import Testing

/// Times that texts write in their own way, and the zones that they are meant in.
struct WrittenTimeTests {
    @Test(arguments: [
        ("%d.%m.%Y %H:%M", "21.11.2026 05:08", "2026-11-21T05:08:00Z"),
        ("%d.%m.%Y %H:%M", "1.2.2026   5:08", "2026-02-01T05:08:00Z"),
        ("%d.%m.%Y\u{A0}%H:%M", "01.02.2026\u{A0}05:08", "2026-02-01T05:08:00Z"),
        ("%m/%d/%y %I:%M %p", "11/21/26 12:05\u{202F}AM", "2026-11-21T00:05:00Z"),
        ("%m/%d/%y %I:%M %p", "11/21/69 12:05 pm", "1969-11-21T12:05:00Z"),
        ("%A, %d. %B %Y", "saturday, 21. NOVEMBER 2026", "2026-11-21T00:00:00Z"),
        ("%a %e %b %Y", "Sat  1 May 2026", "2026-05-01T00:00:00Z"),
        ("%F %T.%f%z", "2026-11-21 05:08:00.1200000+01:00", "2026-11-21T04:08:00.1200000Z"),
        ("%FT%T%Z", "2026-11-21T05:08:00PST", "2026-11-21T13:08:00Z"),
        ("%FT%T%z", "2026-11-21T05:08:00Z", "2026-11-21T05:08:00Z"),
        ("%Y%m%d%H%M%S", "20261121050800", "2026-11-21T05:08:00Z"), ("%Y-%j", "2024-366", "2024-12-31T00:00:00Z"),
        ("%s.%L", "1542782400.250", "2018-11-21T06:40:00.250Z"),
        ("am %F um %H Uhr (100%%)", "am 2026-11-21 um 5 Uhr (100%)", "2026-11-21T05:00:00Z"),
        ("%F %T", "2026-12-31 23:59:60", "2027-01-01T00:00:00Z"),
    ])
    func patternsReadWhatTheyWrite(pattern: String, text: String, time: String) throws {
        let pattern = try StrftimePattern(pattern)
        #expect(pattern.readingFault == nil)
        #expect(pattern.read(text)?.moment().rfc3339 == time)
    }

    @Test(arguments: [
        ("%d.%m.%Y", "21.11.26"), ("%d.%m.%Y", "30.02.2026"), ("%d.%m.%Y", "21.11.2026 "),
        ("%d.%m.%Y", "21.11.2026 05:08"),
        ("%d.%m.%Y %H:%M", "21.11.202605:08"), ("%F %H", "2026-11-21 24"), ("%Y-%j", "2026-366"),
        ("%F %I%p", "2026-11-21 13PM"),
        ("%F%z", "2026-11-21CET"), ("%d %b %Y", "21 Nvo 2026"), ("%F", ""), ("%s", "9999999999999999999"),
        ("%F %T", "2026-11-21 05:61:00"),
    ])
    func patternsRefuseOtherTexts(pattern: String, text: String) throws {
        #expect(try StrftimePattern(pattern).read(text) == nil)
    }

    @Test(arguments: [
        ("%H:%M", "does not name the day: year, month and day, or %s"), ("%F %I:%M", "has %I without %p"),
    ])
    func aPatternThatTellsNoTimeSaysWhy(pattern: String, fault: String) throws {
        #expect(try StrftimePattern(pattern).readingFault == fault)
    }

    @Test(arguments: [
        ("Sat, 21 Nov 2026 05:08:00 EST", "2026-11-21T10:08:00Z"), ("21 Nov 2026 05:08 PDT", "2026-11-21T12:08:00Z"),
        ("Sat, 21 Nov 2026 05:08:00 Z", "2026-11-21T05:08:00Z"),
        ("Sat, 21 Nov 2026 05:08:00 UT", "2026-11-21T05:08:00Z"),
        ("Sat, 21 Nov 2026 05:08:00 -0500 (EST)", "2026-11-21T10:08:00Z"),
        ("Sat, 21 Nov 2026 05:08:00 MDT (Mountain)", "2026-11-21T11:08:00Z"),
    ])
    func datesOfMailsHaveNamedZones(text: String, time: String) {
        #expect(Timestamp(text)?.rfc3339 == time)
    }

    @Test(arguments: [
        ("Sat, 21 Nov 2026 05:08:00 CET", "2026-11-21T04:08:00Z"), ("21 Nov 2026 05:08 cest", "2026-11-21T03:08:00Z"),
        ("21 Nov 2026 05:08:00 BST", "2026-11-21T04:08:00Z"), ("21 Nov 2026 05:08:00 IST", "2026-11-20T23:38:00Z"),
        ("Sat, 21 Nov 2026 05:08:00 (EST)", "2026-11-21T10:08:00Z"), ("21 Nov 26 5:08 GMT", "2026-11-21T05:08:00Z"),
        ("21 Nov 98 05:08 GMT", "1998-11-21T05:08:00Z"), ("Mon, 25 Jan 2016 1:35:20 -0800", "2016-01-25T09:35:20Z"),
        ("Saturday, 21-Nov-26 05:08:00 GMT", "2026-11-21T05:08:00Z"),
        ("Sat Nov 21 05:08:00 2026", "2026-11-21T05:08:00Z"),
        ("Sat Nov 21 05:08:00 EST 2026", "2026-11-21T10:08:00Z"),
        ("November 21st, 2026 at 5:08 pm", "2026-11-21T17:08:00Z"),
        ("Sun, 15 Dec 2024 12:15 PM", "2024-12-15T12:15:00Z"), ("15 Dec 2024 12:15am", "2024-12-15T00:15:00Z"),
        ("Mi, 9 Oct 2019 5:8:3GMT", "2019-10-09T05:08:03Z"), ("Oct, 9 2019 05:08:03CEST", "2019-10-09T03:08:03Z"),
        ("Wed, Oct 09 2019", "2019-10-09T00:00:00Z"), ("9 Sept. 2019", "2019-09-09T00:00:00Z"),
        ("21 nov 2026 24:00:00 +0000", "2026-11-22T00:00:00Z"), ("21 Nov 2026 05:08 GMT+0100", "2026-11-21T04:08:00Z"),
        ("21 Nov 2026 05:08:00 -07:00", "2026-11-21T12:08:00Z"),
        ("21 Nov 2026 05:08:00 +0000 GMT", "2026-11-21T05:08:00Z"),
        ("Thur, 21 Nov 2026\n 05:08:00.25 Z", "2026-11-21T05:08:00.25Z"),
        ("21 Nov 2026 05:08:00 A", "2026-11-21T05:08:00Z"),
    ])
    func mailsAndFeedsHaveOtherForms(text: String, time: String) {
        #expect(Timestamp(text)?.rfc3339 == time)
    }

    @Test(arguments: [
        "2026-11-21T05:08:00 EST", "21 Nov 2026 05:08:00 XYZ", "21 Nov", "Nov 2026", "21 Now 2026", "31 Nov 2026",
        "21 Nov 2026 5", "21 Nov 2026 25:00", "21 Nov 2026 13:00 pm", "21 Nov 2026 05:08 +99", "may", "mon 2", "1 may",
        "",
        "21 Nov 2026 2027", "21 Nov 2026 soon", "21 Nov 2026 05:08 (somewhere)",
    ])
    func othersHaveNone(text: String) {
        #expect(Timestamp(text) == nil)
    }

    /// Gaps and overlaps: Berlin's clocks went from 02:00 to 03:00 on 2026-03-29 and from 03:00 to 02:00 on 2026-10-25; those of
    /// Lord Howe Island change by half an hour.
    @Test(arguments: [
        ("Europe/Berlin", "2026-01-02T12:00:00", "2026-01-02T11:00:00Z"),
        ("Europe/Berlin", "2026-07-02T12:00:00", "2026-07-02T10:00:00Z"),
        ("Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T00:59:59Z"),
        ("Europe/Berlin", "2026-03-29T02:30:00", "2026-03-29T01:30:00Z"),
        ("Europe/Berlin", "2026-03-29T03:00:00", "2026-03-29T01:00:00Z"),
        ("Europe/Berlin", "2026-10-25T01:59:59", "2026-10-24T23:59:59Z"),
        ("Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T00:30:00Z"),
        ("Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T02:00:00Z"),
        ("Australia/Lord_Howe", "2026-10-04T02:10:00", "2026-10-03T15:40:00Z"),
        ("Asia/Kathmandu", "2026-01-02T00:00:00", "2026-01-01T18:15:00Z"),
        ("UTC", "2026-01-02T00:00:00", "2026-01-02T00:00:00Z"),
        ("Europe/Berlin", "2026-01-02T12:00:00+05:00", "2026-01-02T07:00:00Z"),
    ])
    func clocksOfAZoneTellMoments(zone: String, text: String, time: String) throws {
        let zone = try #require(NamedZone(zone))
        #expect(WrittenTime(text)?.moment(in: zone).rfc3339 == time)
    }

    @Test func aDayIsTheOneThatIsWrittenOrElseThatOfTheMoment() throws {
        let zone = try #require(NamedZone("Europe/Berlin"))
        #expect(WrittenTime("2026-02-01")?.day(in: zone).date == "2026-02-01")
        #expect(WrittenTime("2026-02-01T00:30:00")?.day(in: zone).date == "2026-02-01")
        #expect(WrittenTime("2026-02-01T23:30:00Z")?.day(in: zone).date == "2026-02-02")
        #expect(WrittenTime("2026-02-01T23:30:00-05:00")?.day().date == "2026-02-02")
    }

    @Test(arguments: [
        "CET", "Europe/Berln", "", "/etc/localtime", "../../etc/localtime", "Europe/../UTC", "GMT+1", "/",
    ])
    func otherNamesAreNoZones(name: String) {
        #expect(NamedZone(name) == nil)
    }

    @Test func microsecondsKeepTheirDigits() {
        #expect(Timestamp(epochMicroseconds: "1542782400000007")?.rfc3339 == "2018-11-21T06:40:00.000007Z")
        #expect(Timestamp(epochMicroseconds: "1542782400000000")?.rfc3339 == "2018-11-21T06:40:00Z")
        #expect(Timestamp(epochMicroseconds: "-1")?.rfc3339 == "1969-12-31T23:59:59.999999Z")
    }

    /// The smallest number stands for "no time" in some sources.
    @Test func numbersAtTheEdgeAreTimesOrNone() {
        #expect(Timestamp(epochMicroseconds: "-9223372036854775808")?.seconds == -9_223_372_036_855)
        #expect(Timestamp(epochMilliseconds: "-9223372036854775808") == nil)
        #expect(Timestamp(epoch: "-86400.0")?.date == "1969-12-31")
        #expect(Timestamp(epoch: "-86400.5") == nil)
    }
}
