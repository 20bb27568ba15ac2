package import Foundation

/// Does something that blocks on a thread of its own: of the threads that tasks share there is one for each core.
package func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

extension Process {
    /// Starts the program, and tells of its end without a thread that waits for it.
    ///
    /// - Returns: A stream without elements, which ends with the process.
    package func startTellingOfItsEnd() throws -> AsyncStream<Void> {
        let (ended, tell) = AsyncStream<Void>.makeStream()
        terminationHandler = { _ in tell.finish() }
        try run()
        return ended
    }

    /// Runs the program to its end.
    ///
    /// - Returns: Its status, or the number of the signal that ended it.
    package func runToItsEnd() async throws -> Int32 {
        for await _ in try startTellingOfItsEnd() {}
        return terminationStatus
    }
}
