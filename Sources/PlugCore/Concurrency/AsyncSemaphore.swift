internal import Synchronization

/// Admits up to a given number of tasks at once, in the order of their turns. A task may count for several: the width is then an
/// amount, such as of memory.
package final class AsyncSemaphore: Sendable {
    private struct Waiter {
        var turn: Turn
        var size: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var free: Int
        /// In the order of their turns.
        var waiting: [Waiter] = []
        /// Where the queue begins in `waiting`: it may hold thousands, and removing the first would move all the others.
        var head = 0
        /// Tasks that were cancelled before they joined the queue.
        var cancelled: Set<Turn> = []

        /// Nothing overtakes those already waiting.
        mutating func takeAtOnce(_ size: Int) -> Bool {
            guard head == waiting.count, free >= size else { return false }
            free -= size
            return true
        }

        mutating func append(_ waiter: Waiter) {
            var index = waiting.count
            while index > head, waiting[index - 1].turn > waiter.turn { index -= 1 }
            waiting.insert(waiter, at: index)
        }

        mutating func remove(_ turn: Turn) -> Waiter? {
            waiting[head...].firstIndex { $0.turn == turn }.map { waiting.remove(at: $0) }
        }

        /// Removes the waiters that are admitted from the queue.
        mutating func admitted() -> [Waiter] {
            var admitted: [Waiter] = []
            while head < waiting.count, free >= waiting[head].size {
                free -= waiting[head].size
                admitted.append(waiting[head])
                head += 1
            }
            if head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return admitted
        }
    }

    private let state: Mutex<State>

    /// - Parameter width: How many are admitted at once.
    package init(width: Int) { state = Mutex(State(free: max(1, width))) }

    /// How many are waiting.
    package var waitingCount: Int { state.withLock { $0.waiting.count - $0.head } }

    /// Whether a task with an earlier turn is waiting.
    package func isAwaited(before turn: Turn) -> Bool {
        state.withLock { $0.head < $0.waiting.count && $0.waiting[$0.head].turn < turn }
    }

    /// Runs `body` once admitted.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits, or whatever `body` throws.
    package func pass<Result: Sendable>(
        as turn: Turn = Turn(),
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await enter(as: turn)
        defer { leave() }
        return try await body()
    }

    /// Waits to be admitted. Every caller that is admitted must leave again, with the same size.
    ///
    /// - Parameters:
    ///   - size: How much it counts for; never more than the width, or it waits forever.
    ///   - turn: Unique within a queue.
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    package func enter(_ size: Int = 1, as turn: Turn = Turn()) async throws {
        if enterAtOnce(size) { return }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isCancelled, admitted) = state.withLock { state -> (Bool, [Waiter]) in
                    if state.cancelled.remove(turn) != nil { return (true, []) }
                    state.append(Waiter(turn: turn, size: size, continuation: continuation))
                    // An earlier turn goes ahead of a larger one that blocks the queue, and may fit.
                    return (false, state.admitted())
                }
                if isCancelled { continuation.resume(returning: false) }
                for waiter in admitted { waiter.continuation.resume(returning: true) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                let waiter = state.remove(turn)
                if waiter == nil { state.cancelled.insert(turn) }
                return waiter
            }
            waiter?.continuation.resume(returning: false)
            // The first in the queue may have held back smaller ones.
            leave(0)
        }
        state.withLock { _ = $0.cancelled.remove(turn) }
        guard isIn else { throw CancellationError() }
    }

    /// Enters if no waiting is needed.
    package func enterAtOnce(_ size: Int = 1) -> Bool { state.withLock { $0.takeAtOnce(size) } }

    /// Admits the next ones.
    package func leave(_ size: Int = 1) {
        let admitted = state.withLock { state in
            state.free += size
            return state.admitted()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }
}
