internal import CThreads
internal import Dispatch
internal import Glibc

/// Does blocking work (on a disk, a lock or a computation) on a thread that is created for it and ends with it. The threads
/// that run tasks are at most as many as there are processors.
///
/// This is not a bounded pool such as Dispatch's: work may wait for another process for as long as `--wait` says, and enough of
/// it would starve everything else, even the code that releases the awaited lock. A thread costs some ten microseconds, and
/// callers need only a few per run.
public func onAThreadOfItsOwn<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        let errand: @Sendable () -> Void = { continuation.resume(returning: Result(catching: work)) }
        // The system may refuse to create more threads; the pool may have a free one.
        if !runsOnNewThread(named: "blocking", errand) { DispatchQueue.global().async(execute: errand) }
    }
    return try result.get()
}

/// Starts a detached thread that does some work and ends. It leaves signals to the main thread, except for its own faults.
///
/// - Parameter name: What debuggers and `top -H` show, up to 15 bytes; by default, the name of the thread that starts it.
/// - Returns: Whether the thread was created; if not, nothing has been started.
package func runsOnNewThread(named name: String? = nil, _ work: @escaping @Sendable () -> Void) -> Bool {
    let retained = Unmanaged.passRetained(ThreadWork(name, work))
    var thread = pthread_t()
    // The thread takes ownership of the reference that was retained for it.
    let code = pthread_create(
        &thread,
        nil,
        { context in
            guard let context else { return nil }
            let created = Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue()
            SignalMask.blockAllButFaults()
            if let name = created.name { plughost_name_thread(name) }
            created.work()
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
    let name: String?
    let work: @Sendable () -> Void

    init(_ name: String?, _ work: @escaping @Sendable () -> Void) { (self.name, self.work) = (name, work) }
}
