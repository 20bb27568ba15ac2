import CurlTransport
import PlugCore
import Synchronization

/// The memory that answers kept for several readers may take, in all runs of a process together.
package final class AnswerRoom: Sendable {
    /// What they may take unless it is said otherwise.
    package static let usualTotal = 16 << 20
    /// What an answer takes while it is kept, for each byte of its body: the body, and eight bytes for where a value begins in it,
    /// of which each byte may be one.
    private static let factor = 9
    /// What it takes beside its body, its address and its headers.
    private static let overhead = 1 << 10
    /// What a header takes beside its texts.
    private static let headerOverhead = 64

    private let free: Mutex<Int>

    /// - Parameter total: In bytes.
    package init(total: Int = usualTotal) { free = Mutex(max(0, total)) }

    /// Takes room for an answer; `nil` where there is none, and the answer is not kept.
    func take(for answer: Answer, to request: PreparedRequest) -> Int? {
        let headers = answer.headers.fields + request.headers
        let texts = headers.reduce(2 * request.url.description.utf8.count + (request.body?.count ?? 0)) {
            $0 + $1.name.utf8.count + $1.value.utf8.count + Self.headerOverhead
        }
        let (body, overflows) = answer.cost.bytes.multipliedReportingOverflow(by: Self.factor)
        return overflows ? nil : take(Self.overhead + texts + body)
    }

    /// Takes so many bytes; `nil` where there are not so many.
    func take(_ size: Int) -> Int? {
        free.withLock { free in
            guard free >= size else { return nil }
            free -= size
            return size
        }
    }

    /// Gives it back.
    func give(back size: Int) { free.withLock { $0 += size } }
}
