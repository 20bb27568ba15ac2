internal import Dispatch
internal import Glibc
internal import PlugCore
internal import Synchronization

/// Runs the program's tasks on as few threads as keep up with them; `ThreadCount` says how many. Swift's own pool uses as many as
/// there are processors.
///
/// Its threads sleep while there is nothing to do, and exist until the process ends.
final class TaskThreads: TaskExecutor {
    /// The time between two decisions, in microseconds. A task waits up to twice as long for each job before it that computes for
    /// seconds.
    private static let interval: UInt32 = 5_000

    private let queue: Mutex<JobQueue<UnownedJob>>
    /// What wakes each thread. Dispatch's semaphores remember a signal that comes before the wait.
    private let bells: [DispatchSemaphore]
    private let watcherBell = DispatchSemaphore(value: 0)

    /// Starts the first thread and the watcher. Other threads start when they are needed.
    ///
    /// - Parameter most: The largest number of threads.
    /// - Returns: Nil if the system refuses to start a thread.
    init?(most: Int = usableProcessors) {
        bells = (0..<max(1, most)).map { _ in DispatchSemaphore(value: 0) }
        queue = Mutex(JobQueue(most: most))
        guard startThread() else { return nil }
        guard most <= 1 || runsOnNewThread(named: "tasks-watcher", { self.watch() }) else { return nil }
    }

    /// Whether the watcher is awake: there were jobs lately. For tests.
    var isWatched: Bool { queue.withLock { !$0.watcherSleeps } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Threads are woken outside of the lock, which is what they take first.
        let (thread, wakesWatcher) = queue.withLock { $0.add(job) }
        if let thread { bells[thread].signal() }
        if wakesWatcher { watcherBell.signal() }
    }

    /// - Returns: Whether the system started it.
    private func startThread() -> Bool {
        let index = queue.withLock { $0.addThread() }
        if runsOnNewThread(named: "tasks-\(index)", { self.work(index) }) { return true }
        queue.withLock { $0.removeThread() }
        return false
    }

    private func work(_ thread: Int) -> Never {
        let executor = asUnownedTaskExecutor()
        while true {
            if let job = queue.withLock({ $0.next(for: thread) }) {
                job.runSynchronously(on: executor)
            } else {
                bells[thread].wait()
            }
        }
    }

    /// Adapts the number of threads while there are jobs. It runs none itself, so none can stop it.
    private func watch() -> Never {
        watcherBell.wait()
        var begin = ContinuousClock.now
        while true {
            // A signal cannot end it early, as this thread blocks them; if it did, an interval would be shorter.
            usleep(Self.interval)
            let end = ContinuousClock.now
            let action = queue.withLock { $0.endInterval(after: Int((end - begin) / .microseconds(1))) }
            begin = end
            switch action {
            case .nothing: break
            case .sleep:
                watcherBell.wait()
                begin = .now
            case .wake(let threads): for thread in threads { bells[thread].signal() }
            // If the system refuses, the others go on, and the next interval tries again.
            case .startThread: _ = startThread()
            }
        }
    }
}
