package import CurlTransport
internal import LosslessJSON
internal import PlugCore

/// A service's token endpoint, and how to call it.
package struct TokenEndpoint: Sendable, Equatable {
    /// How parameters are sent.
    package enum Encoding: Sendable, Equatable {
        /// `application/x-www-form-urlencoded`, as in the standard.
        case form
        /// A JSON object of texts.
        case json
        /// In the query of the URL, with an empty body.
        case query
    }

    /// No token response is larger: it holds a few texts.
    package static let answerLimit = 1 << 20

    /// The address. The transport refuses addresses that are not https outside the allowed networks.
    package var url: HTTPURL
    /// How the parameters are sent.
    package var encoding: Encoding
    /// Parameters besides the protocol's. They replace protocol parameters of the same name.
    package var parameters: [Parameter]
    /// Headers besides the protocol's. They replace protocol headers of the same name.
    package var headers: [HTTPHeader]

    /// An endpoint.
    package init(
        _ url: HTTPURL,
        encoding: Encoding = .form,
        parameters: [Parameter] = [],
        headers: [HTTPHeader] = []
    ) {
        self.url = url
        self.encoding = encoding
        self.parameters = parameters
        self.headers = headers
    }

    /// A POST of these parameters and the endpoint's own by a client.
    ///
    /// It is sent once: only the caller may ask again for what can be issued only once.
    func request(_ protocolParameters: [Parameter], by client: ClientIdentity, within total: Duration) -> HTTPRequest {
        let parameters = (protocolParameters + client.parameters).replaced(by: parameters)
        // Old services respond with a form unless asked for JSON.
        var fields = [HTTPHeader("Accept", "application/json")]
        if let authorization = client.authorization {
            fields.append(HTTPHeader("Authorization", authorization.reveal()))
        }
        var url = url
        var body: [UInt8] = []
        switch encoding {
        case .form:
            fields.append(HTTPHeader("Content-Type", "application/x-www-form-urlencoded"))
            body = Array(FormText.encode(parameters.fields).utf8)
        case .json:
            fields.append(HTTPHeader("Content-Type", "application/json"))
            let members = parameters.map { (key: JSONString($0.name), value: JSONValue.text($0.value)) }
            JSONValue.object(JSONObject(members)).write(to: &body)
        case .query:
            url = url.with(
                query: [url.query, FormText.encode(parameters.fields)].compactMap { $0 }.joined(separator: "&")
            )
        }
        for header in headers {
            fields.removeAll { $0.name.lowercased() == header.name.lowercased() }
            fields.append(header)
        }
        var request = HTTPRequest(
            method: "POST",
            url: url.description,
            headers: fields,
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
