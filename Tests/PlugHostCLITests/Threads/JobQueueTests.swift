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
        #expect(queue.endInterval(after: 5_000) == .wake([1]))
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

    /// A first thread that is always busy and never done with all jobs.
    private func busyInterval(_ queue: inout JobQueue<String>) -> JobQueue<String>.WatcherAction {
        for _ in 0..<101 { _ = queue.add("short") }
        for _ in 0..<100 { #expect(queue.next(for: 0) == "short") }
        return queue.endInterval(after: 5_000)
    }

    /// It does little more than nothing.
    @Test func aSecondThreadIsTriedNowAndThenWhileTheFirstIsBusy() {
        var queue = queue()
        _ = busyInterval(&queue)
        var events: [String] = []
        var isAwake = false
        for interval in 0..<230 {
            switch busyInterval(&queue) {
            case .startThread:
                events.append("\(interval) start")
                #expect(queue.addThread() == 1)
                isAwake = true
            case .wake(let threads):
                events.append("\(interval) wake \(threads)")
                isAwake = true
            case .nothing: break
            case .sleep: Issue.record("there are jobs")
            }
            if isAwake { isAwake = queue.next(for: 1) != nil }
        }
        #expect(events == ["3 start", "107 wake [1]", "211 wake [1]"])
    }

    @Test func aThreadThatIsNotAdmittedIsNotWoken() {
        var queue = stuckQueue()
        #expect(queue.endInterval(after: 5_000) == .startThread)
        #expect(queue.addThread() == 1)
        #expect(queue.next(for: 1) == "a")
        #expect(queue.next(for: 1) == nil)
        // The first one comes again, and is busy with another job.
        _ = queue.add("b")
        #expect(queue.next(for: 0) == "b")
        #expect(queue.next(for: 1) == nil)
        #expect(queue.endInterval(after: 5_000) == .nothing)
        #expect(queue.add("c") == (nil, false))
    }

    @Test func anIntervalWithAnIdleThreadIsNotBusy() {
        var queue = queue()
        for _ in 0..<20 {
            #expect(queue.add("a").thread == 0)
            #expect(queue.next(for: 0) == "a")
            #expect(queue.next(for: 0) == nil)
            _ = queue.add("b")
            #expect(queue.next(for: 0) == "b")
            _ = queue.add("c")
            #expect(queue.endInterval(after: 5_000) == .nothing)
            #expect(queue.next(for: 0) == "c")
            #expect(queue.next(for: 0) == nil)
        }
    }

    @Test func aRefusedThreadIsTriedAgain() {
        var queue = stuckQueue()
        #expect(queue.endInterval(after: 5_000) == .startThread)
        #expect(queue.addThread() == 1)
        queue.removeThread()
        #expect(queue.endInterval(after: 5_000) == .startThread)
    }
}
