internal import Synchronization
internal import Testing

@testable internal import PlugHostCLI

@Suite("What a command opens is lent")
struct LendingTests {
    private struct Failure: Error, Equatable {}

    /// What happens to something that is lent, in its order.
    private final class Diary: Sendable {
        private let lines = Mutex<[String]>([])
        var text: [String] { lines.withLock { $0 } }
        func note(_ line: String) { lines.withLock { $0.append(line) } }
    }

    @Test("it is closed when the work has ended")
    func closesAfterTheWork() async {
        let diary = Diary()
        let result = await lend(diary, closing: { $0.note("closed") }) { diary in
            diary.note("used")
            return 7
        }
        #expect(result == 7)
        #expect(diary.text == ["used", "closed"])
    }

    @Test("it is closed when the work fails, and the error comes out")
    func closesAfterAnError() async {
        let diary = Diary()
        await #expect(throws: Failure()) {
            try await lend(diary, closing: { $0.note("closed") }) { _ in throw Failure() }
        }
        #expect(diary.text == ["closed"])
    }

    @Test("it is closed in a task that was cancelled")
    func closesInACancelledTask() async {
        let diary = Diary()
        let task = Task {
            try await lend(diary, closing: { $0.note("closed") }) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                try Task.checkCancellation()
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(diary.text == ["closed"])
    }
}
