import PlugCore
import TestKit
import Testing

@testable import Scheduling

struct ScheduleTests {
    private let phase = Phase(of: "spotify/alice")

    private func schedule(_ expression: String, _ name: String = "UTC", spread: Bool = false) throws -> Schedule {
        Schedule(.cron(try CronExpression(expression), try zone(name), spread: spread))
    }

    // MARK: - Missed times are one

    @Test func afterADayWithoutAHostAnHourlyConnectionIsDueOnceAndNow() throws {
        let schedule = Schedule(.every(try Interval("1h")))
        let now = try moment("2026-11-21T12:00:00Z")
        #expect(schedule.due(after: now - day, now: now, phase: phase) == now)
        let next = schedule.due(after: now, now: now, phase: phase)
        #expect(now + hour / 2...now + hour ~= next)
        // From then on at its own time.
        let grid = try Interval("1h").first(from: 0, phase: phase)
        let third = schedule.due(after: next, now: next, phase: phase)
        #expect((third - grid) % hour == 0)
        #expect(schedule.due(after: third + 5_000_000, now: third + 6_000_000, phase: phase) == third + hour)
    }

    @Test func missedTimesOfAnExpressionAreOne() throws {
        let schedule = try schedule("0 * * * *")
        let now = try moment("2026-11-21T12:20:00Z")
        #expect(schedule.due(after: now - day, now: now, phase: phase) == now)
        #expect(schedule.due(after: now, now: now, phase: phase) == now + 40 * minute)
        #expect(schedule.due(after: now - 10 * minute, now: now, phase: phase) == now + 40 * minute)
        #expect(schedule.due(after: now - 20 * minute - 1, now: now, phase: phase) == now)
    }

    // MARK: - New connections

    @Test func aMillionNewConnectionsAreSpreadOverTheInterval() throws {
        let schedule = Schedule(.every(try Interval("1h")))
        let now = try moment("2026-11-21T12:34:56.789Z")
        var minutes = [Int](repeating: 0, count: 60)
        for number in 0..<100_000 {
            let due = schedule.due(after: nil, now: now, phase: Phase(of: "connection \(number)"))
            minutes[Int((due - now) / minute)] += 1
        }
        #expect(minutes.allSatisfy { 1_480...1_860 ~= $0 }, "\(minutes)")
    }

    @Test func aNewConnectionIsDueAtTheNextTimeOfItsExpression() throws {
        let schedule = try schedule("0 3 * * *", "Europe/Berlin")
        let now = try moment("2026-11-21T12:00:00Z")
        #expect(text(schedule.due(after: nil, now: now, phase: phase)) == "2026-11-22T02:00:00Z")
        let time = try moment("2026-11-22T02:00:00Z")
        #expect(schedule.due(after: nil, now: time, phase: phase) == time)
    }

    /// Who asks again while the delay passes gets the same answer.
    @Test func aDelayIsTheSameWheneverItIsAskedFor() throws {
        let schedule = try schedule("0 * * * *", spread: true)
        let time = try moment("2026-11-21T12:00:00Z")
        let due = schedule.due(after: time - 50 * minute, now: time - 10 * minute, phase: phase)
        #expect(due == time + phase.part(of: minute))
        for now in [time - minute, time, time + 1, due - 1, due] {
            #expect(schedule.due(after: nil, now: now, phase: phase) == due)
            #expect(schedule.due(after: time - 50 * minute, now: now, phase: phase) == due)
        }
        #expect(schedule.due(after: due, now: due, phase: phase) == due + hour)
    }

    @Test func aDelayIsAtMostAMinuteAndATenthOfTheTimeToTheNext() throws {
        let time = try moment("2026-11-21T12:00:00Z")
        for (expression, most) in [
            ("* * * * *", minute / 10), ("*/5 * * * *", minute / 2), ("0 * * * *", minute), ("0 12 * * *", minute),
        ] {
            let schedule = try schedule(expression, spread: true)
            let delays = (0..<5_000).map {
                schedule.due(after: time - 1, now: time - 1, phase: Phase(of: "connection \($0)")) - time
            }
            #expect(delays.allSatisfy { 0..<most ~= $0 })
            #expect((delays.max() ?? 0) > most * 99 / 100 && (delays.min() ?? most) < most / 100)
        }
    }

