internal import PlugCore
internal import Synchronization

/// The machine's time, which jumps ahead where somebody waits: for commands whose waits between tries are not what is
/// tested, and which meet servers that go by the machine's time.
package final class HastyClock: HostClock {
    private let system = SystemClock()
    private let skipped = Mutex<Int64>(0)

    /// A clock that has not jumped yet.
    package init() {}

    /// The machine's time and all that was waited for.
    package func now() -> Int64 { system.now() + skipped.withLock { $0 } }
    /// The system's.
    package func random() -> Double { system.random() }
    /// Jumps; returns at once.
    package func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        skipped.withLock { $0 += max(0, Int64(duration / .microseconds(1))) }
    }
}
