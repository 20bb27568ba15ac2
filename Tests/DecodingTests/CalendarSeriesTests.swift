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

    private func starts(in zone: String, of time: String) throws -> [String] {
        try starts(event("DTSTART;TZID=\(zone):\(time)"))
    }

    @Test(arguments: [
        "/freeassociation.sourceforge.net/Europe/Berlin", "/citadel.org/20190914_1/Europe/Berlin", "/Europe/Berlin",
        "europe/berlin", "w. europe standard time", "CET", "tzone://Microsoft/Europe/Berlin", "UTC+02:00", "GMT+0200",
        "\" Europe/Berlin\"",
    ])
    func zonesAreFoundByAnyNameOfTheirs(_ name: String) throws {
        #expect(try starts(in: name, of: "20260701T100000") == ["2026-07-01T08:00:00Z"])
    }

    @Test(arguments: [
        ("/citadel.org/20190914_1/America/Argentina/Buenos_Aires", "2026-07-01T13:00:00Z"),
        ("EST", "2026-07-01T15:00:00Z"),
        ("/softwarestudio.org/UTC", "2026-07-01T10:00:00Z"), ("US/Eastern", "2026-07-01T14:00:00Z"),
        ("Nepal Standard Time", "2026-07-01T04:15:00Z"), ("America/New York", "2026-07-01T14:00:00Z"),
        ("Japan", "2026-07-01T01:00:00Z"), ("PDT", "2026-07-01T10:00:00"), ("UTC+99", "2026-07-01T10:00:00"),
    ])
    func zonesAreReadAsTheSystemNamesThem(_ name: String, _ time: String) throws {
        #expect(try starts(in: name, of: "20260701T100000") == [time])
    }

    /// Outlook defines zones of its own: the name is a text in the definition, and a parameter where it is used.
    @Test(arguments: [
        (#"(UTC+01:00) Amsterdam\, Berlin"#, #""(UTC+01:00) Amsterdam, Berlin""#),
        (#"(UTC+01:00) Amsterdam\, Berlin"#, #"(UTC+01:00) Amsterdam\, Berlin"#),
        (#"(UTC+01:00) Amsterdam, Berlin"#, #"(UTC+01:00) Amsterdam, Berlin"#),
        (#"(UTC+01:00) Amsterdam\, Berlin"#, #"(UTC+01:00) Amsterdam, Berlin;VALUE=DATE-TIME"#),
        (#"A\; B"#, #"A\; B"#), (#""Our Time""#, #"Our Time"#), (#"Our Time"#, #""Our Time""#),
        (#"a "b""#, #""a ^'b^'""#),
    ])
    func namesOfZonesAreComparedWithoutTheirEscapes(_ defined: String, _ used: String) throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:\(defined)", "BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:+0300",
            "TZOFFSETTO:+0300", "END:STANDARD", "END:VTIMEZONE",
        ]
        #expect(try starts(zone + event("DTSTART;TZID=\(used):20260701T100000")) == ["2026-07-01T07:00:00Z"])
    }

    @Test(arguments: [
        ("TZOFFSETTO:+03:00", "2026-07-01T07:00:00Z"), ("TZOFFSETTO:+03", "2026-07-01T07:00:00Z"),
        ("TZOFFSETTO:three", "2026-07-01T10:00:00"),
        ("RRULE:FREQ=SOMETIMES\r\nTZOFFSETTO:+0300", "2026-07-01T10:00:00"),
        ("RDATE:soon\r\nTZOFFSETTO:+0300", "2026-07-01T10:00:00"),
    ])
    func aZoneIsDescribedAsAWholeOrNotAtAll(_ line: String, _ time: String) throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:Our Time", "BEGIN:DAYLIGHT", "DTSTART:16010101T000000", "TZOFFSETFROM:+0300", line,
            "END:DAYLIGHT", "BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:+0300", "TZOFFSETTO:+0300",
            "END:STANDARD", "END:VTIMEZONE",
        ]
        #expect(try starts(zone + event("DTSTART;TZID=Our Time:20260701T100000")) == [time])
    }

    @Test func whatARuleLeavesOutIsLeftOut() throws {
        let start = "DTSTART;TZID=Europe/Berlin:20261120T100000"
        #expect(
            try starts(event(start, "RRULE:FREQ=DAILY;COUNT=4", "EXRULE:FREQ=DAILY;INTERVAL=2"))
                == ["2026-11-21T09:00:00Z", "2026-11-23T09:00:00Z"]
        )
        // The 20th is a Friday.
        #expect(
            try starts(event(start, "RRULE:FREQ=DAILY; COUNT=4", "EXRULE:FREQ=WEEKLY;BYDAY=SA, SU"))
                == ["2026-11-20T09:00:00Z", "2026-11-23T09:00:00Z"]
        )
        #expect(
            try decoded(event(start, "RRULE:FREQ=DAILY;COUNT=4", "EXRULE:FREQ=NEVER")).broken.map(\.reason)
                == ["its EXRULE is not a rule that can be followed"]
        )
    }

    @Test func anUnknownZoneIsToldOnce() async throws {
        let lines =
            event("DTSTART;TZID=PDT:20261201T100000", "RRULE:FREQ=DAILY;COUNT=2")
            + event("DTSTART;TZID=PDT:20261201T100000")
            + event("DTSTART:20261201T100000Z", "DTEND;TZID=Here:20261201T100000")
        let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
        let decoder = AnswerDecoder(
            MemorySource(JSONBuffer(Array(text.utf8))),
            .calendar(CalendarWindow()),
            now: Self.now
        )
        let block = try #require(await decoder.next())
        #expect(
            block.notes == [
                DecodingNote(kind: .unknownZone("PDT"), count: 1, line: 2),
                DecodingNote(kind: .unknownZone("Here"), count: 1, line: 11),
            ]
        )
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

    @Test(arguments: [
        "EXDATE:20261121T000000", "EXDATE:20261121T000000Z", "EXDATE;TZID=Europe/Berlin:20261121T000000",
        "EXDATE;VALUE=DATE:20261121", "EXDATE:20261121", "EXDATE:20261120T230000Z", "EXDATE:20261121T080000Z",
        "EXDATE;TZID=Nowhere:20261121T000000", "EXDATE;TZID=America/New_York:20261121T090000",
        "EXDATE:20201120, 20261121",
    ])
    func daysAreLeftOutByAnyTimeOfTheirs(_ exception: String) throws {
        #expect(
            try starts(event("DTSTART;VALUE=DATE:20261120", "RRULE:FREQ=DAILY;COUNT=3", exception))
                == ["2026-11-20", "2026-11-22"]
        )
    }

    /// A series in each form, and exceptions to its second time in all forms that can mean it.
    @Test(arguments: [
        "DTSTART;TZID=Europe/Berlin:20261120T100000", "DTSTART:20261120T090000Z", "DTSTART:20261120T100000",
    ])
    func exceptionsNeedNotHaveTheFormOfTheSeries(_ start: String) throws {
        let series = event(start, "RRULE:FREQ=DAILY;COUNT=3")
        let all = try starts(series)
        let wall = start.hasSuffix("Z") ? "090000" : "100000"
        var forms = [";VALUE=DATE:20261121", ";VALUE=DATE:20261121T000000", ":20261121T\(wall)"]
        if start.hasSuffix("Z") || start.contains("Berlin") {
            forms += [
                ":20261121T090000Z", ";TZID=Europe/Berlin:20261121T100000", ";TZID=America/New_York:20261121T040000",
            ]
        } else {
            forms += [":20261121T100000Z", ";TZID=Europe/Berlin:20261121T100000"]
        }
        for form in forms {
            #expect(
                try starts(event(start, "RRULE:FREQ=DAILY;COUNT=3", "EXDATE\(form)")) == [all[0], all[2]],
                "\(form)"
            )
            let moved = event("RECURRENCE-ID\(form)", "DTSTART:20270101T000000Z")
            let decoded = try decoded(series + moved).records.map { try JSONValue(parsing: $0) }
            #expect(
                decoded.map { $0["recurrence_id"]?.stringText } == [all[0], all[2], all[1]],
                "\(form)"
            )
            #expect(try starts(event(start, "RDATE\(form)", "EXDATE\(form)")) == [all[0]], "\(form)")
            #expect(try starts(event(start, "RRULE:FREQ=DAILY;COUNT=3", "RDATE\(form)")) == all, "\(form)")
        }
    }

    @Test func aDayThatIsReplacedIsFoundByATime() throws {
        let moved = event("RECURRENCE-ID;TZID=Europe/Berlin:20261121T000000", "DTSTART;VALUE=DATE:20261225")
        let records = try decoded(
            event("DTSTART;VALUE=DATE:20261120", "RRULE:FREQ=DAILY;COUNT=3", "RDATE:20261201T000000") + moved
        )
        .records
        #expect(
            try records.map { try JSONValue(parsing: $0) }.map {
                [$0["recurrence_id"]?.stringText, $0["start"]?.stringText]
            } == [
                ["2026-11-20", "2026-11-20"], ["2026-11-22", "2026-11-22"], ["2026-12-01", "2026-12-01"],
                ["2026-11-21", "2026-12-25"],
            ]
        )
    }

    /// The cost is that of the file and of what it gives, not of one times the other.
    @Test(
        .timeLimit(.minutes(60)),
        arguments: ["EXDATE", "RDATE", "ATTENDEE", "VTIMEZONE", "RECURRENCE-ID", "BYYEARDAY"]
    )
    func aCalendarCannotMultiplyItsSizes(_ kind: String) throws {
        let start = "DTSTART;TZID=Our Time:20261101T000000"
        let times = (0..<20_000).map {
            "2027\(String(1000 + $0 % 12 + 1).suffix(2))\(String(1000 + $0 % 28 + 1).suffix(2))T\(String(1_000_000 + $0).suffix(6))"
        }
        let rule = "RRULE:FREQ=HOURLY"
        switch kind {
        case "EXDATE", "RDATE":
            let lines = times.filter { CalendarTime($0, zone: nil) != nil }.map { "\(kind):\($0)" }
            _ = try decoded(event([start, rule] + lines))
        case "ATTENDEE":
            let lines = (0..<2000).map { "ATTENDEE;CN=\"a\($0)\":mailto:\($0)@x.org" }
            let reason = "its occurrences take more than the limit of 67108864 bytes; the later ones are left out"
            #expect(try decoded(event([start, rule] + lines)).broken.map(\.reason) == [reason])
        case "VTIMEZONE":
            let parts = (0..<1000).flatMap {
                [
                    "BEGIN:STANDARD", "DTSTART:\(1000 + $0)0101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
                    "END:STANDARD",
                ]
            }
            let zone = ["BEGIN:VTIMEZONE", "TZID:Our Time"] + parts + ["END:VTIMEZONE"]
            let events = (0..<20).flatMap { _ in event("DTSTART;TZID=Our Time:10261101T000000", rule, "SUMMARY:a") }
            _ = try decoded(zone + events)
        case "RECURRENCE-ID":
            let moved = (0..<5000).flatMap { event("RECURRENCE-ID:\(times[$0])", "DTSTART:20270101T000000Z") }
            let events = (0..<500).flatMap { _ in event(start, "RRULE:FREQ=YEARLY") }
            _ = try decoded(events + moved)
        default:
            let days = (1...366).map(String.init).joined(separator: ",")
            let weekdays = (-53...53).flatMap { nth in ["MO", "TU", "WE"].map { "\(nth)\($0)" } }.joined(separator: ",")
            let rules = [
                "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYYEARDAY=\(days)",
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYDAY=\(weekdays)",
                "FREQ=YEARLY;INTERVAL=9;BYDAY=\(weekdays)", "FREQ=SECONDLY;BYSETPOS=\(days)",
            ]
            _ = try decoded((0..<200).flatMap { event("DTSTART:00010101T000000Z", "RRULE:\(rules[$0 % rules.count])") })
        }
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
