package import PlugCore
internal import Synchronization

/// One timer for the time limits of many runs, all with the same limit.
///
/// A system timer for each of thousands of small runs would add a third to their cost: each is set and cancelled on a thread of
/// its own.
package final class RunTimer: Sendable {
    private struct Wait {
        var id: Int
        /// On the steady clock, in microseconds.
        var deadline: Int64
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        /// In the order of their deadlines, which is the order in which they began.
        var waits: [Wait] = []
        var nextID = 0
        /// Waits that were cancelled before they began.
        var cancelled: Set<Int> = []
    }

    private let limit: Duration
    private let clock: any HostClock
    private let state = Mutex(State())
    /// Signals that a wait has begun; one signal serves for many.
    private let begun: AsyncStream<Void>
    private let beginning: AsyncStream<Void>.Continuation

    /// - Parameter limit: How long each run may take.
    package init(limit: Duration, clock: any HostClock) {
        self.limit = limit
        self.clock = clock
        (begun, beginning) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1))
    }

    /// The number of waits, for tests.
    var waiting: Int { state.withLock { $0.waits.count } }

    /// Ends waits when their time has come, until the task is cancelled. Without it no wait ever ends.
    package func run() async {
        for await _ in begun {
            while let deadline = state.withLock({ $0.waits.first?.deadline }) {
                let pause = deadline - clock.steady().microseconds
                if pause > 0, (try? await clock.sleep(for: .microseconds(pause))) == nil { return }
                endDue()
            }
        }
    }

    private func endDue() {
        let now = clock.steady().microseconds
        let due = state.withLock { state in
            let due = Array(state.waits.prefix { $0.deadline <= now })
            state.waits.removeFirst(due.count)
            return due
        }
        for wait in due { wait.continuation.resume(returning: true) }
    }

    /// Waits as long as a run may take.
    ///
    /// - Returns: Whether that time is over; `false` if the task is cancelled before.
    func wait() async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let deadline = clock.steady().microseconds + limit.wholeMicroseconds
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelled.remove(id) != nil { return true }
                    state.waits.append(Wait(id: id, deadline: deadline, continuation: continuation))
                    return false
                }
                if isCancelled { continuation.resume(returning: false) } else { beginning.yield() }
            }
        } onCancel: {
            let wait = state.withLock { state -> Wait? in
                guard let at = state.waits.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waits.remove(at: at)
            }
            wait?.continuation.resume(returning: false)
        }
        state.withLock { _ = $0.cancelled.remove(id) }
        return isOver
    }
}
