internal import Synchronization

/// A condition that holds from some moment on.
package final class Latch: Sendable {
    private let value = Mutex(false)

    /// Creates one that does not hold yet.
    package init() {}

    /// Whether it holds.
    package var isSet: Bool { value.withLock { $0 } }

    /// From now on it holds.
    ///
    /// - Returns: Whether it did not hold before: of several callers, one is told so.
    @discardableResult
    package func set() -> Bool {
        value.withLock { isSet in
            defer { isSet = true }
            return !isSet
        }
    }
}
