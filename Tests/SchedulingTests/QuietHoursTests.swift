import PlugCore
import TestKit
import Testing

@testable import Scheduling

struct QuietHoursTests {
    /// Quiet hours, a moment, whether it is quiet then, and the next moment at which that is otherwise.
    @Test(arguments: [
        ("22:00", "07:00", "UTC", "2026-11-21T21:59:59Z", false, "2026-11-21T22:00:00Z"),
        ("22:00", "07:00", "UTC", "2026-11-21T22:00:00Z", true, "2026-11-22T07:00:00Z"),
        ("22:00", "07:00", "UTC", "2026-11-22T06:59:59Z", true, "2026-11-22T07:00:00Z"),
        ("22:00", "07:00", "UTC", "2026-11-22T07:00:00Z", false, "2026-11-22T22:00:00Z"),
        ("09:30", "17:00", "UTC", "2026-11-21T09:29:00Z", false, "2026-11-21T09:30:00Z"),
        ("09:30", "17:00", "UTC", "2026-11-21T12:00:00Z", true, "2026-11-21T17:00:00Z"),
        ("20:00", "24:00", "UTC", "2026-11-21T20:00:00Z", true, "2026-11-22T00:00:00Z"),
        ("24:00", "06:00", "UTC", "2026-11-21T23:00:00Z", false, "2026-11-22T00:00:00Z"),
        // Shorter by an hour, and longer.
        ("22:00", "07:00", "Europe/Berlin", "2026-03-28T21:00:00Z", true, "2026-03-29T05:00:00Z"),
        ("22:00", "07:00", "Europe/Berlin", "2026-10-24T20:00:00Z", true, "2026-10-25T06:00:00Z"),
        // They end, or begin, at a time that is left out.
        ("22:00", "02:30", "Europe/Berlin", "2026-03-28T23:00:00Z", true, "2026-03-29T01:00:00Z"),
        ("02:30", "06:00", "Europe/Berlin", "2026-03-28T23:00:00Z", false, "2026-03-29T01:00:00Z"),
        // All of them are left out: the next night's.
        ("02:10", "02:40", "Europe/Berlin", "2026-03-28T23:00:00Z", false, "2026-03-30T00:10:00Z"),
        // 02:00 to 03:00 comes twice, first as +2.
        ("22:00", "03:00", "Europe/Berlin", "2026-10-24T22:00:00Z", true, "2026-10-25T02:00:00Z"),
        ("22:00", "02:30", "Europe/Berlin", "2026-10-24T22:00:00Z", true, "2026-10-25T00:30:00Z"),
        ("22:00", "02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", false, "2026-10-25T01:00:00Z"),
        ("22:00", "02:30", "Europe/Berlin", "2026-10-25T01:00:00Z", true, "2026-10-25T01:30:00Z"),
        ("01:00", "02:15", "Australia/Lord_Howe", "2026-10-03T14:30:00Z", true, "2026-10-03T15:30:00Z"),
    ])
    func itIsQuietBetweenTwoTimes(
        start: String,
        end: String,
        name: String,
        moment: String,
        isQuiet: Bool,
        turn: String
    ) throws {
        let hours = try QuietHours(from: start, to: end, in: zone(name))
        let second = try SchedulingTests.moment(moment) / 1_000_000
        #expect(hours.isQuiet(at: second) == isQuiet)
        #expect(text(hours.turn(after: second) * 1_000_000) == turn)
    }

    /// Seconds on either side of what `turn` says, and some between, in all zones.
    @Test func nothingTurnsBetweenTwoTurns() throws {
        var numbers = SplitMix(state: 8)
        let zones = NamedZone.names.compactMap { NamedZone($0) }
        for _ in 0..<4_000 {
            let times = (0..<2).map { _ -> String in
                let minutes = Int.random(in: 0..<96, using: &numbers) * 15
                return "\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)"
            }
            guard times[0] != times[1] else { continue }
            let hours = try QuietHours(
                from: times[0],
                to: times[1],
                in: #require(zones.randomElement(using: &numbers))
            )
            let second = Int64.random(in: 1_500_000_000...2_000_000_000, using: &numbers)
            let turn = hours.turn(after: second)
            let isQuiet = hours.isQuiet(at: second)
            #expect(hours.isQuiet(at: turn) != isQuiet)
            #expect(turn > second && turn <= second + 2 * 86_400)
            let between = stride(from: second, to: turn, by: 600) + [turn - 1]
            #expect(between.allSatisfy { hours.isQuiet(at: $0) == isQuiet }, "\(hours) at \(second)")
        }
    }

    @Test(arguments: ["7:00", "25:00", "24:01", "12:60", "ab:cd", "12.00", "", "٠٧:٠٠", "-1:00", "1::00"])
    func othersAreNoTimes(text: String) throws {
        let message = "'\(text)' is not a time of day"
        let advice = "write hours and minutes, such as 07:00"
        let fault = ScheduleFault("bad-quiet-hours", message, advice: advice, at: 0..<text.unicodeScalars.count)
        let zone = try zone("UTC")
        #expect(throws: fault) { try QuietHours(from: text, to: "07:00", in: zone) }
        #expect(throws: fault) { try QuietHours(from: "07:00", to: text, in: zone) }
    }

    @Test func aDayIsNotQuietAsAWhole() throws {
        let zone = try zone("UTC")
        let message = "quiet hours that begin and end at '00:00'"
        let advice = "write two different times; to sync nothing at all, pause the connection"
        let fault = ScheduleFault("bad-quiet-hours", message, advice: advice, at: 0..<5)
        #expect(throws: fault) { try QuietHours(from: "00:00", to: "24:00", in: zone) }
    }
}
