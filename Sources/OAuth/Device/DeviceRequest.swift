package import CurlTransport

/// Asks for a code that the person types on another device (RFC 8628, section 3.1).
package struct DeviceRequest: Sendable {
    /// What is asked for, as one text; `nil` for nothing in particular.
    package var scope: String?
    /// Who asks.
    package var client: ClientIdentity
    /// Whom.
    package var endpoint: TokenEndpoint

    /// A request.
    package init(scope: String? = nil, by client: ClientIdentity, at endpoint: TokenEndpoint) {
        self.scope = scope
        self.client = client
        self.endpoint = endpoint
    }

    /// What is sent. The client's id is a parameter here also where its proof is a header.
    package func httpRequest(within total: Duration = .seconds(60)) -> HTTPRequest {
        var parameters = client.place == .basic ? [Parameter("client_id", client.id)] : []
        if let scope, !scope.isEmpty { parameters.append(Parameter("scope", scope)) }
        return endpoint.request(parameters, by: client, within: total)
    }
}
