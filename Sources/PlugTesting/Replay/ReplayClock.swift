public import PlugCore
import Synchronization

/// A clock that begins at a fixed moment and moves only while somebody waits, without anybody waiting.
public final class ReplayClock: HostClock {
    private let time: Mutex<Int64>

    /// - Parameter now: Microseconds since 1970.
    public init(_ now: Int64) { time = Mutex(now) }

    /// Microseconds since 1970.
    public func now() -> Int64 { time.withLock { $0 } }

    /// Moves the time on and returns at once; throws `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        time.withLock { $0 += max(0, Int64(duration / .microseconds(1))) }
    }

    /// Always a half.
    public func random() -> Double { 0.5 }
}
