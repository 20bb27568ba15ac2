import Testing

@testable import PlugHostCLI

/// The jobs are texts here.
struct JobQueueTests {
    /// A queue whose first thread sleeps.
    private func queue(most: Int = 2) -> JobQueue<String> {
        var queue = JobQueue<String>(ThreadCount(most: most))
        #expect(queue.addThread() == 0)
        #expect(queue.next(for: 0) == nil)
        return queue
    }

    @Test func theFirstJobWakesTheThreadAndTheWatcherOthersWakeNobody() {
        var queue = queue()
        #expect(queue.add("a") == (0, .notStarted))
        #expect(queue.add("b") == (nil, .watching))
        #expect(queue.next(for: 0) == "a")
        #expect(queue.add("c") == (nil, .watching))
        #expect(queue.next(for: 0) == "b")
        #expect(queue.next(for: 0) == "c")
        #expect(queue.next(for: 0) == nil)
        #expect(queue.add("d") == (0, .watching))
    }

    @Test func theWatcherSleepsAfterAnIntervalWithoutJobs() {
        var queue = queue()
        _ = queue.add("a")
        #expect(queue.next(for: 0) == "a")
        #expect(queue.next(for: 0) == nil)
        #expect(queue.endInterval() == .nothing)
        #expect(queue.endInterval() == .sleep)
        #expect(queue.add("b") == (0, .sleeping))
    }

    @Test func aWatcherThatCouldNotStartIsTriedAgainWithTheNextJob() {
        var queue = queue()
        _ = queue.add("a")
        queue.watcherFailed()
        #expect(queue.add("b") == (nil, .notStarted))
    }

    @Test func aThreadIsStartedForJobsBehindALongOneAndSleepsAfterwards() {
        var queue = queue()
        _ = queue.add("long")
        #expect(queue.next(for: 0) == "long")
        _ = queue.add("a")
        // The first thread slept when this interval began.
        #expect(queue.endInterval() == .nothing)
        #expect(queue.endInterval() == .startThread)
        #expect(queue.addThread() == 1)
        #expect(queue.next(for: 1) == "a")
        #expect(queue.next(for: 1) == nil)
        // It is woken while the count is two, because the first is busy.
        #expect(queue.add("b") == (1, .watching))
        #expect(queue.next(for: 1) == "b")
        #expect(queue.next(for: 1) == nil)
        #expect(queue.endInterval() == .nothing)
        // The count becomes one again after an interval in which it had nothing to do.
        #expect(queue.next(for: 0) == nil)
        #expect(queue.add("c") == (0, .watching))
        #expect(queue.next(for: 0) == "c")
        #expect(queue.endInterval() == .nothing)
        #expect(queue.add("d") == (nil, .watching))
        // Then another long job wakes it instead of starting a third.
        #expect(queue.endInterval() == .wake(1))
    }

    @Test func aThreadBeyondTheCountSleepsThoughJobsWait() {
        var queue = queue()
        _ = queue.add("long")
        #expect(queue.next(for: 0) == "long")
        _ = queue.add("a")
        #expect(queue.endInterval() == .nothing)
        #expect(queue.endInterval() == .startThread)
        #expect(queue.addThread() == 1)
        #expect(queue.next(for: 1) == "a")
        #expect(queue.endInterval() == .nothing)
        // The second thread is still busy with it, and begins no other in this interval.
        _ = queue.add("b")
        #expect(queue.next(for: 0) == "b")
        #expect(queue.endInterval() == .nothing)
        _ = queue.add("c")
        #expect(queue.next(for: 1) == nil)
        #expect(queue.next(for: 0) == "c")
    }

    @Test func aRefusedThreadIsTriedAgain() {
        var queue = queue()
        _ = queue.add("long")
        #expect(queue.next(for: 0) == "long")
        _ = queue.add("a")
        #expect(queue.endInterval() == .nothing)
        #expect(queue.endInterval() == .startThread)
        #expect(queue.addThread() == 1)
        queue.removeThread()
        #expect(queue.endInterval() == .startThread)
    }
}
