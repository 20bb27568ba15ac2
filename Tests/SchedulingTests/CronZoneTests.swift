import PlugCore
import TestKit
import Testing

@testable import Scheduling

/// Times by clocks that are put forward and back.
struct CronZoneTests {
    /// Zones, expressions, moments, and the next times as clocks show them, with their distance from universal time.
    @Test(arguments: [
        // Berlin: 02:00 became 03:00 on 29 March, and 03:00 became 02:00 on 25 October.
        ("Europe/Berlin", "30 2 * * *", "03-27T12", ["03-28 02:30 +1", "03-29 03:00 +2", "03-30 02:30 +2"]),
        ("Europe/Berlin", "30 2 * * *", "10-24T12", ["10-25 02:30 +2", "10-26 02:30 +1"]),
        ("Europe/Berlin", "0 2 * * *", "03-29T00", ["03-29 03:00 +2", "03-30 02:00 +2"]),
        ("Europe/Berlin", "30 2 * * *", "03-29T00:59", ["03-29 03:00 +2", "03-30 02:30 +2"]),
        ("Europe/Berlin", "30 2 * * *", "03-29T01:00", ["03-30 02:30 +2"]),
        ("Europe/Berlin", "0 3 * * *", "03-29T00", ["03-29 03:00 +2", "03-30 03:00 +2"]),
        ("Europe/Berlin", "0 3 * * *", "10-25T00", ["10-25 03:00 +1", "10-26 03:00 +1"]),
        ("Europe/Berlin", "0 2,3 * * *", "03-28T12", ["03-29 03:00 +2", "03-30 02:00 +2"]),
        ("Europe/Berlin", "0,20,40 2 * * *", "03-28T12", ["03-29 03:00 +2", "03-30 02:00 +2"]),
        ("Europe/Berlin", "0,20,40 2 * * *", "10-25T00:10", ["10-25 02:20 +2", "10-25 02:40 +2", "10-26 02:00 +1"]),
        ("Europe/Berlin", "30 1 * * *", "03-28T12", ["03-29 01:30 +1", "03-30 01:30 +2"]),
        ("Europe/Berlin", "0 2 29 3 *", "01-01T00", ["03-29 03:00 +2", "03-29 02:00 +2"]),
        // What runs in every hour leaves the gap out, and has the hour that comes twice twice.
        ("Europe/Berlin", "30 * * * *", "03-28T23", ["03-29 00:30 +1", "03-29 01:30 +1", "03-29 03:30 +2"]),
        ("Europe/Berlin", "30 0-23 * * *", "10-25T00", ["10-25 02:30 +2", "10-25 02:30 +1", "10-25 03:30 +1"]),
        ("Europe/Berlin", "*/30 * * * *", "03-29T00", ["03-29 01:30 +1", "03-29 03:00 +2", "03-29 03:30 +2"]),
        ("Europe/Berlin", "*/30 2 * * *", "10-25T00", ["10-25 02:30 +2", "10-25 02:00 +1", "10-25 02:30 +1"]),
        ("Europe/Berlin", "*/30 2 * * *", "03-28T12", ["03-29 03:00 +2", "03-30 02:00 +2"]),
        ("Europe/Berlin", "*/30 1-3 * * *", "03-29T00", ["03-29 01:30 +1", "03-29 03:00 +2", "03-29 03:30 +2"]),
        ("Europe/Berlin", "*/60 2 * * *", "10-24T12", ["10-25 02:00 +2", "10-26 02:00 +1"]),
        // A step in hours names them.
        ("Europe/Berlin", "0 */2 * * *", "03-28T22", ["03-29 00:00 +1", "03-29 03:00 +2", "03-29 04:00 +2"]),
        ("Europe/Berlin", "0 */2 * * *", "10-24T22", ["10-25 02:00 +2", "10-25 04:00 +1"]),
        ("America/New_York", "0 2 * * SUN", "03-07T12", ["03-08 03:00 -4", "03-15 02:00 -4"]),
        ("America/New_York", "30 1 * * *", "10-31T12", ["11-01 01:30 -4", "11-02 01:30 -5"]),
        // Half an hour, at two in the morning.
        ("Australia/Lord_Howe", "15 2 * * *", "10-03T12", ["10-04 02:30 +11", "10-05 02:15 +11"]),
        ("Australia/Lord_Howe", "45 1 * * *", "04-03T18", ["04-05 01:45 +11", "04-06 01:45 +10.5"]),
        (
            "Australia/Lord_Howe", "45 * * * *", "04-04T14:30",
            ["04-05 01:45 +11", "04-05 01:45 +10.5", "04-05 02:45 +10.5"]
        ),
        // Midnight itself is left out in Cairo, and comes twice in Havana.
        ("Africa/Cairo", "@daily", "04-22T23", ["04-24 01:00 +3", "04-25 00:00 +3"]),
        ("Africa/Cairo", "0 */12 * * *", "04-23T12", ["04-24 01:00 +3", "04-24 12:00 +3"]),
        ("America/Havana", "@daily", "10-31T12", ["11-01 00:00 -4", "11-02 00:00 -5"]),
        ("America/Havana", "@daily", "03-07T12", ["03-08 01:00 -4", "03-09 00:00 -4"]),
        // Casablanca goes back for Ramadan.
        ("Africa/Casablanca", "30 2 * * *", "02-14T12", ["02-15 02:30 +1", "02-16 02:30 +0"]),
        ("Africa/Casablanca", "30 2 * * *", "03-21T12", ["03-22 03:00 +1", "03-23 02:30 +1"]),
        ("Asia/Kolkata", "30 5 * * *", "03-28T23", ["03-29 05:30 +5.5", "03-30 05:30 +5.5"]),
    ])
    func clocksThatAreChangedLoseAndDoubleNothing(name: String, expression: String, start: String, times: [String])
        throws
    {
        let start = "2026-\(start)\(start.contains(":") ? "" : ":00"):00Z"
        #expect(try CronExpression(expression).shown(times.count, after: start, in: zone(name)) == times)
    }

