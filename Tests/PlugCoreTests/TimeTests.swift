import PlugCore
import Testing

struct TimeTests {
    @Test(arguments: [
        ("2026-11-21T04:08:00Z", "2026-11-21T04:08:00Z"),
        ("2026-11-21T04:08:00.120+01:00", "2026-11-21T03:08:00.120Z"),
        ("2026-11-21 04:08:00 +0530", "2026-11-20T22:38:00Z"),
        ("2026-11-21", "2026-11-21T00:00:00Z"),
        ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z"),
        ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"),
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        ("6 Nov 1994 08:49 +0000", "1994-11-06T08:49:00Z"),
    ])
    func readsTheFormsThatSourcesUse(text: String, expected: String) {
        #expect(Timestamp(text)?.rfc3339 == expected)
    }

    @Test(arguments: ["", "2026", "2026-02-30", "2026-11-21T25:00:00Z", "21.11.2026", "2026-11-21T04:08:00 CET", "now"])
    func refusesWhatIsNotATime(text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test func readsEpochsWithoutLosingDigits() {
        #expect(Timestamp(epoch: "1542782400.250")?.rfc3339 == "2018-11-21T06:40:00.250Z")
        #expect(Timestamp(epochMilliseconds: "1542782400007")?.rfc3339 == "2018-11-21T06:40:00.007Z")
        #expect(Timestamp(epochMilliseconds: "-1")?.rfc3339 == "1969-12-31T23:59:59.999Z")
        #expect(Timestamp(epoch: "soon") == nil)
    }

    /// What lies beyond three million years is no time: its calendar does not fit into 64 bits.
    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "100000000000001", "1e30"])
    func refusesEpochsThatNoCalendarHas(text: String) {
        #expect(Timestamp(epoch: text) == nil)
        #expect(Timestamp(epoch: "-100000000000000")?.rfc3339 == "-3166904-02-24T14:13:20Z")
    }

    @Test func theFirstAndTheLastMicrosecondAreTimes() {
        #expect(Timestamp(microseconds: .min).rfc3339 == "-290308-12-21T19:59:05.224192Z")
        #expect(Timestamp(microseconds: .max).rfc3339 == "294247-01-10T04:00:54.775807Z")
        #expect(Timestamp(microseconds: -1).rfc3339 == "1969-12-31T23:59:59.999999Z")
    }

    @Test func ordersByMomentAndNotByText() {
        #expect(Timestamp("2026-11-21T00:00:00.1Z") == Timestamp("2026-11-21T00:00:00.100Z"))
        #expect(Timestamp("2026-11-21T00:00:00.09Z").map { $0 < Timestamp(seconds: $0.seconds, fraction: "1") } == true)
        #expect(Timestamp(microseconds: 1_500_000).rfc3339 == "1970-01-01T00:00:01.5Z")
    }

    @Test func readsDurations() {
        #expect(HumanDuration.parse("15m") == .seconds(900))
        #expect(HumanDuration.parse("250ms") == .milliseconds(250))
        #expect(HumanDuration.parse("7d") == .seconds(604_800))
        for wrong in ["", "m", "15", "-1s", "1.5h", "1 h", "99999999999999999w"] {
            #expect(HumanDuration.parse(wrong) == nil)
        }
        #expect(HumanDuration.text(.seconds(900)) == "15m")
        #expect(HumanDuration.text(.milliseconds(1500)) == "1500ms")
    }
}