    // MARK: - Quiet hours

    @Test func whatIsDueInQuietHoursIsDueOnceAfterThem() throws {
        let quiet = try QuietHours(from: "22:00", to: "07:00", in: zone("Europe/Berlin"))
        let every = Schedule(.every(try Interval("15m")), quietHours: quiet)
        let evening = try moment("2026-11-21T20:59:00Z")
        let end = try moment("2026-11-22T06:00:00Z")
        let due = end + phase.part(of: 15 * minute)
        for now in [evening + 10 * minute, evening + 3 * hour, end - 1] {
            #expect(every.due(after: evening, now: now, phase: phase) == due)
        }
        #expect(every.due(after: evening, now: end + 20 * minute, phase: phase) == end + 20 * minute)
        #expect(every.due(after: evening - hour, now: evening, phase: phase) == evening)

        var nightly = try schedule("0 23 * * *", "Europe/Berlin")
        nightly.quietHours = quiet
        #expect(nightly.due(after: evening, now: evening, phase: phase) == end)
        nightly = try schedule("0 23 * * *", "Europe/Berlin", spread: true)
        nightly.quietHours = quiet
        #expect(nightly.due(after: evening, now: evening, phase: phase) == end + phase.part(of: minute))
    }

    @Test func connectionsThatWaitedTogetherAreSpreadAndNotIntoQuietHours() throws {
        let quiet = try QuietHours(from: "07:10", to: "07:00", in: zone("UTC"))
        let schedule = Schedule(.every(try Interval("1d")), quietHours: quiet)
        let now = try moment("2026-11-21T12:00:00Z")
        let end = try moment("2026-11-22T07:00:00Z")
        let waits = (0..<5_000).map {
            schedule.due(after: now - 2 * day, now: now, phase: Phase(of: "connection \($0)")) - end
        }
        #expect(waits.allSatisfy { 0..<10 * minute ~= $0 })
        #expect((waits.max() ?? 0) > 9 * minute && (waits.min() ?? day) < minute)
    }

    // MARK: - Clocks that were set

    @Test func aClockThatWasSetBackLetsNobodyWaitForIt() throws {
        let every = Schedule(.every(try Interval("1h")))
        let now = try moment("2026-11-21T12:10:00Z")
        let due = every.due(after: now + day, now: now, phase: phase)
        #expect(due == (try Interval("1h").first(from: now, phase: phase)))
        #expect(every.due(after: .max, now: now, phase: phase) == due)
        let cron = try schedule("0 * * * *")
        #expect(cron.due(after: now + day, now: now, phase: phase) == now + 50 * minute)
        #expect(cron.due(after: .max, now: now, phase: phase) == now + 50 * minute)
    }

    /// By some milliseconds, as clocks are that follow a server: the run that has just been does not come again.
    @Test func aClockThatGoesBackALittleRepeatsNothing() throws {
        let time = try moment("2026-11-21T12:00:00Z")
        let cron = try schedule("0 * * * *")
        #expect(cron.due(after: time + 5_000, now: time - 5_000, phase: phase) == time + hour)
        let interval = try Interval("1h")
        let grid = interval.first(from: time, phase: phase)
        #expect(
            Schedule(.every(interval)).due(after: grid + 5_000, now: grid - 5_000, phase: phase) == grid + hour - 5_000
        )
    }

    @Test func theEndsOfTimeAreBounds() throws {
        let quiet = try QuietHours(from: "22:00", to: "07:00", in: zone("Europe/Berlin"))
        var schedules = [Schedule(.every(try Interval("366d"))), Schedule(.every(try Interval("1m")))]
        schedules.append(try schedule("0 0 29 2 *", "Europe/Berlin", spread: true))
        schedules.append(try schedule("* * * * *"))
        for var schedule in schedules {
            for now in [Int64.min, .min + 1, -1, 0, .max - 1, .max] {
                for last in [nil, Int64.min, 0, .max] {
                    #expect(schedule.due(after: last, now: now, phase: phase) >= now)
                    schedule.quietHours = quiet
                    #expect(schedule.due(after: last, now: now, phase: phase) >= now)
                    schedule.quietHours = nil
                }
            }
        }
    }
}
