package import CurlTransport
package import PlugCore

/// Takes back what a consent gave (RFC 7009).
package struct TokenRevocation: Sendable {
    /// What is taken back.
    package enum Kind: String, Sendable {
        /// The consent with all of its tokens.
        case refreshToken = "refresh_token"
        /// One token.
        case accessToken = "access_token"
    }

    private let token: Secret
    private let kind: Kind
    private let client: ClientIdentity
    private let endpoint: TokenEndpoint

    /// A request.
    package init(_ token: Secret, _ kind: Kind, by client: ClientIdentity, at endpoint: TokenEndpoint) {
        (self.token, self.kind, self.client, self.endpoint) = (token, kind, client, endpoint)
    }

    /// What is sent.
    ///
    /// - Parameter total: How long it may take, all of it.
    package func httpRequest(within total: Duration) -> HTTPRequest {
        let parameters = [Parameter("token", token.reveal()), Parameter("token_type_hint", kind.rawValue)]
        return endpoint.request(parameters, by: client, within: total)
    }
}
