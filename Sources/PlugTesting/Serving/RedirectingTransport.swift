package import CurlTransport

/// Sends every request that is meant for a source to one server instead, so that real sockets carry stored answers.
///
/// The request keeps its path and query; where it was meant to go travels in a `Forwarded` header (RFC 7239). The answer
/// says it came from there, so that links in it lead to the source again and through here to the server. No request
/// reaches a source: offline is offline. Requests to a PDA are sent as they are.
package struct RedirectingTransport: HTTPSending {
    private let inner: any HTTPSending
    private let origin: String

    /// - Parameters:
    ///   - inner: What sends; its policy must allow sources in the server's network.
    ///   - origin: `ReplayServer.origin`.
    package init(_ inner: any HTTPSending, toSourcesAt origin: String) {
        self.inner = inner
        self.origin = origin
    }

    /// Sends a request, to the server where it is meant for a source.
    ///
    /// - Throws: `HTTPError` as the inner transport does.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard request.side == .source else { return try await inner.send(request) }
        let url = try HTTPURL(request.url)
        let server = try HTTPURL(origin)
        var redirected = request
        redirected.url = server.origin + url.path + (url.query.map { "?\($0)" } ?? "")
        redirected.headers.append(HTTPHeader("Forwarded", Self.forwarded(url)))
        var response = try await inner.send(redirected)
        response.url = url.description
        return response
    }

    /// `host="api.example.org";proto=https`, the host with its port where that is not the scheme's own.
    static func forwarded(_ url: HTTPURL) -> String {
        "host=\"\(url.origin.dropFirst(url.scheme.count + 3))\";proto=\(url.scheme)"
    }
}
