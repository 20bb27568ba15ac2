internal import PlugFetch
internal import Synchronization

/// What a run's pages do not say: how many requests it has sent for each stream, including those that produced no page, and which
/// streams have no entry in their archive.
final class RequestTally: Sendable {
    private let sent = Mutex<[String: Int]>([:])
    private let withoutEntries = Mutex<Set<String>>([])

    /// Counts a request that was sent.
    func note(_ event: FetchEvent) {
        switch event.kind {
        case .answered, .unanswered: sent.withLock { $0[event.stream, default: 0] += 1 }
        case .warning(.archiveLacksEntries, _): withoutEntries.withLock { _ = $0.insert(event.stream) }
        case .waiting, .warning: break
        }
    }

    /// Whether no entry of its archive is a stream's.
    func lacksEntries(_ stream: String) -> Bool { withoutEntries.withLock { $0.contains(stream) } }

    /// The number of requests of a stream.
    func count(of stream: String) -> Int { sent.withLock { $0[stream] ?? 0 } }
}
