internal import Dispatch
internal import Glibc
internal import PlugCore
internal import Synchronization

/// Runs the program's tasks on as few threads as keep up with them; `ThreadCount` says how many. Swift's own pool uses as many as
/// there are processors.
///
/// Its threads sleep while there is nothing to do, and exist until the process ends.
final class TaskThreads: TaskExecutor {
    private let queue: Mutex<JobQueue<UnownedJob>>
    /// What wakes each thread. Dispatch's semaphores remember a signal that comes before the wait.
    private let bells: [DispatchSemaphore]
    private let watcherBell = DispatchSemaphore(value: 0)

    /// Starts the first thread. The others, and the watcher, start when they are needed.
    ///
    /// - Parameter most: The largest number of threads; by default that of processors.
    /// - Returns: Nil if the system refuses to start a thread.
    init?(most: Int = sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
        let count = ThreadCount(most: most)
        bells = (0..<count.most).map { _ in DispatchSemaphore(value: 0) }
        queue = Mutex(JobQueue(count))
        guard startThread() else { return nil }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Threads are woken outside of the lock, which is what they take first.
        let (thread, watcher) = queue.withLock { $0.add(job) }
        if let thread { bells[thread].signal() }
        switch watcher {
        case .watching: break
        case .sleeping: watcherBell.signal()
        case .notStarted: if !runsOnNewThread({ self.watch() }) { queue.withLock { $0.watcherFailed() } }
        }
    }

    /// - Returns: Whether the system started it.
    private func startThread() -> Bool {
        let index = queue.withLock { $0.addThread() }
        if runsOnNewThread({ self.work(index) }) { return true }
        queue.withLock { $0.removeThread() }
        return false
    }

    private func work(_ thread: Int) -> Never {
        Self.blockSignals()
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
        Self.blockSignals()
        while true {
            usleep(ThreadCount.interval)
            switch queue.withLock({ $0.endInterval() }) {
            case .nothing: break
            case .sleep: watcherBell.wait()
            case .wake(let thread): bells[thread].signal()
            // If the system refuses, the others go on, and the next interval tries again.
            case .startThread: _ = startThread()
            }
        }
    }

    /// Signals are for the main thread.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
