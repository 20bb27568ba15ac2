internal import Synchronization

/// Lets so many tasks in at once, in the order of their turns. A task may count for several: then the width is an amount, as
/// of memory.
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
        /// Where the line begins in `waiting`: thousands may stand in it, and removing the first one each time would move all of them.
        var head = 0
        /// Tasks that were cancelled before they stood in line.
        var cancelled: Set<Turn> = []

        /// Nobody goes past those who wait.
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

        /// Takes those out of the line that are let in.
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

    /// - Parameter width: How many are let in at once.
    package init(width: Int) { state = Mutex(State(free: max(1, width))) }

    /// How many stand in line.
    package var waitingCount: Int { state.withLock { $0.waiting.count - $0.head } }

    /// Whether somebody stands in line who asked before.
    package func isAwaited(before turn: Turn) -> Bool {
        state.withLock { $0.head < $0.waiting.count && $0.waiting[$0.head].turn < turn }
    }

    /// Runs `body` inside.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits, or what `body` throws.
    package func pass<Result: Sendable>(
        as turn: Turn = Turn(),
        _ body: () async throws -> Result
    ) async throws -> Result {
        try await enter(as: turn)
        defer { leave() }
        return try await body()
    }

    /// Waits to be let in. Whoever is let in leaves again, with the same size.
    ///
    /// - Parameters:
    ///   - size: For how many it counts; never more than the width, or it waits for ever.
    ///   - turn: No two tasks stand in one line with the same one.
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
    package func enter(_ size: Int = 1, as turn: Turn = Turn()) async throws {
        if enterAtOnce(size) { return }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isCancelled, admitted) = state.withLock { state -> (Bool, [Waiter]) in
                    if state.cancelled.remove(turn) != nil { return (true, []) }
                    state.append(Waiter(turn: turn, size: size, continuation: continuation))
                    // An earlier turn goes before a larger one that blocks the line, and may fit.
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
            // Who stood first may have kept smaller ones waiting.
            leave(0)
        }
        state.withLock { _ = $0.cancelled.remove(turn) }
        guard isIn else { throw CancellationError() }
    }

    /// Goes in if that needs no waiting.
    package func enterAtOnce(_ size: Int = 1) -> Bool { state.withLock { $0.takeAtOnce(size) } }

    /// Lets the next ones in.
    package func leave(_ size: Int = 1) {
        let admitted = state.withLock { state in
            state.free += size
            return state.admitted()
        }
        for waiter in admitted { waiter.continuation.resume(returning: true) }
    }
}
