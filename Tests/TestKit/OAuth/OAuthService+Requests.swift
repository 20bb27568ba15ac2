internal import Cryptography
internal import LosslessJSON
internal import PlugCore

extension OAuthService {
    /// A request as it came.
    package struct Request: Sendable {
        /// The method.
        package var method: String
        /// Path and query.
        package var target: String
        /// The header `Authorization`.
        package var authorization: String?
        /// The header `Content-Type`.
        package var contentType: String?
        /// The body.
        package var body: String

        /// A request.
        package init(
            method: String,
            target: String,
            authorization: String? = nil,
            contentType: String? = nil,
            body: String = ""
        ) {
            self.method = method
            self.target = target
            self.authorization = authorization
            self.contentType = contentType
            self.body = body
        }

        var path: Substring { target.prefix { $0 != "?" } }

        /// The parameters of the query, and of a body that is a form or a JSON object.
        var parameters: [String: String] {
            var parameters: [String: String] = [:]
            for field in FormText.decode(target.dropFirst(path.count + 1)) ?? [] {
                parameters[field.name] = field.value
            }
            if contentType?.hasPrefix("application/json") == true {
                for member in (try? JSONValue(parsing: body))?.object?.members ?? [] {
                    parameters[member.key.text] = member.value.stringText
                }
            } else {
                for field in FormText.decode(body) ?? [] { parameters[field.name] = field.value }
            }
            return parameters
        }
    }

    /// What a request gets.
    package enum Answer: Sendable, Equatable {
        /// An answer.
        case whole(status: Int, headers: [String], body: String)
        /// The end of the connection.
        case reset
        /// Nothing, until the client has enough.
        case none
    }

    /// Answers a request.
    package mutating func answer(_ request: Request) -> Answer {
        switch (request.method, request.path) {
        case ("GET", "/authorize"): authorize(request.parameters)
        case ("POST", "/device"): device(request)
        case ("POST", "/token"): token(request)
        case ("POST", "/revoke"): revoke(request)
        case ("GET", "/me"): read(request) { #"{"name":"ann","scope":"\#($0)"}"# }
        case ("GET", "/items"): read(request) { _ in #"[{"id":1,"name":"one"},{"id":2,"name":"two"}]"# }
        default: Self.json(404, #"{"error":"not_found"}"#)
        }
    }

    static func json(_ status: Int, _ body: String, _ headers: [String] = []) -> Answer {
        .whole(
            status: status,
            headers: ["Content-Type: application/json", "Cache-Control: no-store"] + headers,
            body: body
        )
    }

    static func error(_ code: String, status: Int = 400) -> Answer {
        json(status, #"{"error":"\#(code)","error_description":"told by the test"}"#)
    }

    /// Whether a request has the client's proof, at the right place and nowhere else.
    func isClient(_ request: Request) -> Bool {
        let parameters = request.parameters
        if wantsBasic {
            let pair = FormText.encode(client.id) + ":" + FormText.encode(client.secret ?? "")
            return request.authorization == "Basic " + Base64.encoded(Array(pair.utf8))
                && parameters["client_secret"] == nil
        }
        return request.authorization == nil && parameters["client_id"] == client.id
            && parameters["client_secret"] == client.secret
    }

    private mutating func read(_ request: Request, _ body: (_ scope: String) -> String) -> Answer {
        guard let header = request.authorization, header.hasPrefix("Bearer "),
            let scope = live[String(header.dropFirst("Bearer ".count))]
        else { return .whole(status: 401, headers: ["WWW-Authenticate: Bearer error=\"invalid_token\""], body: "") }
        reads += 1
        return Self.json(200, body(scope))
    }

    private mutating func revoke(_ request: Request) -> Answer {
        guard isClient(request) else { return Self.error("invalid_client", status: 401) }
        let token = request.parameters["token"] ?? ""
        live[token] = nil
        if let consent = refreshTokens[token]?.consent { end(consent) }
        return Self.json(200, "")
    }

    /// Ends what one consent gave.
    mutating func end(_ consent: Int) {
        for (token, value) in refreshTokens where value.consent == consent { refreshTokens[token]?.isUsed = true }
        live = live.filter { !$0.key.hasPrefix("access\(consent)-") }
    }
}
