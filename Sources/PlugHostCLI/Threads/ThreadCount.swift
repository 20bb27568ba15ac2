/// How many threads run tasks. Decided at regular intervals from what happened since the last decision.
///
/// One thread is the cheapest: tasks of different connections share much (a plug's rules, the store, counts of references), and
/// what two processors share moves between their caches. Two threads took up to 60 % more CPU for many small runs, and longer
/// (see `Benchmarks/README.md`). More threads are worth it where one is busy with long jobs, or falls behind.
struct ThreadCount: Equatable {
    /// What happened in one interval.
    struct Load {
        /// How many jobs were begun.
        var begun = 0
        /// How many jobs are waiting at its end.
        var waiting = 0
        /// Whether a thread found nothing to do.
        var hadIdleThread = false
        /// Whether the last of the threads began a job.
        var usedLastThread = false
    }

    /// Time between two decisions, in microseconds. A task waits at most twice as long behind a job that computes for seconds.
    static let interval: UInt32 = 5_000
    /// A thread that begins at least this number of jobs in an interval has short ones, of 20 µs on average.
    static let manyJobs = 250

    private(set) var value = 1
    let most: Int

    /// - Parameter most: The largest count: more than the machine has processors is of no use.
    init(most: Int) { self.most = max(1, most) }

    /// Decides for the next interval. The count changes by one at most.
    mutating func adapt(to load: Load) {
        let areShort = load.begun >= Self.manyJobs * value
        // As many as were begun would wait for another interval.
        let isBehind = load.waiting > 0 && !load.hadIdleThread && (!areShort || load.waiting >= load.begun)
        if isBehind {
            value = min(value + 1, most)
        } else if areShort || !load.usedLastThread {
            value = max(value - 1, 1)
        }
    }
}
