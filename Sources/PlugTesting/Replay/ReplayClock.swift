internal import PlugCore
import Synchronization

/// A clock that begins at a fixed moment and moves only while somebody waits, without anybody waiting.
package final class ReplayClock: HostClock {
    private let time: Mutex<Int64>

    /// - Parameter now: Microseconds since 1970.
    package init(_ now: Int64) { time = Mutex(now) }

    /// Microseconds since 1970.
    package func now() -> Int64 { time.withLock { $0 } }

    /// Moves the time on and returns at once; throws `CancellationError` when the task is cancelled.
    package func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        time.withLock { $0 += max(0, Int64(duration / .microseconds(1))) }
    }

    /// Always a half.
    package func random() -> Double { 0.5 }
}
