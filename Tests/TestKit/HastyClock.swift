public import PlugCore
internal import Synchronization

/// The machine's time, which jumps ahead where somebody waits: for commands whose waits between tries are not what is
/// tested, and which meet servers that go by the machine's time.
public final class HastyClock: HostClock {
    private let system = SystemClock()
    private let skipped = Mutex<Int64>(0)

    /// A clock that has not jumped yet.
    public init() {}

    /// The machine's time and all that was waited for.
    public func now() -> Int64 { system.now() + skipped.withLock { $0 } }
    /// The system's.
    public func random() -> Double { system.random() }
    /// Jumps; returns at once.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        skipped.withLock { $0 += max(0, Int64(duration / .microseconds(1))) }
    }
}
