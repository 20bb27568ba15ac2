package import CurlTransport
package import PlugCore

/// A request for an access token.
package struct TokenRequest: Sendable {
    /// What the client presents for the token: the standards' grant types.
    package enum Proof: Sendable, Equatable {
        /// The code from a person's consent (RFC 6749, section 4.1.3), the redirect URI of that request, and the verifier of its
        /// proof key (RFC 7636, section 4.5), if it had one.
        case code(Secret, redirectURI: String, verifier: Secret?)
        /// A refresh token (RFC 6749, section 6).
        case refreshToken(Secret)
        /// Only its own authentication (RFC 6749, section 4.4).
        case client
        /// A signed assertion on behalf of a person (RFC 7523, section 2.1).
        case assertion(Secret)
        /// A device code (RFC 8628, section 3.4).
        case deviceCode(Secret)
    }

    /// What is presented.
    package var proof: Proof
    /// The requested scopes, as one text; `nil` for those of the proof.
    package var scope: String?
    /// The requesting client.
    package var client: ClientIdentity
    /// The endpoint to send it to.
    package var endpoint: TokenEndpoint

    /// A request.
    package init(_ proof: Proof, scope: String? = nil, by client: ClientIdentity, at endpoint: TokenEndpoint) {
        self.proof = proof
        self.scope = scope
        self.client = client
        self.endpoint = endpoint
    }

    /// The protocol's parameters, without the client's.
    var parameters: [Parameter] {
        var parameters: [Parameter]
        switch proof {
        case .code(let code, let redirectURI, let verifier):
            parameters = [
                Parameter("grant_type", "authorization_code"), Parameter("code", code.reveal()),
                Parameter("redirect_uri", redirectURI),
            ]
            if let verifier { parameters.append(Parameter("code_verifier", verifier.reveal())) }
        case .refreshToken(let token):
            parameters = [
                Parameter("grant_type", "refresh_token"), Parameter("refresh_token", token.reveal()),
            ]
        case .client: parameters = [Parameter("grant_type", "client_credentials")]
        case .assertion(let assertion):
            parameters = [
                Parameter("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                Parameter("assertion", assertion.reveal()),
            ]
        case .deviceCode(let code):
            parameters = [
                Parameter("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
                Parameter("device_code", code.reveal()),
            ]
        }
        if let scope, !scope.isEmpty { parameters.append(Parameter("scope", scope)) }
        return parameters
    }

    /// The request to send.
    ///
    /// - Parameter total: How long it may take in all.
    package func httpRequest(within total: Duration = .seconds(60)) -> HTTPRequest {
        endpoint.request(parameters, by: client, within: total)
    }

    /// What no message about its response may quote.
    package var hidden: [String] {
        var hidden = client.hidden
        switch proof {
        case .code(let code, _, let verifier): hidden += [code.reveal()] + (verifier.map { [$0.reveal()] } ?? [])
        case .refreshToken(let secret), .assertion(let secret), .deviceCode(let secret): hidden.append(secret.reveal())
        case .client: break
        }
        return hidden
    }
}
