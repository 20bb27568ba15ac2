internal import DequeModule

/// The jobs that wait for a thread, and what each thread is doing: decides who runs a job, sleeps or is woken. It has no threads
/// and no lock itself, so that a test can go through its cases.
struct JobQueue<Job> {
    /// What the watcher, which ends each interval, does then.
    enum WatcherAction: Equatable { case nothing, sleep, wake([Int]), startThread }

    private struct Thread {
        /// Whether it sleeps until it is woken.
        var isAsleep = false
        /// Whether it asked for a job in this interval, or was woken to do so. One that is awake and did not is stuck in a job.
        var cameForJob = true
    }

    private var jobs: Deque<Job> = []
    private var threads: [Thread] = []
    private var count: ThreadCount
    /// Threads with a lower index may run jobs; others sleep, or will after their current job.
    private var admitted = 1
    private(set) var watcherSleeps: Bool
    private var load = ThreadCount.Load()

    /// - Parameter most: The largest number of threads. With one, no watcher is needed.
    init(most: Int) {
        count = ThreadCount(most: most)
        watcherSleeps = count.most > 1
    }

    /// Adds a job.
    ///
    /// - Returns: The thread to wake, if one sleeps that may run it, and whether to wake the watcher. Both count as awake from now on.
    mutating func add(_ job: Job) -> (thread: Int?, wakesWatcher: Bool) {
        jobs.append(job)
        defer { watcherSleeps = false }
        return (takeSleeper(), watcherSleeps)
    }

    // MARK: - Threads

    /// Adds a thread that is awake.
    ///
    /// - Returns: Its index.
    mutating func addThread() -> Int {
        threads.append(Thread())
        return threads.count - 1
    }

    /// Removes the last thread, which could not be started. The caller is the only one that adds threads.
    mutating func removeThread() { threads.removeLast() }

    /// The job that has waited longest; nil if the thread must sleep until it is woken.
    mutating func next(for thread: Int) -> Job? {
        threads[thread].cameForJob = true
        if thread < admitted {
            if let job = jobs.popFirst() {
                load.begun += 1
                return job
            }
            load.hadIdleThread = true
        }
        threads[thread].isAsleep = true
        return nil
    }

    private mutating func takeSleeper() -> Int? {
        guard let index = threads.prefix(admitted).firstIndex(where: \.isAsleep) else { return nil }
        threads[index] = Thread()
        return index
    }

    // MARK: - The watcher

    /// Ends an interval: adapts the number of threads to what happened in it.
    ///
    /// - Parameter microseconds: How long it was.
    mutating func endInterval(after microseconds: Int) -> WatcherAction {
        let isOver = load.begun == 0 && jobs.isEmpty
        let stuck = threads.count { !$0.isAsleep && !$0.cameForJob }
        (load.waiting, load.microseconds) = (jobs.count, microseconds)
        count.adapt(to: load)
        admitted = min(count.value + stuck, count.most)
        // Before the next interval begins: they are not idle in it.
        var woken: [Int] = []
        while woken.count < jobs.count, let sleeper = takeSleeper() { woken.append(sleeper) }
        beginInterval(woken)
        if isOver {
            watcherSleeps = true
            return .sleep
        }
        if !woken.isEmpty { return .wake(woken) }
        return !jobs.isEmpty && admitted > threads.count ? .startThread : .nothing
    }

    private mutating func beginInterval(_ woken: [Int]) {
        for index in threads.indices { threads[index].cameForJob = woken.contains(index) }
        // A thread that sleeps at the beginning is idle in it.
        load = ThreadCount.Load(hadIdleThread: threads.prefix(admitted).contains(where: \.isAsleep))
    }
}
