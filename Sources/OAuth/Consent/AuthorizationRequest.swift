package import CurlTransport
internal import PlugCore

/// The authorisation request with which a person's browser is sent to a service (RFC 6749, section 4.1.1).
package struct AuthorizationRequest: Sendable {
    /// Where the person consents; any query it has is kept.
    package var endpoint: HTTPURL
    /// The client's id.
    package var clientID: String
    /// Where the service sends the browser back to.
    package var redirectURI: String
    /// The requested scopes.
    package var scopes: [String]
    /// The separator between scopes.
    package var separator: String
    /// Parameters besides the protocol's. They replace protocol parameters of the same name, except those with which the answer
    /// is checked.
    package var parameters: [Parameter]
    /// Whether a proof key binds the consent to plughost.
    package var usesProofKey: Bool

    /// A request.
    package init(
        endpoint: HTTPURL,
        clientID: String,
        redirectURI: String,
        scopes: [String] = [],
        separator: String = " ",
        parameters: [Parameter] = [],
        usesProofKey: Bool = true
    ) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.separator = separator
        self.parameters = parameters
        self.usesProofKey = usesProofKey
    }

    /// The address that the person opens.
    func url(state: String, _ key: ProofKey?) -> HTTPURL {
        var parameters = [
            Parameter("response_type", "code"), Parameter("client_id", clientID),
            Parameter("redirect_uri", redirectURI),
        ]
        if !scopes.isEmpty { parameters.append(Parameter("scope", scopes.joined(separator: separator))) }
        var checked = [Parameter("state", state)]
        if let key {
            checked += [Parameter("code_challenge", key.challenge), Parameter("code_challenge_method", "S256")]
        }
        let all = parameters.replaced(by: self.parameters).replaced(by: checked)
        // Spaces as %20 rather than +: browsers and people copy this address.
        let query = all.map { "\(PercentEncoding.segment($0.name))=\(PercentEncoding.segment($0.value))" }
        return endpoint.with(query: ([endpoint.query].compactMap { $0 } + query).joined(separator: "&"))
    }
}
