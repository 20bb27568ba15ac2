internal import PlugFetch
internal import Synchronization

/// How many requests a run has sent for each stream, including those that produced no page: only pages carry their cost.
final class RequestTally: Sendable {
    private let sent = Mutex<[String: Int]>([:])

    /// Counts a request that was sent.
    func note(_ event: FetchEvent) {
        switch event.kind {
        case .answered, .unanswered: sent.withLock { $0[event.stream, default: 0] += 1 }
        case .waiting, .warning: break
        }
    }

    /// The number of requests of a stream.
    func count(of stream: String) -> Int { sent.withLock { $0[stream] ?? 0 } }
}
