import LosslessJSON
import Testing

@testable import Decoding

struct CalendarTests {
    /// 2026-11-22T12:00:00Z
    private static let now: Int64 = 1_795_348_800

    private func read(_ text: String, _ window: CalendarWindow = CalendarWindow()) throws -> (
        all: [JSONValue], broken: [String]
    ) {
        try read(Array(text.utf8), window)
    }

    private func read(_ bytes: [UInt8], _ window: CalendarWindow = CalendarWindow()) throws -> (
        all: [JSONValue], broken: [String]
    ) {
        let decoded = try [5, 100_000].map { try Decoded(bytes, piece: $0, CalendarDecoder(window, now: Self.now)) }
        #expect(decoded[0] == decoded[1])
        return (
            try decoded[0].records.map { try JSONValue(parsing: $0) },
            decoded[0].broken.map { "\($0.line): \($0.reason)" }
        )
    }

    private func fault(_ text: String) -> DecodingFault? {
        do { _ = try Decoded(text.utf8, piece: 9, CalendarDecoder(CalendarWindow(), now: Self.now)) } catch {
            return error as? DecodingFault
        }
        return nil
    }

    private static func calendar(_ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private static func event(_ lines: String...) -> String {
        (["BEGIN:VEVENT", "UID:u"] + lines + ["END:VEVENT"]).joined(separator: "\r\n")
    }

    @Test func anEventIsARecord() throws {
        let text = Self.calendar(
            "BEGIN:VEVENT",
            "UID:1@x.org",
            "DTSTART;TZID=\"Europe/Berlin\":20261122T100000",
            "DURATION:PT1H30M",
            "SUMMARY;LANGUAGE=de:Kaffee\\, Ku",
            " chen\\nund mehr",
            "CATEGORIES:A\\,B,C",
            "ATTENDEE;CN=\"Ann; B\":mailto:a@x.org",
            "LAST-MODIFIED:20261101T000000Z",
            "BEGIN:VALARM",
            "ACTION:DISPLAY",
            "END:VALARM",
            "END:VEVENT"
        )
        let (all, broken) = try read(text)
        #expect(broken.isEmpty)
        #expect(
            all.map(\.compactText) == [
                #"{"type":"VEVENT","uid":"1@x.org","recurrence_id":null,"start":"2026-11-22T09:00:00Z","end":"2026-11-22T10:30:00Z","#
                    + #""zone":"Europe/Berlin","all_day":false,"summary":"Kaffee, Kuchen\nund mehr","description":null,"location":null,"#
                    + #""status":null,"url":null,"organizer":null,"attendees":["mailto:a@x.org"],"categories":["A,B","C"],"created":null,"#
                    + #""updated":"2026-11-01T00:00:00Z","raw":{"UID":[{"value":"1@x.org"}],"DTSTART":[{"value":"20261122T100000","#
                    + #""params":{"TZID":"Europe/Berlin"}}],"DURATION":[{"value":"PT1H30M"}],"SUMMARY":[{"value":"#
                    + #""Kaffee, Kuchen\nund mehr","params":{"LANGUAGE":"de"}}],"CATEGORIES":[{"value":"A,B,C"}],"ATTENDEE":[{"value":"#
                    + #""mailto:a@x.org","params":{"CN":"Ann; B"}}],"LAST-MODIFIED":[{"value":"20261101T000000Z"}],"components":["#
                    + #"{"type":"VALARM","raw":{"ACTION":[{"value":"DISPLAY"}]}}]}}"#
            ]
        )
    }

