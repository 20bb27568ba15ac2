import CurlTransport
import PlugCore
import Synchronization

/// The memory that answers kept for several readers may take, across all runs of a process.
package final class AnswerRoom: Sendable {
    /// The default total.
    package static let defaultTotal = 16 << 20
    /// What an answer takes while it is kept, per byte of its body: the byte itself, and eight for the offset of a value, as
    /// every byte may start one.
    private static let factor = 9
    /// What it takes besides its body, its address and its headers.
    private static let overhead = 1 << 10
    /// What a header takes besides its text.
    private static let headerOverhead = 64

    private let free: Mutex<Int>

    /// - Parameter total: In bytes.
    package init(total: Int = defaultTotal) { free = Mutex(max(0, total)) }

    /// Takes room for an answer; `nil` if there is none, and the answer is not kept.
    func take(for answer: Answer, to request: PreparedRequest) -> Int? {
        let headers = answer.headers.fields + request.headers
        let texts = headers.reduce(2 * request.url.description.utf8.count + (request.body?.count ?? 0)) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + Self.headerOverhead
        }
        let (body, overflows) = answer.cost.bytes.multipliedReportingOverflow(by: Self.factor)
        return overflows ? nil : take(Self.overhead + texts + body)
    }

    /// Takes `size` bytes; `nil` if there are not that many.
    func take(_ size: Int) -> Int? {
        free.withLock { free in
            guard free >= size else { return nil }
            free -= size
            return size
        }
    }

    /// Returns bytes taken earlier.
    func give(back size: Int) { free.withLock { $0 += size } }
}
