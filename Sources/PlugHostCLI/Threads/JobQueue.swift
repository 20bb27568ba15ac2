internal import DequeModule

/// The jobs that wait for a thread, and what each thread is doing: decides who runs a job, sleeps or is woken. It has no threads
/// and no lock itself, so that a test can go through its cases.
struct JobQueue<Job> {
    /// What adapts the number of threads.
    enum Watcher { case notStarted, sleeping, watching }

    /// What the watcher is to do.
    enum Action: Equatable { case nothing, sleep, wake(Int), startThread }

    private var jobs: Deque<Job> = []
    private var count: ThreadCount
    /// For each thread: whether it sleeps. Threads beyond the count sleep, or will after their current job.
    private var sleeping: [Bool] = []
    private var watcher = Watcher.notStarted
    private var load = ThreadCount.Load()

    init(_ count: ThreadCount) { self.count = count }

    /// Adds a job.
    ///
    /// - Returns: The thread to wake, if one is needed, and what the watcher did so far. The caller must wake or start it.
    mutating func add(_ job: Job) -> (thread: Int?, watcher: Watcher) {
        jobs.append(job)
        defer { watcher = .watching }
        return (takeSleeper(), watcher)
    }

    /// The watcher could not be started: the next job tries again.
    mutating func watcherFailed() { watcher = .notStarted }

    // MARK: - Threads

    /// Adds a thread that is awake.
    ///
    /// - Returns: Its index.
    mutating func addThread() -> Int {
        sleeping.append(false)
        return sleeping.count - 1
    }

    /// Removes the last thread, which could not be started.
    mutating func removeThread() { sleeping.removeLast() }

    /// The job that has waited longest; nil if the thread must sleep until it is woken.
    mutating func next(for thread: Int) -> Job? {
        if thread < count.value {
            if let job = jobs.popFirst() {
                load.begun += 1
                if thread == count.value - 1 { load.usedLastThread = true }
                return job
            }
            load.hadIdleThread = true
        }
        sleeping[thread] = true
        return nil
    }

    /// The first thread that sleeps and may run jobs. It counts as awake from now on.
    private mutating func takeSleeper() -> Int? {
        guard let index = sleeping.prefix(count.value).firstIndex(of: true) else { return nil }
        sleeping[index] = false
        return index
    }

    // MARK: - The watcher

    /// Ends an interval: adapts the number of threads to what happened in it.
    mutating func endInterval() -> Action {
        defer {
            // A thread that sleeps at the beginning of an interval is idle in it.
            load = ThreadCount.Load(hadIdleThread: sleeping.prefix(count.value).contains(true))
        }
        if load.begun == 0 && jobs.isEmpty {
            watcher = .sleeping
            return .sleep
        }
        load.waiting = jobs.count
        count.adapt(to: load)
        if jobs.isEmpty { return .nothing }
        if let sleeper = takeSleeper() { return .wake(sleeper) }
        return count.value > sleeping.count ? .startThread : .nothing
    }
}
