import LosslessJSON
import Testing

@testable import Decoding

/// Where clocks change, rules end, single times are moved or left out, and files try to be endless.
struct CalendarSeriesTests {
    /// 2026-11-22T12:00:00Z
    private static let now: Int64 = 1_795_348_800

    private func decoded(_ lines: [String], _ window: CalendarWindow = CalendarWindow()) throws -> Decoded {
        let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
        let all = try [7, 100_000].map { try Decoded(text.utf8, piece: $0, CalendarDecoder(window, now: Self.now)) }
        #expect(all[0] == all[1])
        return all[0]
    }

    private func event(_ lines: String...) -> [String] { event(lines) }

    private func event(_ lines: [String]) -> [String] { ["BEGIN:VEVENT", "UID:u"] + lines + ["END:VEVENT"] }

    /// `start` of each record, or `start end`.
    private func starts(_ lines: [String], withEnds: Bool = false) throws -> [String] {
        let decoded = try decoded(lines)
        #expect(decoded.broken.isEmpty)
        return try decoded.records.map { record in
            let event = try JSONValue(parsing: record)
            let start = event["start"]?.stringText ?? "-"
            return withEnds ? "\(start) \(event["end"]?.stringText ?? "-")" : start
        }
    }

    @Test func theClockOfTheZoneIsKeptOverItsChanges() throws {
        let berlin = event("DTSTART;TZID=Europe/Berlin:20261023T023000", "RRULE:FREQ=DAILY;COUNT=4", "DURATION:P1D")
        // On the 25th 02:30 is there twice: the first one counts. A day later is the same time by the clock.
        #expect(
            try starts(berlin, withEnds: true) == [
                "2026-10-23T00:30:00Z 2026-10-24T00:30:00Z", "2026-10-24T00:30:00Z 2026-10-25T00:30:00Z",
                "2026-10-25T00:30:00Z 2026-10-26T01:30:00Z", "2026-10-26T01:30:00Z 2026-10-27T01:30:00Z",
            ]
        )
        // On 28 March 2027 there is no 02:30: it is taken by the clock before the change.
        #expect(
            try starts(event("DTSTART;TZID=Europe/Berlin:20270327T023000", "RRULE:FREQ=DAILY;COUNT=3"))
                == ["2027-03-27T01:30:00Z", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"]
        )
    }

    @Test func aZoneOfTheFileChangesAsTheSystemsDo() throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:Our Time", "BEGIN:STANDARD", "DTSTART:16011028T030000", "TZOFFSETFROM:+0200",
            "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD", "BEGIN:DAYLIGHT",
            "DTSTART:16010325T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
            "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3",
            "END:DAYLIGHT", "END:VTIMEZONE",
        ]
        for start in ["20261025T023000", "20270328T023000", "20270701T120000", "20261201T120000"] {
            let own = try starts(zone + event("DTSTART;TZID=Our Time:\(start)"))
            #expect(try own == starts(event("DTSTART;TZID=Europe/Berlin:\(start)")), "\(start)")
        }
    }

    @Test(arguments: [
        "W. Europe Standard Time", "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin", "\"Europe/Berlin\"",
    ])
    func zonesHaveManyNames(_ name: String) throws {
        #expect(try starts(event("DTSTART;TZID=\(name):20260701T100000")) == ["2026-07-01T08:00:00Z"])
    }

    @Test func untilIsAMomentADayOrATimeOfTheZone() throws {
        let start = "DTSTART;TZID=America/New_York:20261120T210000"
        for until in ["20261122T020000Z", "20261121", "20261121T210000"] {
            #expect(
                try starts(event(start, "RRULE:FREQ=DAILY;UNTIL=\(until)"))
                    == ["2026-11-21T02:00:00Z", "2026-11-22T02:00:00Z"],
                "\(until)"
            )
        }
        #expect(
            try starts(event("DTSTART;VALUE=DATE:20261120", "RRULE:FREQ=DAILY;UNTIL=20261121"))
                == ["2026-11-20", "2026-11-21"]
        )
    }

    @Test func timesAreLeftOutByAnyNameOfTheirs() throws {
        let start = "DTSTART;TZID=Europe/Berlin:20261120T100000"
        for exception in [
            "EXDATE;TZID=Europe/Berlin:20261121T100000", "EXDATE:20261121T090000Z", "EXDATE;VALUE=DATE:20261121",
            "EXDATE;TZID=America/New_York:20261121T040000,20300101T000000",
        ] {
            #expect(
                try starts(event(start, "RRULE:FREQ=DAILY;COUNT=3", exception))
                    == ["2026-11-20T09:00:00Z", "2026-11-22T09:00:00Z"],
                "\(exception)"
            )
        }
        #expect(
            try starts(event(start, "RDATE;TZID=Europe/Berlin:20261201T100000", "RDATE:20261202T000000Z/PT1H"))
                == ["2026-11-20T09:00:00Z", "2026-12-01T09:00:00Z", "2026-12-02T00:00:00Z"]
        )
    }

    /// RFC 5545, 3.8.5.2: a period is as long as it says, and not as the first time is.
    @Test func aPeriodEndsWhereItSays() throws {
        let periods = [
            "RDATE;VALUE=PERIOD:20261102T180000Z/PT5H30M,20261103T000000Z/20261103T003000Z",
            "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261104T100000/20261104T120000",
        ]
        let expected = [
            "2026-11-02T18:00:00Z 2026-11-02T23:30:00Z", "2026-11-03T00:00:00Z 2026-11-03T00:30:00Z",
            "2026-11-04T09:00:00Z 2026-11-04T11:00:00Z",
        ]
        let start = "DTSTART:20261101T080000Z"
        for duration in ["DURATION:PT1H", "DTEND:20261101T090000Z"] {
            #expect(
                try starts(event([start, duration] + periods), withEnds: true)
                    == ["2026-11-01T08:00:00Z 2026-11-01T09:00:00Z"] + expected
            )
        }
        #expect(try starts(event([start] + periods), withEnds: true) == ["2026-11-01T08:00:00Z -"] + expected)
        // One that the rule gives, too.
        let rule = [start, "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2", "RDATE:20261102T080000Z/PT2H"]
        #expect(
            try starts(event(rule), withEnds: true)
                == ["2026-11-01T08:00:00Z 2026-11-01T09:00:00Z", "2026-11-02T08:00:00Z 2026-11-02T10:00:00Z"]
        )
        let floating = ["DTSTART:20261101T080000", "RDATE;VALUE=PERIOD:20261102T080000/20261102T081500"]
        #expect(
            try starts(event(floating), withEnds: true)
                == ["2026-11-01T08:00:00 -", "2026-11-02T08:00:00 2026-11-02T08:15:00"]
        )
    }

    @Test(arguments: ["20261102T180000Z/", "20261102T180000Z/later", "20261102T180000Z/PT1H/PT1H", "/PT1H"])
    func aPeriodThatIsNoneIsTold(_ period: String) throws {
        let decoded = try decoded(event("DTSTART:20261101T080000Z", "RDATE;VALUE=PERIOD:\(period)"))
        #expect(decoded.records == [])
        #expect(decoded.broken.map(\.reason) == ["its RDATE is not a time"])
    }

    @Test func aFloatingTimeHasNoZone() throws {
        #expect(
            try starts(event("DTSTART:20261120T100000", "RRULE:FREQ=WEEKLY;COUNT=2", "DURATION:PT1H"), withEnds: true)
                == ["2026-11-20T10:00:00 2026-11-20T11:00:00", "2026-11-27T10:00:00 2026-11-27T11:00:00"]
        )
    }

    @Test func linesAreFoldedInsideOfCharacters() throws {
        var bytes = Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Z\u{EB}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
        let at = try #require(bytes.firstIndex(of: 0xC3))
        bytes.insert(contentsOf: [0x0D, 0x0A, 0x20], at: at + 1)
        let all = try summaries(bytes)
        #expect(all == ["Zë"])
    }

    private func summaries(_ bytes: [UInt8]) throws -> [String?] {
        try Decoded(bytes, piece: 3, CalendarDecoder(CalendarWindow(), now: Self.now)).records.map {
            try JSONValue(parsing: $0)["summary"]?.stringText
        }
    }

    @Test func seriesComeInBlocks() async throws {
        let lines = (0..<30).flatMap { at in
            ["BEGIN:VEVENT", "UID:\(at)", "DTSTART:20260101T000000Z", "RRULE:FREQ=DAILY", "END:VEVENT"]
        }
        let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).joined(separator: "\n")
        let decoder = AnswerDecoder(
            MemorySource(JSONBuffer(Array(text.utf8))),
            .calendar(CalendarWindow()),
            now: Self.now
        )
        var counts: [Int] = []
        while let block = try await decoder.next() { counts.append(block.count) }
        // From 1 January 2026 to 22 November 2027, each day.
        #expect(counts.reduce(0, +) == 30 * 691)
        #expect(counts.dropLast().allSatisfy { $0 == 1000 })
    }

    @Test(
        .timeLimit(.minutes(60)),
        arguments: [
            "FREQ=SECONDLY", "FREQ=SECONDLY;COUNT=2000000000", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYHOUR=1,2,3",
            "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30", "FREQ=DAILY;INTERVAL=1000000;BYMONTHDAY=31;BYMONTH=2",
        ]
    )
    func endlessRulesEnd(_ rule: String) throws {
        let lines = (0..<3).flatMap { _ in event("DTSTART:19700101T000000Z", "RRULE:\(rule)") }
        #expect(try decoded(lines).records.count <= 3 * CalendarSeries.limit)
    }

    @Test func aCountFromLongAgoIsCounted() throws {
        // 498,707 hours from 1970 end at ten o'clock.
        let lines = event("DTSTART:19700101T000000Z", "RRULE:FREQ=HOURLY;COUNT=498707")
        let decoded = try decoded(lines, CalendarWindow(past: .seconds(3 * 3600)))
        #expect(decoded.broken.isEmpty)
        #expect(
            try decoded.records.map { try JSONValue(parsing: $0)["start"]?.stringText }
                == ["2026-11-22T09:00:00Z", "2026-11-22T10:00:00Z"]
        )
        #expect(try starts(event("DTSTART:19700101T000000Z", "RRULE:FREQ=MINUTELY;COUNT=1000000")).isEmpty)
    }

    @Test func aRuleThatIsFollowedTooFarSaysSo() throws {
        let never = event("DTSTART:19700101T000000Z", "RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30")
        #expect(
            try decoded(never).broken.map(\.reason) == [
                "its RRULE was followed as far as the limits allow and the end of the window was not reached; later times are left out"
            ]
        )
    }

    @Test func aRuleOfTooManyTimesADayIsNone() throws {
        let seconds = (0..<60).map(String.init).joined(separator: ",")
        let rule = "RRULE:FREQ=YEARLY;BYMINUTE=\(seconds);BYSECOND=\(seconds)"
        #expect(
            try decoded(event("DTSTART:20260101T000000Z", rule)).broken.map(\.reason)
                == ["its RRULE is not a rule that can be followed"]
        )
    }
}
