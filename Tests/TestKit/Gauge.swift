internal import Synchronization

/// How many are inside at the same time, and how many were at the most.
package final class Gauge: Sendable {
    private let state = Mutex((now: 0, most: 0))

    /// Nobody is inside.
    package init() {}

    /// One goes in.
    package func enter() {
        state.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
    }
    /// One comes out.
    package func leave() { state.withLock { $0.now -= 1 } }
    /// How many were inside at the most.
    package var most: Int { state.withLock { $0.most } }
}
