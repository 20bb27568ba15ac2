package import PlugCore
import Synchronization

/// A clock that begins at a fixed moment and advances only when something waits, which returns at once.
package final class ReplayClock: HostClock {
    private let time: Mutex<Int64>
    private let looks: Mutex<Int64>
    private let isSlow: Bool

    /// - Parameters:
    ///   - now: Microseconds since 1970.
    ///   - isSlow: Whether two seconds pass between two readings of the steady time: nothing is then merged for having come
    ///     at the same time.
    package init(_ now: Int64, isSlow: Bool = false) {
        time = Mutex(now)
        looks = Mutex(0)
        self.isSlow = isSlow
    }

    /// The steady time.
    package func steady() -> SteadyTime {
        let passed: Int64 =
            isSlow
            ? looks.withLock { looks in
                looks += 2_000_000
                return looks
            } : 0
        return SteadyTime(era: "", microseconds: now() + passed)
    }

    /// Microseconds since 1970.
    package func now() -> Int64 { time.withLock { $0 } }

    /// Advances the time and returns at once; throws `CancellationError` when the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        time.withLock { $0 += max(0, duration.wholeMicroseconds) }
    }

    /// Always 0.5.
    package func random() -> Double { 0.5 }
}
