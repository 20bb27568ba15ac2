internal import Glibc

/// How much one evaluation of a program may do, whatever it calls. It also ends soon after its task is cancelled.
package struct JQLimits: Sendable {
    /// Steps: calls, resumed generators, elements touched by functions, places tried by regular expressions, and one for
    /// every sixteen bytes read or written.
    package var steps: Int
    /// Bytes held at a time, beyond the input.
    package var bytes: Int
    /// Arrays and objects inside each other in an output, beyond the input's own. Inside the engine there is no limit. More
    /// than 128 is for those who only write outputs (`JQOutput.append(to:)`), for trees are gone through by recursion.
    package var depth: Int
    /// Time of the thread's processor. An evaluation never leaves its thread, and what other work is going on there does
    /// not count against it.
    package var time: Duration
    /// Where the time is read: what it says grows.
    package var clock: @Sendable () -> Duration

    /// Ten million steps, 64 MiB, 128 levels and 10 s unless told otherwise.
    package init(
        steps: Int = 10_000_000,
        bytes: Int = 64 << 20,
        depth: Int = 128,
        time: Duration = .seconds(10),
        clock: @escaping @Sendable () -> Duration = JQLimits.processorTime
    ) {
        self.steps = steps
        self.bytes = bytes
        self.depth = depth
        self.time = time
        self.clock = clock
    }

    /// How long the processor has worked for this thread.
    @Sendable
    package static func processorTime() -> Duration {
        var time = timespec()
        // Fills `time`; it fails only for clocks that do not exist, and zero then means that no time passes.
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
