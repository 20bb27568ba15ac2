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
        Errand { continuation.resume(returning: Result(catching: work)) }.start()
    }
    return try result.get()
}

/// Work on its way to its thread.
private final class Errand: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }

    func start() {
        let retained = Unmanaged.passRetained(self)
        var thread = pthread_t()
        // The thread takes over the reference that was retained for it.
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Errand>.fromOpaque(context).takeRetainedValue().work()
                return nil
            },
            retained.toOpaque()
        )
        guard code != 0 else {
            pthread_detach(thread)
            return
        }
        // pthread_create(3): EAGAIN where the system gives no more threads. The pool may have one that is free.
        retained.release()
        DispatchQueue.global().async(execute: work)
    }
}
