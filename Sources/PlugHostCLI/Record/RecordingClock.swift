internal import PlugCore
internal import Synchronization

/// The clock of a recording: its time moves only while somebody waits, as that of a replay does, so that both ask for the same. But
/// here the waiting is real.
final class RecordingClock: HostClock {
    private let inner: any HostClock
    private let time: Mutex<Int64>
    /// When the recording began, in microseconds since 1970.
    let start: Int64

    init(_ inner: any HostClock) {
        self.inner = inner
        // Whole seconds, as a fixture has them.
        start = inner.now() / 1_000_000 * 1_000_000
        time = Mutex(start)
    }

    func now() -> Int64 { time.withLock { $0 } }

    func sleep(for duration: Duration) async throws {
        try await inner.sleep(for: duration)
        time.withLock { $0 += max(0, Int64(duration / .microseconds(1))) }
    }

    /// As the clock of a replay has it.
    func random() -> Double { 0.5 }
}
