internal import PlugCore

/// A clock that stands still until a test moves it. Who waits goes on when their time has come.
package final class SteppedClock: HostClock {
    private struct Sleeper: Sendable {
        let end: Int64
        let duration: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now: Int64
        var sleepers: [Int: Sleeper] = [:]
        /// Whose task was cancelled before they slept.
        var cancelled: Set<Int> = []
        var count = 0
    }

    private let state: Watched<State>

    /// - Parameter seconds: Since 1970.
    package init(seconds: Int64) { state = Watched(State(now: seconds * 1_000_000)) }

    /// What it was moved to.
    package func now() -> Int64 { state.value.now }
    /// Always the same.
    package func random() -> Double { 0.5 }
    /// Waits until the clock was moved far enough.
    package func timeout(after duration: Duration) async throws { try await sleep(for: duration) }

    /// Waits until the clock was moved far enough.
    package func sleep(for duration: Duration) async throws {
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
                    state.sleepers[id] = Sleeper(end: end, duration: duration, continuation: continuation)
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
    package func advance(_ duration: Duration) {
        let woken = state.change { state in
            state.now += Int64(duration / .microseconds(1))
            let over = state.sleepers.filter { $0.value.end <= state.now }
            for id in over.keys { state.sleepers[id] = nil }
            return Array(over.values)
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Returns once so many wait for a time of this length: what they do between two of them is done then.
    package func untilWaiting(_ count: Int, for duration: Duration) async {
        await state.wait { $0.sleepers.values.count { $0.duration == duration } >= count }
    }
}
