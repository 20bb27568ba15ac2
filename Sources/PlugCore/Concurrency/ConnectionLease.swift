internal import Synchronization

/// The right to run a connection, or to change what hangs on it, which nobody else has at the same time: no other task,
/// no other process.
///
/// It ends with `end()`, with its owner, and with the process.
public final class ConnectionLease: Sendable {
    private let work: Mutex<(@Sendable () -> Void)?>

    /// - Parameter end: Gives it back; called once.
    public init(end: @escaping @Sendable () -> Void) { work = Mutex(end) }

    deinit { end() }

    /// Gives it back. A second call changes nothing.
    public func end() {
        let end = work.withLock { work in
            defer { work = nil }
            return work
        }
        end?()
    }
}
