internal import Synchronization

/// The cancellation of a task, for work that is shielded from it: part of the work may be given up some time later.
package final class Departure: Sendable {
    /// How long to keep waiting for an answer that is given only once: a host has to be gone within five seconds.
    package static let patience = Duration.seconds(2)

    private struct State {
        var hasCome = false
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    init() {}

    func come() {
        let waiters = state.withLock { state in
            state.hasCome = true
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Does a part of the work that is cancelled this long after the task that waits for the whole. A result that it returns
    /// nonetheless counts.
    package func giveUp<Value: Sendable>(
        after patience: Duration = Departure.patience,
        clock: any HostClock,
        _ part: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await part() }
            group.addTask {
                await self.wait()
                // A cancelled wait is over as well.
                try? await clock.timeout(after: patience)
                return nil
            }
            while let next = try await group.next() {
                group.cancelAll()
                if let value = next { return value }
            }
            throw CancellationError()
        }
    }

    /// Waits until the cancellation has come, or the task is cancelled.
    private func wait() async {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.hasCome || Task.isCancelled { return true }
                    state.waiters[number] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
