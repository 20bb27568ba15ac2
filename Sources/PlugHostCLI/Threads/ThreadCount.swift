/// How many threads run jobs at a time, besides those that are stuck in a long one. Decided at regular intervals.
///
/// One thread is the cheapest: tasks of different connections share much (a plug's rules, the store, counts of references), and
/// what two processors share moves between their caches (see `Benchmarks/README.md`). While all threads are busy and jobs wait,
/// another one is tried; it stays if more jobs are done with it. How much that is differs between machines and kinds of jobs.
struct ThreadCount {
    /// What happened in an interval.
    struct Load {
        /// How many jobs were begun.
        var begun = 0
        /// How many jobs are waiting at its end.
        var waiting = 0
        /// Whether a thread that may run jobs had nothing to do for a time.
        var hadIdleThread = false
        /// How long it was: on a busy machine, longer than planned.
        var microseconds = 0
    }

    /// How many busy intervals are compared with as many before. Fewer may contain a pause of the machine, or a long job among
    /// short ones, and then show a gain by accident.
    static let compared = 4
    /// After so many intervals in a row in which a thread was idle, there is one thread less.
    static let idleIntervals = 20
    /// For so many intervals after a thread that was of little use, none is tried.
    static let pause = 100

    private(set) var value = 1
    let most: Int

    private var busy = (intervals: 0, begun: 0, microseconds: 0)
    private var idleIntervals = 0
    private var pauseLeft = 0
    /// Jobs per microsecond without the thread that is being tried; nil if none is.
    private var rateBefore: Double?

    /// - Parameter most: The largest count: more than there are processors is of no use.
    init(most: Int) { self.most = max(1, most) }

    /// Decides for the next interval. The count changes by one at most.
    mutating func adapt(to load: Load) {
        pauseLeft = max(0, pauseLeft - 1)
        guard load.waiting > 0, !load.hadIdleThread else { return noteIdle() }
        // If all threads are stuck, nothing can be learnt.
        guard load.begun > 0 else { return }
        idleIntervals = 0
        busy = (busy.intervals + 1, busy.begun + load.begun, busy.microseconds + load.microseconds)
        guard busy.intervals == Self.compared else { return }
        let rate = Double(busy.begun) / Double(max(1, busy.microseconds))
        busy = (0, 0, 0)
        if let before = rateBefore {
            rateBefore = nil
            // A third of what it would bring if threads shared nothing.
            if rate < before * (1 + 1 / Double(3 * (value - 1))) { (value, pauseLeft) = (value - 1, Self.pause) }
        } else if pauseLeft == 0, value < most {
            (value, rateBefore) = (value + 1, rate)
        }
    }

    /// A thread that is being tried is judged when all are busy again.
    private mutating func noteIdle() {
        busy = (0, 0, 0)
        idleIntervals += 1
        guard idleIntervals == Self.idleIntervals else { return }
        (value, idleIntervals, rateBefore) = (max(1, value - 1), 0, nil)
    }
}
