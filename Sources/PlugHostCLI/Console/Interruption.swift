internal import Dispatch
internal import Glibc
internal import PlugCore
internal import Synchronization

/// Ctrl-C and SIGTERM as cancellation.
enum Interruption {
    /// Runs some work; the first signal cancels it, a second one ends the process at once.
    ///
    /// - Parameter isGoodEnd: Whether work that was ended by a signal, and reports success, has succeeded.
    /// - Returns: The work's status, or the signal's (130, 143) if there was one.
    static func watch(
        isGoodEnd: Bool,
        _ work: @Sendable @escaping () async throws -> ExitStatus
    ) async throws -> ExitStatus {
        let task = Task(executorPreference: preferredTaskExecutor) { try await work() }
        let received = Mutex<ExitStatus?>(nil)
        let statuses: [(signal: Int32, status: ExitStatus)] = [(SIGINT, .interrupted), (SIGTERM, .terminated)]
        let sources = statuses.map { entry in
            // The default action would end the process before the source is notified.
            signal(entry.signal, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: entry.signal, queue: .global())
            // An ordinary block on a queue, not a signal handler: it may take locks.
            source.setEventHandler { note(entry.status, task, received) }
            source.activate()
            return source
        }
        defer { for source in sources { source.cancel() } }
        let result = await task.result
        if let status = received.withLock({ $0 }) {
            if isGoodEnd, case .success(.done) = result { return .done }
            return status
        }
        return try result.get()
    }

    private static func note(
        _ status: ExitStatus,
        _ task: Task<ExitStatus, any Error>,
        _ received: borrowing Mutex<ExitStatus?>
    ) {
        let isFirst = received.withLock { value in
            defer { value = value ?? status }
            return value == nil
        }
        guard isFirst else { _exit(status.rawValue) }
        task.cancel()
    }
}
