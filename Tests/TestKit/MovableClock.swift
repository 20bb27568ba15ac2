internal import PlugCore
internal import Synchronization

/// A time that passes when it is told to, and while somebody waits.
package final class MovableClock: HostClock {
    private let microseconds: Mutex<Int64>

    /// - Parameter seconds: Since 1970.
    package init(seconds: Int64 = 1_795_000_000) { microseconds = Mutex(seconds * 1_000_000) }

    /// What it was moved to.
    package func now() -> Int64 { microseconds.withLock { $0 } }
    /// Always the same.
    package func random() -> Double { 0.5 }
    /// Moves on; returns at once.
    package func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        advance(duration)
    }

    /// Lets time pass.
    package func advance(_ duration: Duration) {
        microseconds.withLock { $0 += Int64(duration / .microseconds(1)) }
    }
}
