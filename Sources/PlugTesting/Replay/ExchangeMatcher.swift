import CurlTransport
import LosslessJSON
import PlugCore

/// A request in the form in which it is compared.
struct AskedRequest {
    var method: String
    var url: HTTPURL
    var headers: HTTPHeaders
    var body: [UInt8]?
    /// Whether the body is a form: the order of its fields is not significant.
    var isForm: Bool

    init(method: String, url: HTTPURL, headers: HTTPHeaders, body: [UInt8]?) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        isForm = headers.first("content-type")?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
    }

    /// - Throws: as `HTTPURL` does.
    init(_ request: HTTPRequest) throws(HTTPError) {
        let url = try HTTPURL(request.url)
        self.init(method: request.method, url: url, headers: HTTPHeaders(request.headers), body: request.body)
    }
}

/// Finds the exchange that answers a request, each used once, and names the nearest if none does.
struct ExchangeMatcher {
    private let cassette: Cassette
    private var isUsed: [Bool]

    init(_ cassette: Cassette) {
        self.cassette = cassette
        isUsed = cassette.exchanges.map { _ in false }
    }

    /// The exchanges that have not been used yet.
    var unused: [Cassette.Exchange] { zip(cassette.exchanges, isUsed).filter { !$0.1 }.map(\.0) }

    /// Takes the first unused exchange that fits.
    mutating func take(_ asked: AskedRequest) -> Result<Cassette.Exchange, PlugError> {
        let requests = cassette.exchanges.map { ExchangeRequest($0) }
        let fits = requests.map { $0.differences(from: asked).isEmpty }
        if let index = fits.indices.first(where: { fits[$0] && !isUsed[$0] }) {
            isUsed[index] = true
            return .success(cassette.exchanges[index])
        }
        return .failure(mismatch(asked, requests, isSpent: fits.contains(true)))
    }

    /// As `take`, but if all matching exchanges are used, gives the last one again, as a server does.
    mutating func serve(_ asked: AskedRequest) -> Result<Cassette.Exchange, PlugError> {
        let result = take(asked)
        if case .success = result { return result }
        let again = cassette.exchanges.last { ExchangeRequest($0).differences(from: asked).isEmpty }
        return again.map { .success($0) } ?? result
    }

    /// As `serve`, but if none fits, gives the nearest exchange of those with the same path; `nil` if there is none.
    mutating func serveNearest(_ asked: AskedRequest) -> Cassette.Exchange? {
        if case .success(let exchange) = serve(asked) { return exchange }
        let near = cassette.exchanges.filter { $0.url.path == asked.url.path }
        return near.map { exchange in
            let request = ExchangeRequest(exchange)
            return (exchange, request.distance(from: asked), request.differingWords(from: asked))
        }.min { ($0.1, $0.2) < ($1.1, $1.2) }?.0
    }

    private func mismatch(_ asked: AskedRequest, _ requests: [ExchangeRequest], isSpent: Bool) -> PlugError {
        var message = "the plug requests \(asked.method) \(asked.url)"
        if isSpent {
            let times = requests.count { $0.differences(from: asked).isEmpty }
            message += " again; \(cassette.path) answers it \(times == 1 ? "once" : "\(times) times")"
            return error(message)
        }
        let unused = requests.indices.filter { !isUsed[$0] }
        let candidates = unused.isEmpty ? Array(requests.indices) : unused
        let nearest = candidates.min { requests[$0].distance(from: asked) < requests[$1].distance(from: asked) }
        guard let nearest else { return error(message + "; \(cassette.path) has no exchanges") }
        let exchange = cassette.exchanges[nearest]
        message += "\n    the nearest is \(exchange.method) \(exchange.url) (\(cassette.path):\(exchange.line))"
        for difference in requests[nearest].differences(from: asked) { message += "\n    \(difference)" }
        return error(message)
    }

    private func error(_ message: String) -> PlugError {
        PlugError(
            .fixtureMismatch,
            message,
            advice: "correct the manifest, or add the exchange to the fixture"
        )
    }
}
