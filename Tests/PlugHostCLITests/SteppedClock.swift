import PlugCore
import TestKit

/// A clock that stands still until a test moves it. Who waits goes on when their time has come.
final class SteppedClock: HostClock {
    private struct Sleeper: Sendable {
        let end: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now: Int64
        var sleepers: [Int: Sleeper] = [:]
        /// Whose task was cancelled before they slept.
        var cancelled: Set<Int> = []
        var count = 0
        /// How often somebody has begun to wait for a time limit of each length.
        var limits: [Duration: Int] = [:]
    }

    private let state: Watched<State>

    /// - Parameter seconds: Since 1970.
    init(seconds: Int64) { state = Watched(State(now: seconds * 1_000_000)) }

    /// What it was moved to.
    func now() -> Int64 { state.value.now }
    /// Always the same.
    func random() -> Double { 0.5 }
    /// Waits until the clock was moved far enough.
    func timeout(after duration: Duration) async throws { try await wait(for: duration, isLimit: true) }
    /// Waits until the clock was moved far enough.
    func sleep(for duration: Duration) async throws { try await wait(for: duration, isLimit: false) }

    private func wait(for duration: Duration, isLimit: Bool) async throws {
        try Task.checkCancellation()
        guard duration > .zero else { return }
        let id = state.change { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.change { state in
                    if state.cancelled.remove(id) != nil { return true }
                    let end = state.now + Int64(duration / .microseconds(1))
                    state.sleepers[id] = Sleeper(end: end, continuation: continuation)
                    if isLimit { state.limits[duration, default: 0] += 1 }
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.change { state in
                let sleeper = state.sleepers.removeValue(forKey: id)
                if sleeper == nil { state.cancelled.insert(id) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Lets time pass.
    func advance(_ duration: Duration) {
        let woken = state.change { state in
            state.now += Int64(duration / .microseconds(1))
            let over = state.sleepers.filter { $0.value.end <= state.now }
            for id in over.keys { state.sleepers[id] = nil }
            return Array(over.values)
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// How often somebody has begun to wait for a time limit of this length.
    func limits(of duration: Duration) -> Int { state.value.limits[duration] ?? 0 }

    /// Returns once it was so often: what they do between two waits is done then.
    func until(limits count: Int, of duration: Duration) async {
        await state.wait { $0.limits[duration] ?? 0 >= count }
    }
}
