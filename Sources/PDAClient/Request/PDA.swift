public import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// A personal data account's HTTP API for owners and apps.
///
/// Plugs do not deliver through it: what they are given can only append.
public struct PDA: Sendable {
    /// For example `https://alice.example`, without a path.
    public let origin: String
    let tokens: any PDATokens
    private let transport: any HTTPSending
    private let connections = ConnectionGroup()
    private let timeouts: HTTPTimeouts

    /// A client of one PDA.
    ///
    /// - Parameters:
    ///   - pda: Its origin (`https://alice.example`) or only its domain (`alice.example`, which means https).
    ///   - tokens: Supplies the token and keeps refreshed ones.
    ///   - transport: Sends the requests.
    ///   - timeouts: How long each part of a request may take.
    public init(
        _ pda: String,
        tokens: any PDATokens,
        transport: any HTTPSending,
        timeouts: HTTPTimeouts = HTTPTimeouts()
    ) {
        var origin = pda.contains("://") ? pda : "https://\(pda)"
        while origin.hasSuffix("/") { origin.removeLast() }
        self.origin = origin
        self.tokens = tokens
        self.transport = transport
        self.timeouts = timeouts
    }

    /// Makes a call once: nothing is retried and no redirect is followed.
    ///
    /// Source: the request of the public documentation (S1–S7). A token that the PDA returns is handed to the token source
    /// before this returns; if it is absent or empty, the old one stays. Tokens and passwords that the server repeats in an
    /// error are removed from it.
    ///
    /// - Returns: The outcome. 200–299 is a success and 400–599 a failure; see `PDAResult` for the rest.
    public func request(_ request: PDARequest) async -> PDAResult {
        do throws(PDAError) {
            let url = try self.url(of: request)
            let isOwn = (try? HTTPURL(origin))?.origin == url.origin
            let body = try RequestBody(request)
            var headers = request.headers
            if headers.first(where: { $0.isNamed("accept") }) == nil {
                headers.append(HTTPHeader("Accept", "application/json"))
            }
            if let type = body.contentType, headers.first(where: { $0.isNamed("content-type") }) == nil {
                headers.append(HTTPHeader("Content-Type", type))
            }
            var token: Secret?
            if request.sendsToken, isOwn, headers.first(where: { $0.isNamed(PDAHeader.token) }) == nil,
                let current = await tokens.current()
            {
                token = current
                headers.append(HTTPHeader(PDAHeader.token, current.reveal()))
            }
            let query = [url.query ?? "", body.query].filter { !$0.isEmpty }.joined(separator: "&")
            var sent = HTTPRequest(
                method: request.method,
                url: query.isEmpty ? url.withoutQuery : "\(url.withoutQuery)?\(query)",
                headers: headers,
                body: body.bytes,
                side: isOwn ? .pda : .source,
                timeouts: timeouts
            )
            sent.connections = connections
            let place = "\(request.method) \(url.withoutQuery)"
            let sentSecrets = Redaction(of: request, headers: headers, query: query, extra: [])
            let response = try await send(sent, sentSecrets.place(place))
            let redaction = Redaction(
                of: request,
                headers: headers,
                query: query,
                extra: response.headers.all(PDAHeader.token)
            )
            let answer = ResponseAnswer(response, to: request, place: place, redaction)
            if let token, let refreshed = answer.token { await tokens.refreshed(refreshed, of: token) }
            return answer.result
        } catch {
            return .failure(error: error, status: error.status, json: nil)
        }
    }

    private func url(of request: PDARequest) throws(PDAError) -> HTTPURL {
        guard request.url.hasPrefix("/") || request.url.contains("://") else {
            throw PDAError(.invalidRequest, "the call names neither a path nor a URL", advice: "begin a path with '/'")
        }
        do throws(HTTPError) {
            return try HTTPURL(request.url.hasPrefix("/") ? origin + request.url : request.url)
        } catch {
            throw PDAError(.invalidRequest, "the call's address is not an http or https URL (\(error.code))")
        }
    }

    private func send(_ request: HTTPRequest, _ place: String) async throws(PDAError) -> HTTPResponse {
        do throws(HTTPError) {
            return try await transport.send(request)
        } catch {
            throw PDAError(
                error.code == .cancelled ? .cancelled : .transport,
                "\(place) got no answer (\(error.code))",
                advice: error.mayHaveArrived ? "check whether it was done before you try again" : "try again",
                mayHaveArrived: error.mayHaveArrived
            )
        }
    }
}

extension HTTPHeader {
    func isNamed(_ other: String) -> Bool { HTTPHeaders([self]).first(other) != nil }
}
