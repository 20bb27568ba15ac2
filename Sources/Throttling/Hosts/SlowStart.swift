internal import PlugCore
internal import Synchronization

/// Admits requests to a host that was in trouble: one at a time at first, one more for each that it answers, and all after 64.
///
/// So a host that comes back after an hour does not get all waiting requests at once.
final class SlowStart: Sendable {
    /// After this many answers no request has to wait.
    private static let enough = 64
    /// More than can wait.
    private static let all = 1 << 30

    private let line = AsyncSemaphore(width: 1)
    private let answers = Mutex(0)

    /// Waits for admission.
    ///
    /// - Returns: Whether it was admitted; `false` if the task is cancelled.
    func enter() async -> Bool { (try? await line.enter()) != nil }

    /// Admits the next requests.
    ///
    /// - Returns: Whether the slow start is over.
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
