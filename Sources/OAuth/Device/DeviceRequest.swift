package import CurlTransport

/// Requests a code that the person types on another device (RFC 8628, section 3.1).
package struct DeviceRequest: Sendable {
    /// The requested scopes, as one text; `nil` for the service's default.
    package var scope: String?
    /// The requesting client.
    package var client: ClientIdentity
    /// The endpoint to send it to.
    package var endpoint: TokenEndpoint

    /// A request.
    package init(scope: String? = nil, by client: ClientIdentity, at endpoint: TokenEndpoint) {
        self.scope = scope
        self.client = client
        self.endpoint = endpoint
    }

    /// The request to send. The client's id is a parameter here even if it authenticates with a header.
    package func httpRequest(within total: Duration = .seconds(60)) -> HTTPRequest {
        var parameters = client.place == .basic ? [Parameter("client_id", client.id)] : []
        if let scope, !scope.isEmpty { parameters.append(Parameter("scope", scope)) }
        return endpoint.request(parameters, by: client, within: total)
    }
}
