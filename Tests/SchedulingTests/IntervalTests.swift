import PlugCore
import TestKit
import Testing

@testable import Scheduling

struct IntervalTests {
    @Test(arguments: [("1m", minute), ("15m", 15 * minute), ("1h", hour), ("90s", 90_000_000), ("366d", 366 * day)])
    func anIntervalIsADuration(text: String, length: Int64) throws {
        #expect(try Interval(text).microseconds == length)
    }

    @Test(arguments: [
        ("soon", "'soon' is not a duration", "write a count and a unit: 15m, 1h or 1d"),
        ("", "'' is not a duration", "write a count and a unit: 15m, 1h or 1d"),
        ("-1h", "'-1h' is not a duration", "write a count and a unit: 15m, 1h or 1d"),
        ("59s", "'59s' is shorter than a minute", "write 1m or more"),
        ("0", "'0' is shorter than a minute", "write 1m or more"),
        ("367d", "'367d' is longer than 366 days", "write 366d or less"),
    ])
    func othersAreRefused(text: String, message: String, advice: String) {
        let fault = ScheduleFault("bad-interval", message, advice: advice, at: 0..<text.unicodeScalars.count)
        #expect(throws: fault) { try Interval(text) }
    }

    @Test func durationsHaveTheSameBounds() throws {
        #expect(try Interval(.seconds(60)).microseconds == minute)
        #expect(throws: ScheduleFault.self) { try Interval(.milliseconds(59_999)) }
        #expect(throws: ScheduleFault.self) { try Interval(.seconds(Int64.max)) }
    }

    /// What a run's distance from the grid makes of the next one, in minutes of an hour.
    @Test(arguments: [(0, 60), (1, 59), (30, 30), (31, 59), (45, 45), (59, 31)])
    func theNextRunIsOnTheGridUnlessItIsTooNear(late: Int64, wait: Int64) throws {
        let interval = try Interval("1h")
        let phase = Phase(of: "somebody")
        let grid = interval.first(from: try moment("2026-11-21T12:00:00Z"), phase: phase)
        let last = grid + late * minute
        #expect((interval.next(after: last, phase: phase) - last) / minute == wait)
        let second = interval.next(after: interval.next(after: last, phase: phase), phase: phase)
        #expect((second - grid) % hour == 0)
    }

    @Test func runsAreNeverNearerThanHalfAnIntervalNorFartherThanOne() throws {
        var numbers = SplitMix(state: 1)
        for _ in 0..<20_000 {
            let interval = try Interval(.milliseconds(Int64.random(in: 60_000...31_622_400_000, using: &numbers)))
            let phase = Phase(of: "connection \(numbers.next())")
            let last = Int64.random(in: -2 * 366 * day...100 * 366 * day, using: &numbers)
            let wait = interval.next(after: last, phase: phase) - last
            #expect(wait * 2 >= interval.microseconds && wait <= interval.microseconds)
            let first = interval.first(from: last, phase: phase)
            #expect(last..<last + interval.microseconds ~= first)
            #expect(interval.first(from: first, phase: phase) == first)
            #expect(interval.next(after: first, phase: phase) == first + interval.microseconds)
        }
    }

    @Test func theEndsOfTimeAreBounds() throws {
        let interval = try Interval("366d")
        let phase = Phase(of: "somebody")
        #expect(interval.next(after: .max, phase: phase) == .max)
        #expect(interval.first(from: .max, phase: phase) == .max)
        #expect(interval.next(after: .min, phase: phase) < .min + 366 * day + 1)
    }
}
