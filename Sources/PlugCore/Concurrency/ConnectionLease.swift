internal import Synchronization

/// The exclusive right, across tasks and processes, to run a connection or to change what belongs to it.
///
/// It ends with `end()`, with its owner, and with the process.
public final class ConnectionLease: Sendable {
    private let work: Mutex<(@Sendable () -> Void)?>

    /// - Parameter end: Gives the right back; called once.
    public init(end: @escaping @Sendable () -> Void) { work = Mutex(end) }

    deinit { end() }

    /// Gives the right back. A second call has no effect.
    public func end() {
        let end = work.withLock { work in
            defer { work = nil }
            return work
        }
        end?()
    }
}
