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
    /// Whether the thread may no longer be woken. A separate lock: the thread that is woken takes the orders immediately and must not
    /// wait for the thread that wakes it.
    private let mayNotWake = Mutex(false)

    /// - Parameter wakeUp: Never called after `close`.
    init(wakeUp: @escaping @Sendable () -> Void) { self.wakeUp = wakeUp }

    /// Posts an order; a request that comes too late is answered at once.
    func post(_ order: Order) {
        let (isTaken, isFirst) = state.withLock { state in
            if state.isClosed || state.isStopping { return (false, false) }
            state.orders.append(order)
            return (true, state.orders.count == 1)
        }
        // The thread takes all orders at once, so one wake-up serves them all.
        if isFirst { wake() }
        if !isTaken, case .start(let transfer, let continuation) = order {
            continuation.resume(returning: .failure(Self.shutDown(transfer)))
        }
    }

    /// Asks the thread to end; the continuation is resumed once it has.
    func stop(_ waiter: CheckedContinuation<Void, Never>?) {
        let isClosed = state.withLock { state in
            if state.isClosed { return true }
            if let waiter { state.stopWaiters.append(waiter) }
            state.isStopping = true
            return false
        }
        if isClosed { waiter?.resume() } else { wake() }
    }

    /// The orders posted so far, and whether to end after them.
    func take() -> (orders: [Order], isStopping: Bool) {
        state.withLock { state in
            defer { state.orders.removeAll(keepingCapacity: true) }
            return (state.orders, state.isStopping)
        }
    }

    private func wake() { mayNotWake.withLock { if !$0 { wakeUp() } } }

    /// Accepts nothing more and wakes no one from here on; returns those waiting for the end.
    func close() -> [CheckedContinuation<Void, Never>] {
        mayNotWake.withLock { $0 = true }
        return state.withLock { state in
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
