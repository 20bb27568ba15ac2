import Testing

@testable import PlugHostCLI

struct ThreadCountTests {
    /// The counts after one interval each.
    private func counts(most: Int = 4, _ loads: ThreadCount.Load...) -> [Int] {
        var count = ThreadCount(most: most)
        return loads.map { load in
            count.adapt(to: load)
            return count.value
        }
    }

    /// No thread was idle.
    private func busy(begun: Int, waiting: Int, usedLastThread: Bool = true) -> ThreadCount.Load {
        ThreadCount.Load(begun: begun, waiting: waiting, usedLastThread: usedLastThread)
    }

    @Test func aLongJobThatKeepsOthersWaitingGetsAThreadBesideItInEachInterval() {
        let stuck = busy(begun: 0, waiting: 1)
        #expect(counts(stuck, stuck, stuck, stuck, stuck) == [2, 3, 4, 4, 4])
        #expect(counts(most: 1, stuck, stuck) == [1, 1])
        #expect(counts(most: 0, stuck) == [1])
    }

    @Test func shortJobsStayOnOneThreadUnlessAWholeIntervalOfThemWaits() {
        #expect(counts(busy(begun: 250, waiting: 249)) == [1])
        #expect(counts(busy(begun: 250, waiting: 250)) == [2])
        // A job fewer, and they count as long ones.
        #expect(counts(busy(begun: 249, waiting: 1)) == [2])
    }

    @Test func nothingIsAddedWhileAThreadIsIdleOrNothingWaits() {
        let idle = ThreadCount.Load(begun: 3, waiting: 9, hadIdleThread: true, usedLastThread: true)
        #expect(counts(idle, busy(begun: 9, waiting: 0)) == [1, 1])
    }

    @Test func threadsThatAreUsedForLongJobsStay() {
        let stuck = busy(begun: 0, waiting: 1)
        #expect(counts(stuck, stuck, busy(begun: 100, waiting: 0)) == [2, 3, 3])
        let partlyIdle = ThreadCount.Load(begun: 50, waiting: 2, hadIdleThread: true, usedLastThread: true)
        #expect(counts(stuck, partlyIdle) == [2, 2])
    }

    @Test func aThreadThatIsUnusedOrHasOnlyShortJobsLeaves() {
        let stuck = busy(begun: 0, waiting: 1)
        #expect(counts(stuck, stuck, busy(begun: 100, waiting: 0, usedLastThread: false)) == [2, 3, 2])
        // Two threads begin twice as many.
        #expect(counts(stuck, busy(begun: 499, waiting: 0), busy(begun: 500, waiting: 0)) == [2, 2, 1])
        #expect(counts(busy(begun: 0, waiting: 0, usedLastThread: false)) == [1])
    }
}
