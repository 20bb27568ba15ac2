import CurlTransport
import PlugCore
import Synchronization

/// Answers from a conversation as a service does: each exchange in turn, and the last one that fits repeatedly. One request may
/// be interrupted.
final class ServedTransport: HTTPSending {
    private struct State {
        var matcher: ExchangeMatcher
        var count = 0
    }

    private let state: Mutex<State>
    private let interruptedAt: Int?

    /// - Parameter interruptedAt: The number of the request that gets no answer, from 0.
    init(_ cassette: Cassette, interruptedAt: Int? = nil) {
        state = Mutex(State(matcher: ExchangeMatcher(cassette)))
        self.interruptedAt = interruptedAt
    }

    /// The number of requests made.
    var count: Int { state.withLock { $0.count } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let asked = try AskedRequest(request)
        let answer = state.withLock { state -> Result<Cassette.Exchange, PlugError>? in
            defer { state.count += 1 }
            return state.count == interruptedAt ? nil : state.matcher.serve(asked)
        }
        switch answer {
        case nil: throw HTTPError(.cancelled, "the request was cancelled")
        case .success(let exchange): return HTTPResponse(exchange, asked.url)
        case .failure(let error): throw HTTPError(.replayMismatch, error.message)
        }
    }
}
