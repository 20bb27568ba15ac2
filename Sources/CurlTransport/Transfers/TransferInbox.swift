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
        /// Whether the thread sleeps in its poll, or is about to: the next order must wake it.
        var isAsleep = false
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
        let (isTaken, mustWake) = state.withLock { state in
            if state.isClosed || state.isStopping { return (false, false) }
            state.orders.append(order)
            // The thread takes all orders at once, so one wake-up serves them all.
            return (true, state.isAsleep && state.orders.count == 1)
        }
        if mustWake { wake() }
        if !isTaken, case .start(let transfer, let continuation) = order {
            continuation.resume(returning: .failure(Self.shutDown(transfer)))
        }
    }

    /// Asks the thread to end; the continuation is resumed once it has.
    func stop(_ waiter: CheckedContinuation<Void, Never>?) {
        let (isClosed, isAsleep) = state.withLock { state in
            if state.isClosed { return (true, false) }
            if let waiter { state.stopWaiters.append(waiter) }
            state.isStopping = true
            return (false, state.isAsleep)
        }
        if isClosed { waiter?.resume() }
        if isAsleep { wake() }
    }

    /// The orders posted so far, and whether to end after them.
    func take() -> (orders: [Order], isStopping: Bool) {
        state.withLock { state in
            state.isAsleep = false
            defer { state.orders.removeAll(keepingCapacity: true) }
            return (state.orders, state.isStopping)
        }
    }

    /// Marks the thread as asleep unless something waits for it; from then on the first order wakes it.
    ///
    /// - Returns: Whether it may sleep.
    func maySleep() -> Bool {
        state.withLock { state in
            state.isAsleep = state.orders.isEmpty && !state.isStopping
            return state.isAsleep
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
