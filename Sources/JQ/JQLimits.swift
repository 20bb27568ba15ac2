internal import Glibc

/// How much one evaluation of a program may do, whatever it calls. It also ends soon after its task is cancelled.
package struct JQLimits: Sendable {
    /// Steps: calls, resumed generators, elements touched by functions, places tried by regular expressions, and one for every
    /// sixteen bytes read or written.
    package var steps: Int
    /// Bytes held at a time, beyond the input.
    package var bytes: Int
    /// Nesting depth of an output, beyond the input's own. Inside the engine there is no limit. More than 128 is only for callers
    /// that just write outputs (`JQOutput.append(to:)`), as trees are traversed recursively.
    package var depth: Int
    /// Processor time of the thread. An evaluation never leaves its thread, so the processor's other work does not count.
    package var time: Duration
    /// The clock that the time is read from; it never goes backwards.
    package var clock: @Sendable () -> Duration

    /// Ten million steps, 64 MiB, 128 levels and 10 s by default.
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

    /// The processor time of this thread.
    @Sendable
    package static func processorTime() -> Duration {
        var time = timespec()
        // Fills `time`; it fails only for clocks that do not exist, and zero then means that no time passes.
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
