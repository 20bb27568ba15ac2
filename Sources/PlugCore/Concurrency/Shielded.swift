/// Does some work to its end, also if the task that waits for it is cancelled: what must not stop half-way, such as the
/// exchange of something that works only once and the writing down of what it was exchanged for.
///
/// The task of its own is awaited at once, so that it never outlives its caller, and it runs where its caller prefers to run. The
/// work has a limit of time by itself.
package func shielded<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
    return try await Task(executorPreference: executor) { try await work() }.value
}

/// The same, with word of the cancellation: parts of the work that could take long, and are of no more use or begin anew like after a
/// crash, give up then.
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
