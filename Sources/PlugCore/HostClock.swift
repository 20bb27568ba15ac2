import Glibc

/// Time and chance, so that tests can have their own.
public protocol HostClock: Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z.
    func now() -> Int64
    /// Waits; throws `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
    /// A number in `0..<1`, for jitter.
    func random() -> Double
}

/// The machine's clock and generator.
public struct SystemClock: HostClock {
    /// The real thing.
    public init() {}

    /// Microseconds since 1970 from the real-time clock.
    public func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Waits on the monotonic clock.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }

    /// A random number from the system's generator.
    public func random() -> Double { .random(in: 0..<1) }
}
