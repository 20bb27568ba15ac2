internal import PlugCore
internal import Synchronization

/// Lets requests to a host in that was in trouble: one at a time at first, one more for each that it answers, and all after 64.
///
/// So a host that has come back after an hour is not asked at once by everybody who has waited for it.
final class SlowStart: Sendable {
    /// After so many answers nobody is kept waiting.
    private static let enough = 64
    /// More than can wait.
    private static let all = 1 << 30

    private let line = AsyncSemaphore(width: 1)
    private let answers = Mutex(0)

    /// Waits to be let in.
    ///
    /// - Returns: Whether it was; `false` where the task is cancelled.
    func enter() async -> Bool { (try? await line.enter()) != nil }

    /// Lets the next ones in.
    ///
    /// - Returns: Whether it is over.
    func leave(isAnswered: Bool) -> Bool {
        let count = answers.withLock { answers in
            if isAnswered { answers += 1 }
            return answers
        }
        let isOver = count >= Self.enough
        line.leave(isOver ? Self.all : isAnswered ? 2 : 1)
        return isOver
    }
}
