package import CurlTransport
package import PlugCore

/// Revokes what a consent gave (RFC 7009).
package struct TokenRevocation: Sendable {
    /// What is revoked.
    package enum Kind: String, Sendable {
        /// The consent with all its tokens.
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

    /// The request to send.
    ///
    /// - Parameter total: How long it may take in all.
    package func httpRequest(within total: Duration) -> HTTPRequest {
        let parameters = [Parameter("token", token.reveal()), Parameter("token_type_hint", kind.rawValue)]
        return endpoint.request(parameters, by: client, within: total)
    }
}
