internal import PlugCore
internal import Synchronization

/// The clock of a recording: its time advances only while waiting, like a replay's, so that both make the same requests. But here
/// the waiting is real.
final class RecordingClock: HostClock {
    private let inner: any HostClock
    private let time: Mutex<Int64>
    /// When the recording began, in microseconds since 1970.
    let start: Int64

    init(_ inner: any HostClock) {
        self.inner = inner
        // Whole seconds, as in a fixture.
        start = inner.now() / 1_000_000 * 1_000_000
        time = Mutex(start)
    }

    func now() -> Int64 { time.withLock { $0 } }

    func sleep(for duration: Duration) async throws {
        try await inner.sleep(for: duration)
        time.withLock { $0 += max(0, duration.wholeMicroseconds) }
    }

    /// As in a replay's clock.
    func random() -> Double { 0.5 }
}
