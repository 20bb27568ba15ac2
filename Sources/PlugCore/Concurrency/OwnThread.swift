internal import Dispatch
internal import Glibc

/// Does blocking work (on a disk, a lock or a computation) on a thread that is created for it and ends with it. The cooperative
/// pool has only as many threads as there are cores.
///
/// This is not a bounded pool such as Dispatch's: work may wait for another process for as long as `--wait` says, and enough of
/// it would starve everything else of the pool, even the code that releases the awaited lock. A thread costs some ten
/// microseconds, and callers need only a few per run.
public func onAThreadOfItsOwn<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        let errand: @Sendable () -> Void = { continuation.resume(returning: Result(catching: work)) }
        // The system may refuse to create more threads; the pool may have a free one.
        if !runsOnNewThread(errand) { DispatchQueue.global().async(execute: errand) }
    }
    return try result.get()
}

/// Starts a detached thread that does some work and ends.
///
/// - Returns: Whether the thread was created; if not, nothing has been started.
package func runsOnNewThread(_ work: @escaping @Sendable () -> Void) -> Bool {
    let retained = Unmanaged.passRetained(ThreadWork(work))
    var thread = pthread_t()
    // The thread takes ownership of the reference that was retained for it.
    let code = pthread_create(
        &thread,
        nil,
        { context in
            guard let context else { return nil }
            Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().work()
            return nil
        },
        retained.toOpaque()
    )
    guard code == 0 else {
        retained.release()
        return false
    }
    pthread_detach(thread)
    return true
}

/// The work handed to a new thread.
private final class ThreadWork: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
