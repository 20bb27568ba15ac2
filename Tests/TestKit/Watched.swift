internal import Synchronization

/// A value of a server or a model that a test can wait for, without time and without asking again and again.
package final class Watched<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value
        var waiting: [Waiting] = []
    }

    private struct Waiting: Sendable {
        var condition: @Sendable (Value) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private let state: Mutex<State>

    /// A value to begin with.
    package init(_ value: Value) { state = Mutex(State(value: value)) }

    /// What it is now.
    package var value: Value { state.withLock { $0.value } }

    /// Changes the value, and continues those whose condition it meets now.
    @discardableResult
    package func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        let (result, met) = state.withLock { state in
            let result = body(&state.value)
            let met = state.waiting.filter { $0.condition(state.value) }
            if !met.isEmpty { state.waiting.removeAll { $0.condition(state.value) } }
            return (result, met)
        }
        for waiting in met { waiting.continuation.resume() }
        return result
    }

    /// Returns once the value meets a condition, at once where it does so already.
    ///
    /// - Parameter condition: Asked for every value that there is, and the same for the same value.
    package func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                let isMet = condition(state.value)
                if !isMet { state.waiting.append(Waiting(condition: condition, continuation: continuation)) }
                return isMet
            }
            if isMet { continuation.resume() }
        }
    }
}
