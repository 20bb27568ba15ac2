internal import Dispatch
internal import PlugCore
internal import Synchronization

/// Whether the system has the threads that every command needs. Swift's pool, libdispatch and others wait for ever for a thread that
/// they cannot have, so this is found out before they are asked.
enum SpareThreads {
    /// For tasks and their watcher, the network, the store's queues and blocking work.
    private static let needed = 8

    /// Starts so many threads at the same time, and ends them.
    ///
    /// - Returns: What is wrong; `nil` if there are enough.
    static func shortage(_ needed: Int = needed) -> PlugError? {
        let (release, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        var started = 0
        while started < needed,
            runsOnNewThread({
                release.wait()
                done.signal()
            })
        {
            started += 1
        }
        for _ in 0..<started { release.signal() }
        for _ in 0..<started { done.wait() }
        return started < needed ? error(started, needed) : nil
    }

    /// The error of a process that may start only so many threads.
    static func error(_ started: Int, _ needed: Int = needed) -> PlugError {
        PlugError(
            .threadLimit,
            "plughost may start only \(started.counted("thread")), but needs at least \(needed)",
            advice:
                "raise the limit of processes (ulimit -u, TasksMax= of the unit) or of memory (ulimit -v and -d, MemoryMax=)"
        )
    }
}
