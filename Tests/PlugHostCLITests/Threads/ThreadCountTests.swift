import Testing

@testable import PlugHostCLI

struct ThreadCountTests {
    /// An interval in which all threads were busy.
    private func busy(_ begun: Int, microseconds: Int = 5_000) -> ThreadCount.Load {
        ThreadCount.Load(begun: begun, waiting: 1, microseconds: microseconds)
    }

    private let idle = ThreadCount.Load(begun: 9, waiting: 3, hadIdleThread: true, microseconds: 5_000)

    /// The counts after one interval each.
    private func counts(most: Int = 4, _ loads: [ThreadCount.Load]) -> [Int] {
        var count = ThreadCount(most: most)
        return loads.map { load in
            count.adapt(to: load)
            return count.value
        }
    }

    @Test func aThreadIsTriedAfterTwoBusyIntervalsAndStaysIfMoreIsDone() {
        // Two threads need 4/3, three need 7/6 of what was done before.
        #expect(counts([busy(90), busy(90), busy(120), busy(120)]) == [1, 2, 2, 2])
        #expect(
            counts([90, 90, 120, 120, 120, 120, 141, 141].map { busy($0) }) == [1, 2, 2, 2, 2, 3, 3, 3]
        )
    }

    @Test func aThreadThatIsOfLittleUseLeavesAndTheNextIsTriedHalfASecondLater() {
        let trial = [busy(90), busy(90), busy(119), busy(119)]
        #expect(counts(trial) == [1, 2, 2, 1])
        let later = counts(trial + Array(repeating: busy(90), count: ThreadCount.pause + 2))
        #expect(later.dropFirst(4).firstIndex(of: 2) == 3 + ThreadCount.pause)
    }

    @Test func whatIsDoneIsComparedByTheTimeItTook() {
        let loads = [busy(90), busy(90), busy(180, microseconds: 10_000), busy(180, microseconds: 10_000)]
        #expect(counts(loads) == [1, 2, 2, 1])
    }

    @Test func thereAreNeverMoreThanAllowed() {
        let growing = (1...20).map { busy(100 * $0 * $0) }
        #expect(counts(most: 2, growing).max() == 2)
        #expect(counts(most: 1, growing).max() == 1)
        #expect(counts(most: 0, growing).max() == 1)
    }

    @Test func nothingIsTriedWhileAThreadIsIdleOrNothingWaits() {
        let nothingWaits = ThreadCount.Load(begun: 9, microseconds: 5_000)
        #expect(counts([idle, nothingWaits, idle, nothingWaits]) == [1, 1, 1, 1])
        // One busy interval is not enough.
        #expect(counts([busy(90), idle, busy(90), idle]) == [1, 1, 1, 1])
    }

    @Test func stuckThreadsSayNothing() {
        #expect(counts([busy(90), busy(0), busy(90)]) == [1, 1, 2])
    }

    @Test func aThreadLeavesAfterTwentyIdleIntervalsInARow() {
        let two = [busy(90), busy(90)]
        let counts = counts(two + Array(repeating: idle, count: 20))
        // A thread on trial that leaves others idle stays for now.
        #expect(counts == [1] + Array(repeating: 2, count: 20) + [1])
        let interrupted = self.counts(
            two + Array(repeating: idle, count: 19) + [busy(90)] + Array(repeating: idle, count: 19)
        )
        #expect(interrupted.last == 2)
        #expect(self.counts(Array(repeating: idle, count: 40)).max() == 1)
    }
}
