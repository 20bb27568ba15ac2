internal import CurlTransport
internal import LosslessJSON
internal import Synchronization

/// A request that was sent to a source, and its result.
struct RecordedExchange: Sendable {
    var request: HTTPRequest
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]
}

/// Sends requests, and keeps those to a source with their answers, in order. Unanswered ones are not kept: they cannot be
/// replayed.
final class RecordingTransport: HTTPSending {
    private struct State {
        var exchanges: [RecordedExchange] = []
        var bytes = 0
        var isFull = false
    }

    /// The maximum size of all answers in bytes: a fixture is a file that people read.
    static let limit = 8 << 20
    private let inner: any HTTPSending
    private let state = Mutex(State())

    init(_ inner: any HTTPSending) { self.inner = inner }

    /// The exchanges kept.
    var exchanges: [RecordedExchange] { state.withLock { $0.exchanges } }
    /// Whether there was more than can be kept.
    var isFull: Bool { state.withLock { $0.isFull } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        // Streamed bodies would otherwise be on the disk, from where they cannot be kept.
        var sent = request
        sent.spooling = nil
        if request.spooling != nil { (sent.bodyLimit, sent.wireLimit) = (Self.limit, Self.limit) }
        let response = try await inner.send(sent)
        guard request.side == .source else { return response }
        let exchange = RecordedExchange(
            request: request,
            status: response.status,
            headers: response.headers,
            body: response.body.withBytes { Array($0) }
        )
        state.withLock { state in
            state.bytes += exchange.body.count
            if state.bytes > Self.limit { state.isFull = true } else { state.exchanges.append(exchange) }
        }
        return response
    }
}
