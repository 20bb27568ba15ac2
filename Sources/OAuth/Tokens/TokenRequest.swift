package import CurlTransport
package import PlugCore

/// A request for an access token.
package struct TokenRequest: Sendable {
    /// What the client shows for the token: the grant types of the standards.
    package enum Proof: Sendable, Equatable {
        /// A code that a person's consent gave (RFC 6749, section 4.1.3), the redirect URI of that request, and the
        /// verifier of its proof key (RFC 7636, section 4.5), where it had one.
        case code(Secret, redirectURI: String, verifier: Secret?)
        /// A refresh token (RFC 6749, section 6).
        case refreshToken(Secret)
        /// Nothing but itself (RFC 6749, section 4.4).
        case client
        /// A signed statement that stands for a person (RFC 7523, section 2.1).
        case assertion(Secret)
        /// The code of a device (RFC 8628, section 3.4).
        case deviceCode(Secret)
    }

    /// What is shown.
    package var proof: Proof
    /// The scopes that are asked for, as one text; `nil` for those of the proof.
    package var scope: String?
    /// Who asks.
    package var client: ClientIdentity
    /// Whom.
    package var endpoint: TokenEndpoint

    /// A request.
    package init(_ proof: Proof, scope: String? = nil, by client: ClientIdentity, at endpoint: TokenEndpoint) {
        self.proof = proof
        self.scope = scope
        self.client = client
        self.endpoint = endpoint
    }

    /// The parameters of the protocol, without those of the client.
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

    /// What is sent.
    ///
    /// - Parameter total: How long it may take, all of it.
    package func httpRequest(within total: Duration = .seconds(60)) -> HTTPRequest {
        endpoint.request(parameters, by: client, within: total)
    }

    /// What no message about its answer may quote.
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
