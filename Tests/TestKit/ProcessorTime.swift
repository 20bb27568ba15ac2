internal import Glibc

/// How much of a processor some work takes, on its thread: a busy machine makes it no longer.
package func processorTime(of work: () throws -> Void) rethrows -> Duration {
    let before = threadTime()
    try work()
    return threadTime() - before
}

private func threadTime() -> Duration {
    var time = timespec()
    // clock_gettime(2) fails for a clock that does not exist only.
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