    @Test func whatRecursIsGivenWithinTheWindow() throws {
        let text = Self.calendar(
            Self.event(
                "DTSTART;TZID=Europe/Berlin:20200105T100000",
                "DTEND;TZID=Europe/Berlin:20200105T110000",
                "RRULE:FREQ=WEEKLY",
                "EXDATE;TZID=Europe/Berlin:20261101T100000"
            ),
            Self.event("RECURRENCE-ID;TZID=Europe/Berlin:20261108T100000", "DTSTART:20261108T200000Z", "SUMMARY:moved")
        )
        let window = CalendarWindow(past: .seconds(30 * 86400), future: .seconds(86400 * 2))
        let (all, broken) = try read(text, window)
        #expect(broken.isEmpty)
        // Winter time begins on 25 October.
        #expect(
            all.map {
                "\($0["recurrence_id"]?.stringText ?? "") \($0["start"]?.stringText ?? "") \($0["end"]?.stringText ?? "")"
            } == [
                "2026-10-25T09:00:00Z 2026-10-25T09:00:00Z 2026-10-25T10:00:00Z",
                "2026-11-15T09:00:00Z 2026-11-15T09:00:00Z 2026-11-15T10:00:00Z",
                "2026-11-22T09:00:00Z 2026-11-22T09:00:00Z 2026-11-22T10:00:00Z",
                "2026-11-08T09:00:00Z 2026-11-08T20:00:00Z ",
            ]
        )
    }

    @Test func aRecurrenceWithoutAnEndIsBounded() throws {
        let (all, broken) = try read(Self.calendar(Self.event("DTSTART:19700101T000000Z", "RRULE:FREQ=SECONDLY")))
        #expect(all.count == CalendarSeries.limit)
        #expect(broken == ["3: it recurs more often than the limit of 5000 times; the others are left out"])
        let (never, none) = try read(
            Self.calendar(Self.event("DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"))
        )
        #expect(never.map { $0["start"]?.stringText } == ["2026-01-01"])
        #expect(never.map { $0["all_day"]?.bool } == [true])
        #expect(none.isEmpty)
    }

    @Test func zonesOfTheFileAreUsedWhereTheSystemHasNone() throws {
        let zone = """
            BEGIN:VTIMEZONE\r\nTZID:Our Time\r\nBEGIN:STANDARD\r\nDTSTART:16010101T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100
            RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\r\nEND:STANDARD\r\nBEGIN:DAYLIGHT\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:+0100
            TZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3\r\nEND:DAYLIGHT\r\nEND:VTIMEZONE
            """
        let (all, _) = try read(
            Self.calendar(
                Self.event("DTSTART;TZID=Our Time:20260701T100000"),
                zone,
                Self.event("DTSTART;TZID=Our Time:20261201T100000"),
                Self.event("DTSTART;TZID=Nowhere:20261201T100000"),
                Self.event("DTSTART:20261201T100000")
            )
        )
        #expect(
            all.map { $0["start"]?.stringText } == [
                "2026-12-01T09:00:00Z", "2026-12-01T10:00:00", "2026-07-01T08:00:00Z", "2026-12-01T10:00:00",
            ]
        )
    }

    @Test func aBrokenComponentIsNamedAndTheOthersAreKept() throws {
        let (all, broken) = try read(
            Self.calendar(Self.event("DTSTART:soon"), Self.event("DTSTART:20261201T100000Z"), Self.event("no property"))
        )
        #expect(all.count == 1)
        #expect(broken == ["3: its DTSTART is not a time", "11: it has a line that is not a property"])
    }

    @Test func whatIsNoCalendarSaysSo() {
        #expect(fault("<!DOCTYPE html>\n")?.reason == "it does not begin with BEGIN:VCALENDAR")
        #expect(fault("")?.reason == "it has no BEGIN:VCALENDAR")
        #expect(
            fault("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n")
                == DecodingFault(.malformed, "the VEVENT that begins in this line does not end", line: 2)
        )
        #expect(
            fault("BEGIN:VCALENDAR\nEND:VEVENT\n")
                == DecodingFault(.malformed, "the END of this line has no BEGIN", line: 2)
        )
    }

    @Test(.enabled(if: Examples.arePresent("ics"), "the examples of calendars are not here"))
    func examplesAreRead() throws {
        for name in ["datetime_timezone", "event_all_day", "event_attendee", "rrule-daily", "rrule-exdate", "todo"] {
            let window = CalendarWindow(past: .seconds(40 * 365 * 86400))
            let (all, broken) = try read(Examples.read("ics/examples/\(name).ics"), window)
            #expect(!all.isEmpty, "\(name)")
            #expect(broken.isEmpty, "\(name)")
        }
    }
}

