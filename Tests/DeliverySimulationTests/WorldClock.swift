import PlugCore
import Synchronization

/// The world's time, and the host's idea of it, which may be a day off. Nobody waits: sleeping moves the time.
final class WorldClock: HostClock {
    static let start: Int64 = 1_795_000_000

    private struct State {
        var time = WorldClock.start * 1_000_000
        var error: Int64 = 0
        var chance: Chance
    }
    private let state: Mutex<State>

    init(seed: UInt64) { state = Mutex(State(chance: Chance(seed))) }

    /// The true time in seconds, by which source and PDA go.
    var seconds: Int64 { state.withLock { $0.time / 1_000_000 } }
    /// How far the host's clock is ahead.
    func setError(_ seconds: Int64) { state.withLock { $0.error = seconds * 1_000_000 } }
    func pass(_ seconds: Int64) { state.withLock { $0.time += seconds * 1_000_000 } }

    /// Nobody sets this one.
    func steady() -> SteadyTime { state.withLock { SteadyTime(era: "boot", microseconds: $0.time) } }
    func now() -> Int64 { state.withLock { $0.time + $0.error } }
    func random() -> Double { state.withLock { Double($0.chance.next() >> 11) / Double(1 << 53) } }
    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        state.withLock { $0.time += max(0, Int64(duration / .microseconds(1))) }
        await Task.yield()
    }
}