    /// Samoa had no 30 December 2011.
    @Test func aDayThatNoClockShowedIsTheNextOne() throws {
        let apia = try zone("Pacific/Apia")
        let start = "2011-12-29T00:00:00Z"
        let days = ["12-29 00:00 -10", "12-31 00:00 +14", "01-01 00:00 +14"]
        #expect(try CronExpression("@daily").shown(3, after: start, in: apia) == days)
        #expect(
            try CronExpression("0 9 30 12 *").shown(2, after: start, in: apia) == [
                "12-31 00:00 +14", "12-30 09:00 +14",
            ]
        )
        #expect(try CronExpression("0 * 30 12 *").shown(1, after: start, in: apia) == ["12-30 00:00 +14"])
    }

    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca", "Africa/Cairo",
        "America/Havana", "America/Santiago", "Asia/Beirut", "Pacific/Chatham", "America/Nuuk", "UTC",
    ])
    func dailyIsOnceOnEachDayOfTheZone(name: String) throws {
        let zone = try zone(name)
        let (first, last) = (try moment("2025-12-31T12:00:00Z"), try moment("2028-12-31T12:00:00Z"))
        for time in ["@daily", "30 2 * * *", "15 1 * * *", "59 21 * * *", "0 3 * * *"] {
            let times = try CronExpression(time).all(after: first, through: last, in: zone)
            let days = times.map { CivilDate.floored($0 / 1_000_000 + zone.offset(at: $0 / 1_000_000), 86_400) }
            #expect(days == Array((days.first ?? 0)..<(days.first ?? 0) + 1096), "\(time)")
        }
    }

    @Test func theNextTimeIsAfterNowAndTheOneAfterItAMinuteLater() throws {
        var numbers = SplitMix(state: 5)
        let (first, last) = (try moment("1950-01-01T00:00:00Z"), try moment("2150-01-01T00:00:00Z"))
        let zones = NamedZone.names.compactMap { NamedZone($0) }
        for _ in 0..<3_000 {
            let expression = try CronExpression(SlowCron.random(&numbers))
            let zone = try #require(zones.randomElement(using: &numbers))
            let now = Int64.random(in: first...last, using: &numbers)
            let next = expression.next(after: now, in: zone)
            #expect(next > now && next % 1_000_000 == 0, "\(expression) in \(zone.name) after \(now)")
            let second = expression.next(after: next, in: zone)
            #expect(
                second >= next + minute || zone.offset(at: next / 1_000_000) % 60 != 0,
                "\(expression) in \(zone.name) after \(now)"
            )
            // From anywhere between, it is the same one.
            #expect(expression.next(after: Int64.random(in: now..<next, using: &numbers), in: zone) == next)
        }
    }
}
