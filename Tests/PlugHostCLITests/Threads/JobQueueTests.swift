import Testing

@testable import PlugHostCLI

/// The jobs are texts here.
struct JobQueueTests {
    /// A queue whose first thread sleeps, as the watcher does.
    private func queue(most: Int = 2) -> JobQueue<String> {
        var queue = JobQueue<String>(most: most)
        #expect(queue.addThread() == 0)
        #expect(queue.next(for: 0) == nil)
        return queue
    }

    /// Its first thread is stuck: it had a job for a whole interval, in which another one came.
    private func stuckQueue(most: Int = 2) -> JobQueue<String> {
        var queue = queue(most: most)
        #expect(queue.add("long") == (0, true))
        #expect(queue.next(for: 0) == "long")
        #expect(queue.add("a") == (nil, false))
        #expect(queue.endInterval(after: 5_000) == .nothing)
        return queue
    }

    @Test func theFirstJobWakesTheThreadAndTheWatcherOthersWakeNobody() {
        var queue = queue()
        #expect(queue.add("a") == (0, true))
        #expect(queue.add("b") == (nil, false))
        #expect(queue.next(for: 0) == "a")
        #expect(queue.add("c") == (nil, false))
        #expect(queue.next(for: 0) == "b")
        #expect(queue.next(for: 0) == "c")
        #expect(queue.next(for: 0) == nil)
        #expect(queue.add("d") == (0, false))
    }

    @Test func theWatcherSleepsAfterAnIntervalWithoutJobs() {
        var queue = queue()
        _ = queue.add("a")
        #expect(queue.next(for: 0) == "a")
        #expect(queue.next(for: 0) == nil)
        #expect(queue.endInterval(after: 5_000) == .nothing)
        #expect(queue.endInterval(after: 5_000) == .sleep)
        #expect(queue.add("b") == (0, true))
        #expect(queue.add("c") == (nil, false))
    }

    @Test func withOneThreadThereIsNoWatcherToWake() {
        var queue = queue(most: 1)
        #expect(queue.add("a") == (0, false))
    }

    @Test func aThreadThatIsStuckIsReplaced() {
        var queue = stuckQueue()
        #expect(queue.endInterval(after: 5_000) == .startThread)
        #expect(queue.addThread() == 1)
        #expect(queue.next(for: 1) == "a")
        #expect(queue.next(for: 1) == nil)
        #expect(queue.add("b") == (1, false))
        #expect(queue.next(for: 1) == "b")
        // However short the jobs of the other are, and however many.
        for _ in 0..<1_000 {
            _ = queue.add("short")
            #expect(queue.next(for: 1) == "short")
        }
        #expect(queue.next(for: 1) == nil)
        #expect(queue.endInterval(after: 5_000) == .nothing)
        #expect(queue.add("c") == (1, false))
    }

    @Test func aThreadThatWasStuckWorksAloneAgain() {
        var queue = stuckQueue()
        #expect(queue.endInterval(after: 5_000) == .startThread)
        #expect(queue.addThread() == 1)
        #expect(queue.next(for: 1) == "a")
        #expect(queue.next(for: 0) == nil)
        #expect(queue.endInterval(after: 5_000) == .nothing)
        // The second thread is not admitted any more, though a job waits.
        #expect(queue.add("b") == (0, false))
        #expect(queue.next(for: 1) == nil)
        #expect(queue.next(for: 0) == "b")
    }

    @Test func aThreadThatSleepsIsWokenInsteadOfStartingAnother() {
        var queue = stuckQueue()
        #expect(queue.endInterval(after: 5_000) == .startThread)
        #expect(queue.addThread() == 1)
        #expect(queue.next(for: 1) == "a")
        #expect(queue.next(for: 1) == nil)
        #expect(queue.next(for: 0) == nil)
        #expect(queue.endInterval(after: 5_000) == .nothing)
        #expect(queue.endInterval(after: 5_000) == .sleep)
        // The same again.
        #expect(queue.add("long") == (0, true))
        #expect(queue.next(for: 0) == "long")
        #expect(queue.add("b") == (nil, false))
        #expect(queue.endInterval(after: 5_000) == .nothing)
        #expect(queue.endInterval(after: 5_000) == .wake(1))
        #expect(queue.next(for: 1) == "b")
    }

    @Test func threadsAreReplacedUpToTheLargestNumber() {
        var queue = stuckQueue(most: 3)
        for thread in 1...2 {
            #expect(queue.endInterval(after: 5_000) == .startThread)
            #expect(queue.addThread() == thread)
            #expect(queue.next(for: thread) == "a")
            _ = queue.add("a")
            #expect(queue.endInterval(after: 5_000) == .nothing)
        }
        #expect(queue.endInterval(after: 5_000) == .nothing)
    }

    @Test func aThreadThatWasJustWokenIsNotStuck() {
        var queue = queue()
        #expect(queue.add("a") == (0, true))
        #expect(queue.endInterval(after: 5_000) == .nothing)
        #expect(queue.next(for: 0) == "a")
        #expect(queue.add("b") == (nil, false))
        #expect(queue.endInterval(after: 5_000) == .nothing)
    }

    @Test func aSecondThreadIsTriedWhileOneIsBusyAndJobsWait() {
        var queue = queue()
        var actions: [JobQueue<String>.WatcherAction] = []
        for _ in 0..<4 {
            for _ in 0..<101 { _ = queue.add("short") }
            for _ in 0..<100 { #expect(queue.next(for: 0) == "short") }
            actions.append(queue.endInterval(after: 5_000))
        }
        // The thread slept at the beginning of the first.
        #expect(actions == [.nothing, .nothing, .startThread, .startThread])
    }

    @Test func aRefusedThreadIsTriedAgain() {
        var queue = stuckQueue()
        #expect(queue.endInterval(after: 5_000) == .startThread)
        #expect(queue.addThread() == 1)
        queue.removeThread()
        #expect(queue.endInterval(after: 5_000) == .startThread)
    }
}
