internal import Dispatch

/// Runs the tasks of one simulation on one thread, first come, first served: the same seed gives the same schedule.
package final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "plughost.simulation")

    /// A thread for one simulation.
    package init() {}

    /// Runs a job after those that came before it.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
