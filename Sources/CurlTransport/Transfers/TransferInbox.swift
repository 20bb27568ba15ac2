import CLibCURL
import Synchronization

/// What tasks ask of the loop's thread, and the only way to wake it.
final class TransferInbox: Sendable {
    enum Order: Sendable {
        case start(Transfer, Transfer.Continuation)
        case cancel(Transfer)
    }

    private struct State {
        var orders: [Order] = []
        var stopWaiters: [CheckedContinuation<Void, Never>] = []
        var isStopping = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let wakeUp: @Sendable () -> Void

    /// - Parameter wakeUp: Called with the lock held, and never after `close`.
    init(wakeUp: @escaping @Sendable () -> Void) { self.wakeUp = wakeUp }

    /// Posts an order; a request that comes too late is answered at once.
    func post(_ order: Order) {
        let isTaken = state.withLock { state in
            if state.isClosed || state.isStopping { return false }
            state.orders.append(order)
            // The thread takes all orders at once, so one wake-up serves them all.
            if state.orders.count == 1 { wakeUp() }
            return true
        }
        if !isTaken, case .start(let transfer, let continuation) = order {
            continuation.resume(returning: .failure(Self.shutDown(transfer)))
        }
    }

    /// Asks the thread to end; the continuation is resumed once it has.
    func stop(_ waiter: CheckedContinuation<Void, Never>?) {
        let isClosed = state.withLock { state in
            if state.isClosed { return true }
            if let waiter { state.stopWaiters.append(waiter) }
            if !state.isStopping { wakeUp() }
            state.isStopping = true
            return false
        }
        if isClosed { waiter?.resume() }
    }

    /// The orders posted so far, and whether to end after them.
    func take() -> (orders: [Order], isStopping: Bool) {
        state.withLock { state in
            defer { state.orders.removeAll(keepingCapacity: true) }
            return (state.orders, state.isStopping)
        }
    }

    /// Accepts nothing more and wakes no one from here on; returns those waiting for the end.
    func close() -> [CheckedContinuation<Void, Never>] {
        state.withLock { state in
            state.isClosed = true
            defer { state.stopWaiters = [] }
            return state.stopWaiters
        }
    }

    static func shutDown(_ transfer: Transfer) -> HTTPError {
        HTTPError(
            .shutDown,
            "the request to \(transfer.url.hostAndPort) was cancelled because the program ended",
            mayHaveArrived: transfer.attempts > 0
        )
    }
}
