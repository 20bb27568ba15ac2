internal import Synchronization

/// Lets so many tasks in at once, in the order in which they came.
package final class AsyncSemaphore: Sendable {
    private struct State {
        var free: Int
        var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        /// Where the line begins in `waiting`: thousands may stand in it, and moving them up each time is not for free.
        var head = 0
        var nextID = 0
        /// Tasks that were cancelled before they stood in line.
        var cancelled: Set<Int> = []
    }

    private let state: Mutex<State>

    /// - Parameter width: How many are let in at once.
    package init(width: Int) { state = Mutex(State(free: max(1, width))) }

    /// How many stand in line.
    package var waitingCount: Int { state.withLock { $0.waiting.count - $0.head } }

    /// Runs `body` inside.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits, or what `body` throws.
    package func pass<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await body()
    }

    /// Waits to be let in. Whoever is let in leaves again.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
    package func enter() async throws {
        let id = state.withLock { state -> Int? in
            if state.free > 0 {
                state.free -= 1
                return nil
            }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.cancelled.remove(id) != nil { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    state.waiting.append((id, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                guard let index = state.waiting[state.head...].firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waiting.remove(at: index).continuation
            }
            waiting?.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        guard isIn else { throw CancellationError() }
    }

    /// Lets the next one in.
    package func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.head < state.waiting.count else {
                state.free += 1
                return nil
            }
            defer {
                state.head += 1
                if state.head * 2 > state.waiting.count {
                    state.waiting.removeFirst(state.head)
                    state.head = 0
                }
            }
            return state.waiting[state.head].continuation
        }
        next?.resume(returning: true)
    }
}