struct RecurrenceRuleTests {
    /// Examples of RFC 5545, 3.8.5.3, and what it says they give.
    static let examples: [(String, String, [String])] = [
        (
            "19961105T090000", "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            ["1996-11-05", "2000-11-07", "2004-11-02"]
        ),
        (
            "19970904T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
            ["1997-09-04", "1997-10-07", "1997-11-06"]
        ),
        (
            "19970929T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            ["1997-09-29", "1997-10-30", "1997-11-27", "1997-12-30", "1998-01-29"]
        ),
        (
            "19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"]
        ),
        (
            "19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"]
        ),
        (
            "20070115T090000", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
            ["2007-01-15", "2007-01-30", "2007-02-15", "2007-03-15", "2007-03-30"]
        ),
        ("19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", ["1997-05-12", "1998-05-11", "1999-05-17"]),
        (
            "19970101T090000", "FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200",
            ["1997-01-01", "1997-04-10", "1997-07-19", "2000-01-01"]
        ),
        ("19970519T090000", "FREQ=YEARLY;BYDAY=20MO", ["1997-05-19", "1998-05-18", "1999-05-17"]),
        ("19970905T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=1FR", ["1997-09-05", "1997-10-03", "1997-11-07"]),
        ("19970928T090000", "FREQ=MONTHLY;BYMONTHDAY=-3", ["1997-09-28", "1997-10-29", "1997-11-28", "1997-12-29"]),
        (
            "19970902T090000", "FREQ=DAILY;UNTIL=19970905T130000Z",
            ["1997-09-02", "1997-09-03", "1997-09-04", "1997-09-05"]
        ),
        (
            "19980101T090000", "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,SA;BYMONTHDAY=1,2,3",
            ["1998-01-01", "1998-01-03", "1999-01-02", "1999-01-03", "2000-01-01", "2000-01-02"]
        ),
        ("20240229T090000", "FREQ=YEARLY", ["2024-02-29", "2028-02-29", "2032-02-29"]),
        ("20260131T090000", "FREQ=MONTHLY", ["2026-01-31", "2026-03-31", "2026-05-31"]),
    ]

    private func times(_ start: String, _ rule: String, limit: Int, from: Int64 = .min) throws -> [String] {
        let start = try #require(CalendarTime(start, zone: nil)).local
        var budget = 1_000_000
        let rule = try #require(RecurrenceRule(rule))
        let found = rule.times(from: start, in: from...4_102_444_800, limit: limit, &budget) { $0 + 14400 }
        return found.times.map { CalendarTime(local: $0, zone: .floating).text(in: CalendarZones()) }
    }

    @Test(arguments: examples.indices) func examplesGiveWhatTheStandardSays(_ index: Int) throws {
        let (start, rule, days) = Self.examples[index]
        #expect(try times(start, rule, limit: days.count) == days.map { $0 + "T09:00:00" }, "\(rule)")
        // Begun in the middle, it goes on as it would have.
        if !rule.contains("COUNT"), let middle = CalendarTime(days[1].filter { $0 != "-" } + "T000000", zone: nil) {
            #expect(
                try times(start, rule, limit: days.count - 1, from: middle.local)
                    == days.dropFirst().map { $0 + "T09:00:00" },
                "\(rule)"
            )
        }
    }

    @Test func timesOfADayRecur() throws {
        #expect(
            try times("19970902T090000", "FREQ=MINUTELY;INTERVAL=90;COUNT=4", limit: 9).map { $0.suffix(8) }
                == ["09:00:00", "10:30:00", "12:00:00", "13:30:00"]
        )
        #expect(
            try times("19970902T090000", "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,30;COUNT=5", limit: 9).map { $0.suffix(14) }
                == ["09-02T09:00:00", "09-02T09:30:00", "09-02T10:00:00", "09-02T10:30:00", "09-03T09:00:00"]
        )
    }

    @Test(arguments: [
        "", "FREQ=OFTEN", "FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;COUNT=0", "FREQ=WEEKLY;BYDAY=XX", "FREQ=DAILY;BYHOUR=25",
    ])
    func whatIsNoRuleIsRefused(_ text: String) { #expect(RecurrenceRule(text) == nil) }
}
