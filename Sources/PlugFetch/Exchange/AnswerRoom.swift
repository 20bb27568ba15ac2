import Synchronization

/// The memory that answers kept for several readers may take, in all runs of a process together.
package final class AnswerRoom: Sendable {
    /// What they may take unless it is said otherwise.
    package static let usualTotal = 16 << 20
    /// What an answer takes while it is kept, for each byte of its body: the body, and what begins where in it.
    private static let factor = 4

    private let free: Mutex<Int>

    /// - Parameter total: In bytes.
    package init(total: Int = usualTotal) { free = Mutex(max(0, total)) }

    /// Takes room for an answer; `nil` where there is none, and the answer is not kept.
    func take(forBody bytes: Int) -> Int? {
        let (size, overflows) = bytes.multipliedReportingOverflow(by: Self.factor)
        guard !overflows else { return nil }
        return free.withLock { free in
            guard free >= size else { return nil }
            free -= size
            return size
        }
    }

    /// Gives it back.
    func give(back size: Int) { free.withLock { $0 += size } }
}
