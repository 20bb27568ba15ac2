import PlugCore
import Synchronization

/// A clock whose time passes only while somebody waits.
final class FakeClock: HostClock {
    private struct State {
        var now: Int64
        var waits: [Duration] = []
    }

    private let state: Mutex<State>
    private let chance: Double
    private let limitIsOver: (@Sendable () -> Bool)?

    /// - Parameters:
    ///   - time: In RFC 3339.
    ///   - limitIsOver: When time limits end, which then lets their time pass; without it they never do.
    init(
        _ time: String = "2026-11-21T12:00:00Z",
        chance: Double = 0.5,
        limitIsOver: (@Sendable () -> Bool)? = nil
    ) {
        self.limitIsOver = limitIsOver
        state = Mutex(State(now: Timestamp(time)?.microseconds ?? 0))
        self.chance = chance
    }

    func now() -> Int64 { state.withLock { $0.now } }
    func random() -> Double { chance }

    func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        state.withLock {
            $0.now += Int64(duration / .microseconds(1))
            $0.waits.append(duration)
        }
    }

    func timeout(after duration: Duration) async throws {
        while limitIsOver?() != true {
            try Task.checkCancellation()
            await Task.yield()
        }
        advance(duration)
    }

    /// How long was waited, in order.
    var waits: [Duration] { state.withLock { $0.waits } }

    /// Lets time pass.
    func advance(_ duration: Duration) { state.withLock { $0.now += Int64(duration / .microseconds(1)) } }
}
