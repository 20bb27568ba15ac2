internal import Synchronization
package import Testing

/// Lets tests with real sockets, servers or processes run two at a time, and only when this process answers promptly.
///
/// Swift Testing begins all tests at once, and all their tasks share one thread for each core. Whoever waits for a
/// server that runs in this process, or has a time-out of real seconds, then waits for a thousand tests that have
/// nothing to do with it. With this trait it waits before it begins, where no time-out runs.
package struct FewAtATime: TestTrait, SuiteTrait, TestScoping {
    /// For every test of a suite.
    package var isRecursive: Bool { true }

    /// For every case of a test, and not around a test or a suite as a whole: what waits for its turn holds no turn.
    package func scopeProvider(for test: Test, testCase: Test.Case?) -> FewAtATime? { testCase == nil ? nil : self }

    /// Runs a test's case in its turn.
    package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await Turns.shared.take {
            await Promptness.wait()
            try await function()
        }
    }
}

extension Trait where Self == FewAtATime {
    /// Two at a time, of all tests with this trait.
    package static var fewAtATime: FewAtATime { FewAtATime() }
}

/// Lets so many in at once, in the order in which they come.
final class Turns: Sendable {
    static let shared = Turns(width: 2)

    /// Whether the task has a turn already, such as by its suite's trait and its own. Whoever has one and waited for
    /// another could wait for itself.
    @TaskLocal private static var isTaken = false

    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(width: Int) { state = Mutex(State(free: width)) }

    /// Runs `body` in a turn. A task that is cancelled meanwhile waits all the same: its turn comes soon enough.
    func take(_ body: () async throws -> Void) async throws {
        if Self.isTaken { return try await body() }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
        defer { giveBack() }
        try await Self.$isTaken.withValue(true) { try await body() }
    }

    /// Hands the turn to whoever waits longest.
    private func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}

/// How soon a task of this process goes on once it can.
enum Promptness {
    /// Far less than the shortest time-out of the product, and more than a loaded machine takes to wake a thread.
    private static let enough = Duration.milliseconds(250)

    /// Returns once a task that gives way is soon continued. Tasks queue in order: all that could go on before this one
    /// has had its go by then. Ends with the flood that it waits for; a machine that is never prompt runs its tests all the
    /// same, after a hundred seconds.
    static func wait() async {
        let clock = ContinuousClock()
        for _ in 0..<400 {
            let began = clock.now
            await Task.yield()
            if clock.now - began < enough { return }
        }
    }
}
