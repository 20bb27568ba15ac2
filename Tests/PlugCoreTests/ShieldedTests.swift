import PlugCore
import TestKit
import Testing

struct ShieldedTests {
    @Test func workDoesNotHearThatItsCallerIsCancelled() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return [Task.isCancelled, try await shielded { Task.isCancelled }]
        }
        #expect(try await task.value == [true, false])
    }

    /// Otherwise a simulation would run on two threads.
    @Test func workRunsWhereItsCallerPrefersTo() async throws {
        let thread = OneThread()
        let isThere = try await withTaskExecutorPreference(thread) {
            try await shielded { withUnsafeCurrentTask { $0?.unownedTaskExecutor } == thread.asUnownedTaskExecutor() }
        }
        #expect(isThere)
    }
}
