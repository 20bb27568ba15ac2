internal import Cryptography
package import CurlTransport
internal import PlugCore
internal import Signing

/// An endpoint of a service with OAuth 1.0a, and its parameters besides the protocol's.
package struct OAuth1Endpoint: Sendable, Equatable {
    /// The address. The transport refuses addresses that are not https outside the allowed networks.
    package var url: HTTPURL
    /// The service's own parameters: form fields in requests, query parameters if a browser goes there.
    package var parameters: [Parameter]

    /// No response is larger: it holds two texts.
    static let answerLimit = 64 << 10

    /// An endpoint.
    package init(_ url: HTTPURL, parameters: [Parameter] = []) { (self.url, self.parameters) = (url, parameters) }

    /// A signed POST (RFC 5849, sections 2.1 and 2.3). It is sent once, because its result is issued only once.
    ///
    /// - Parameters:
    ///   - own: Protocol parameters specific to this request.
    ///   - credentials: What signs the request besides the consumer's secret.
    ///   - now: Microseconds since 1970.
    ///   - total: How long it may take in all.
    func request(
        _ own: [(name: String, value: String)],
        by consumer: OAuth1Consumer,
        with credentials: OAuth1Credentials? = nil,
        now: Int64,
        within total: Duration
    ) throws(OAuth1Signer.Refused) -> HTTPRequest {
        let body = Array(FormText.encode(parameters.fields).utf8)
        let signable = SignableRequest(
            method: "POST",
            scheme: url.scheme,
            authority: String(url.origin.dropFirst(url.scheme.utf8.count + "://".utf8.count)),
            path: url.path,
            query: url.query,
            body: body,
            hasForm: true
        )
        var signer = consumer.signer
        if let credentials { signer = signer.with(token: credentials.token.reveal(), secret: credentials.secret) }
        let signed = try signer.parameters(
            for: signable,
            own,
            timestamp: now / 1_000_000,
            nonce: SecureRandom.base64URL(bytes: 16)
        )
        var request = HTTPRequest(
            method: "POST",
            url: url.description,
            headers: [
                HTTPHeader("Authorization", consumer.header(signed)),
                HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
            ],
            body: body,
            side: .source,
            timeouts: HTTPTimeouts(total: total),
            bodyLimit: Self.answerLimit,
            wireLimit: Self.answerLimit
        )
        request.isSentOnce = true
        request.issuesSecrets = true
        return request
    }
}
