internal import Dispatch
internal import Glibc

/// Does work that waits, for a disk, a lock or a computation of its own, on a thread that is made for it and ends with it.
/// The cooperative pool has only as many threads as there are cores.
///
/// It is no pool such as Dispatch's, which has a bound: work may wait for another process for as long as `--wait` says, and
/// enough of it would keep everything else from the pool, even what gives the awaited lock back. A thread costs some ten
/// microseconds, and nobody asks for one more than a few times in a run.
public func onAThreadOfItsOwn<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        let errand: @Sendable () -> Void = { continuation.resume(returning: Result(catching: work)) }
        // The system may give no more threads; the pool may have one that is free.
        if !runsOnNewThread(errand) { DispatchQueue.global().async(execute: errand) }
    }
    return try result.get()
}

/// Starts a detached thread that does some work and ends.
///
/// - Returns: Whether there is such a thread; where the system gives no more, nothing has been begun.
package func runsOnNewThread(_ work: @escaping @Sendable () -> Void) -> Bool {
    let retained = Unmanaged.passRetained(ThreadWork(work))
    var thread = pthread_t()
    // The thread takes over the reference that was retained for it.
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

/// What a new thread is given.
private final class ThreadWork: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
