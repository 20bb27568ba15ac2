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

    /// Intervals as long as a comparison.
    private func busy(_ begun: [Int]) -> [ThreadCount.Load] {
        begun.flatMap { Array(repeating: busy($0), count: ThreadCount.compared) }
    }

    /// The counts after each comparison.
    private func judged(_ begun: Int...) -> [Int] {
        let counts = counts(busy(begun))
        return stride(from: ThreadCount.compared - 1, to: counts.count, by: ThreadCount.compared).map { counts[$0] }
    }

    @Test func aThreadIsTriedAfterFourBusyIntervalsAndStaysIfMoreIsDone() {
        #expect(counts(busy([90, 120])) == [1, 1, 1, 2, 2, 2, 2, 2])
        // Two threads need 4/3, three need 7/6 of what was done before.
        #expect(judged(90, 120, 120, 141) == [2, 2, 3, 3])
        #expect(judged(90, 119) == [2, 1])
        #expect(judged(90, 120, 120, 139) == [2, 2, 3, 2])
    }

    @Test func afterAThreadOfLittleUseTheNextIsTriedHalfASecondLater() {
        let counts = counts(Array(repeating: busy(90), count: 4 * ThreadCount.pause))
        let begins = counts.indices.filter { $0 > 0 && counts[$0] == 2 && counts[$0 - 1] == 1 }
        let ends = counts.indices.filter { $0 > 0 && counts[$0] == 1 && counts[$0 - 1] == 2 }
        #expect(begins == [3, 107, 211, 315])
        #expect(ends == [7, 111, 215, 319])
    }

    @Test func whatIsDoneIsComparedByTheTimeItTook() {
        let slow = Array(repeating: busy(180, microseconds: 10_000), count: ThreadCount.compared)
        #expect(counts(busy([90]) + slow) == [1, 1, 1, 2, 2, 2, 2, 1])
    }

    @Test func aTrialIsJudgedWhenAllAreBusyAgain() {
        let loads = busy([90]) + [busy(90), idle, idle] + busy([90])
        #expect(counts(loads) == [1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 1])
    }

    @Test func thereAreNeverMoreThanAllowed() {
        let growing = (1...20).map { busy(100 * $0 * $0) }
        #expect(counts(most: 2, growing).max() == 2)
        #expect(counts(most: 1, growing).max() == 1)
        #expect(counts(most: 0, growing).max() == 1)
    }

    @Test func nothingIsTriedWhileAThreadIsIdleOrNothingWaits() {
        let nothingWaits = ThreadCount.Load(begun: 9, microseconds: 5_000)
        #expect(counts([idle, nothingWaits, idle, nothingWaits, idle]).max() == 1)
        // Three busy intervals in a row are not enough.
        let almost = [busy(90), busy(90), busy(90), idle]
        #expect(counts(almost + almost).max() == 1)
    }

    @Test func intervalsInWhichAllThreadsAreStuckDoNotCount() {
        #expect(counts([busy(90), busy(0), busy(90), busy(0), busy(90), busy(90)]) == [1, 1, 1, 1, 1, 2])
    }

    @Test func aThreadLeavesAfterTwentyIdleIntervalsInARow() {
        let idle20 = Array(repeating: idle, count: 20)
        #expect(counts(busy([90]) + idle20) == [1, 1, 1] + Array(repeating: 2, count: 20) + [1])
        let interrupted = counts(busy([90]) + idle20.dropLast() + [busy(90)] + idle20.dropLast())
        #expect(interrupted.last == 2)
        #expect(counts(idle20 + idle20).max() == 1)
        // What was done before its trial says nothing about the next one.
        #expect(counts(busy([90]) + idle20 + busy([200, 200])).last == 1)
    }
}
