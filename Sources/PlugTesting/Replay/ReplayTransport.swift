import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization

/// Answers requests from a cassette, each exchange once, in the file's order among equal requests.
///
/// A request that no remaining exchange matches gets an `HTTPError` `replay_mismatch`, which is never retried, and is kept in
/// `mismatch` with all its details.
final class ReplayTransport: HTTPSending {
    private struct State {
        var matcher: ExchangeMatcher
        var mismatch: PlugError?
    }

    private let cassette: Cassette
    private let state: Mutex<State>

    /// Begins at the cassette's first exchange.
    init(_ cassette: Cassette) {
        self.cassette = cassette
        state = Mutex(State(matcher: ExchangeMatcher(cassette)))
    }

    /// The first request that no exchange matched, along with the nearest one: `fixture-mismatch`, exit 1.
    var mismatch: PlugError? { state.withLock { $0.mismatch } }

    /// The exchanges that were not requested: `fixture-unasked`, exit 1; `nil` if all were.
    var unasked: PlugError? {
        let left = state.withLock { $0.matcher.unused }
        guard let first = left.first else { return nil }
        let more = left.count == 1 ? "" : " (and \(left.count - 1) more)"
        return PlugError(
            .fixtureUnasked,
            "\(cassette.path):\(first.line): the plug did not request \(first.method) \(first.url)\(more)",
            advice: "remove the exchange, or find out why the plug stops before it"
        )
    }

    /// Answers from the cassette.
    ///
    /// - Throws: `HTTPError` with the code `replay_mismatch` if no remaining exchange matches; as `HTTPURL` does.
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        if Task.isCancelled { throw HTTPError(.cancelled, "the request was cancelled") }
        let asked = try AskedRequest(request)
        let exchange = state.withLock { state -> Cassette.Exchange? in
            switch state.matcher.take(asked) {
            case .success(let exchange): return exchange
            case .failure(let error):
                state.mismatch = state.mismatch ?? error
                return nil
            }
        }
        guard let exchange else {
            throw HTTPError(.replayMismatch, "\(asked.url.hostAndPort): the fixture has no such exchange left")
        }
        return HTTPResponse(exchange, asked.url)
    }
}

extension HTTPResponse {
    /// The answer of an exchange.
    init(_ exchange: Cassette.Exchange, _ url: HTTPURL) {
        self.init(
            status: exchange.status,
            headers: HTTPHeaders(exchange.headers),
            body: JSONBuffer(exchange.body),
            receivedBytes: exchange.body.count,
            url: url.description
        )
    }
}

extension HTTPError.Code {
    /// A fixture has no exchange for a request.
    static let replayMismatch = HTTPError.Code("replay_mismatch")
}
