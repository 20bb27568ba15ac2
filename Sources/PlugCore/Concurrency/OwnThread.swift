internal import Dispatch

/// Does work that waits, for a disk or for a computation of its own, on a thread that may wait: the cooperative pool has
/// only as many as there are cores.
public func onAThreadOfItsOwn<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
}
