/// Does some work to its end even if the task that waits for it is cancelled: for what must not stop half-way, such as exchanging
/// a single-use token and storing what it was exchanged for.
///
/// Its separate task is awaited at once, so that it never outlives its caller, and it runs where its caller prefers to run. The
/// work must have its own time limit.
package func shielded<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task(executorPreference: preferredTaskExecutor) { try await work() }.value
}

/// The same, but the work is informed of the cancellation: parts of it that could take long, and are no longer useful or would
/// start again as after a crash, then give up.
package func shielded<Value: Sendable>(
    _ work: @escaping @Sendable (Departure) async throws -> Value
) async throws -> Value {
    let departure = Departure()
    return try await withTaskCancellationHandler {
        try await shielded { () async throws -> Value in try await work(departure) }
    } onCancel: {
        departure.come()
    }
}
