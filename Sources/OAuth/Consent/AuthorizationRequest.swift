package import CurlTransport
internal import PlugCore

/// What a person's browser is sent to a service with, to consent (RFC 6749, section 4.1.1).
package struct AuthorizationRequest: Sendable {
    /// Where the person consents; a query that it has stays.
    package var endpoint: HTTPURL
    /// The client's id.
    package var clientID: String
    /// Where the service sends the browser back.
    package var redirectURI: String
    /// What is asked for.
    package var scopes: [String]
    /// What separates two scopes.
    package var separator: String
    /// Parameters beside those of the protocol. One of the same name takes the place of the protocol's, except for those that
    /// the answer is checked with.
    package var parameters: [Parameter]
    /// Whether the consent is bound to plughost by a proof key.
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
        // Spaces as %20 and not as +: browsers and people copy this address.
        let query = all.map { "\(HTTPURL.percentEncode($0.name))=\(HTTPURL.percentEncode($0.value))" }
        return endpoint.with(query: ([endpoint.query].compactMap { $0 } + query).joined(separator: "&"))
    }
}
