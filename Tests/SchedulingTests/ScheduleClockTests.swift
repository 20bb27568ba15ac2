import PlugCore
import TestKit
import Testing

@testable import Scheduling

/// A host's month: its clock is set wrong and right again, it stands still for hours, and its runs take time.
struct ScheduleClockTests {
    private struct Month {
        var runs: [Int64] = []
        var jumps = 0
        /// How often there was no host, and for how long.
        var pauses = 0
        var paused: Int64 = 0

        /// Whether there were as many runs as the time had room for, each at most so long after the one before.
        func isFull(_ longest: Int64) -> Bool {
            Int64(runs.count + jumps + pauses) >= (30 * day - paused) / (longest + minute)
        }
    }

    @Test func noClockMakesAConnectionWaitOrRunInBursts() throws {
        for seed in 1...UInt64(Thoroughness.isFull ? 600 : 150) {
            var numbers = SplitMix(state: seed)
            let length = Int64.random(in: 1...240, using: &numbers) * minute
            let interval = try Interval(.seconds(length / 1_000_000))
            let month = live(Schedule(.every(interval)), "connection \(seed)", longest: length, &numbers)
            #expect(month.isFull(length), "seed \(seed)")
            // Each setting of the clock may bring one more, and nothing else makes two nearer than half an interval.
            let near = zip(month.runs, month.runs.dropFirst()).count { $1 - $0 < length / 2 }
            #expect(near <= month.jumps, "seed \(seed)")
        }
    }

    @Test func norWithAnExpression() throws {
        for seed in 1...UInt64(Thoroughness.isFull ? 150 : 40) {
            var numbers = SplitMix(state: seed)
            let minutes = [1, 5, 10, 30].randomElement(using: &numbers) ?? 1
            let berlin = try zone("Europe/Berlin")
            let rhythm = Schedule.Rhythm.cron(try CronExpression("*/\(minutes) * * * *"), berlin, spread: seed % 2 == 0)
            let length = Int64(minutes) * minute
            let month = live(Schedule(rhythm), "connection \(seed)", longest: length + 2 * minute, &numbers)
            #expect(month.isFull(length + 2 * minute), "seed \(seed)")
            // A run that was missed does not move the next one, which has its time.
            #expect(Int64(month.runs.count - month.jumps) <= 30 * day / length + 1, "seed \(seed)")
        }
    }

    /// Lives through 30 days, some of them without a host.
    ///
    /// - Parameter longest: How long a connection may be told to wait.
    private func live(_ schedule: Schedule, _ name: String, longest: Int64, _ numbers: inout SplitMix) -> Month {
        let phase = Phase(of: name)
        let beginning: Int64 = 1_774_500_000_000_000
        var (time, error) = (beginning, Int64(0))
        var last: Int64?
        var month = Month()
        while time < beginning + 30 * day {
            let due = schedule.due(after: last, now: time + error, phase: phase)
            #expect(
                due >= time + error && due - time - error <= longest,
                "\(name): \(due) at \(time + error), ran \(last ?? 0)"
            )
            let wait = due - time - error
            switch Int.random(in: 0..<200, using: &numbers) {
            case 0:
                // Somebody sets the clock while the connection waits; what was kept is asked for again.
                time += Int64.random(in: 0...wait, using: &numbers)
                let errors = [-day, day, 0, 10_000, -10_000, 366 * day].filter { $0 != error }
                error = errors.randomElement(using: &numbers) ?? 0
                month.jumps += 1
            case 1:
                let pause = Int64.random(in: 0...10 * hour, using: &numbers)
                time += wait + pause
                month.pauses += 1
                month.paused += pause
            default:
                time += wait + Int64.random(in: 0...2_000_000, using: &numbers)
                last = time + error
                month.runs.append(time)
                time += Int64.random(in: 0...30_000_000, using: &numbers)
            }
        }
        return month
    }
}
