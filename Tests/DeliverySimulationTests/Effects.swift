import PlugCore
import Synchronization

/// Where a process dies: at its n-th effect.
struct Crash: Sendable, CustomStringConvertible {
    enum Moment: Sendable, CaseIterable {
        /// The effect does not happen.
        case before
        /// It happens, and nobody hears of it.
        case after
        /// A request is on its way and lands while the next life is under way. For a commit the same as `before`.
        case later
    }

    var effect: Int
    var moment: Moment

    var description: String { "crash \(moment) effect \(effect)" }
}

/// Numbers what one process life does to the world: each write of the store, each request. It dies where it is told to,
/// and from then on nothing that it does has any effect.
final class Effects: Sendable {
    /// What becomes of an effect.
    enum Verdict: Sendable, Equatable { case happens, happensUnheard, landsLater, refused }

    private struct State {
        var count = 0
        var isDead = false
        var trace: [String] = []
        var chance: Chance
    }

    let crash: Crash?
    private let state: Mutex<State>
    /// Called with the number of each effect before it happens.
    private let hook: @Sendable (Int) -> Void

    init(crash: Crash? = nil, seed: UInt64, hook: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.crash = crash
        self.hook = hook
        state = Mutex(State(chance: Chance(seed)))
    }

    var count: Int { state.withLock { $0.count } }
    var isDead: Bool { state.withLock { $0.isDead } }
    /// What was tried, in order.
    var trace: [String] { state.withLock { $0.trace } }

    func die() { state.withLock { $0.isDead = true } }

    /// Numbers an effect that is about to happen.
    func begin(_ name: String) -> Verdict {
        let (number, isRefused) = state.withLock { state in
            guard !state.isDead else { return (0, true) }
            state.count += 1
            state.trace.append(name)
            return (state.count, false)
        }
        if isRefused { return .refused }
        hook(number)
        guard let crash, crash.effect == number else { return .happens }
        switch crash.moment {
        case .before:
            die()
            return .refused
        case .after: return .happensUnheard
        case .later:
            die()
            return .landsLater
        }
    }

    /// Lets the other tasks of this life go first, sometimes.
    func interleave() async {
        let times = state.withLock { $0.chance.number(0...3) }
        for _ in 0..<times { await Task.yield() }
    }
}

/// A clock that throws whoever sleeps out of a dead process.
struct LifeClock: HostClock {
    let effects: Effects
    let clock: WorldClock

    func now() -> Int64 { clock.now() }
    func steady() -> SteadyTime { clock.steady() }
    func random() -> Double { clock.random() }
    func sleep(for duration: Duration) async throws {
        if effects.isDead { throw CancellationError() }
        try await clock.sleep(for: duration)
        if effects.isDead { throw CancellationError() }
    }
}
