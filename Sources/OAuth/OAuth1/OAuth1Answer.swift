internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import Throttling

/// A response of a service with OAuth 1.0a: a form, read strictly.
enum OAuth1Answer {
    /// What was requested.
    enum Question {
        /// Temporary credentials.
        case temporary
        /// The credentials of a consent.
        case token
    }

    /// Reads credentials from a response.
    ///
    /// - Throws: `TokenFailure`, which quotes none of them.
    static func read(
        _ response: HTTPResponse,
        to question: Question,
        now: Int64,
        _ hidden: HiddenTexts
    ) throws(TokenFailure) -> OAuth1Credentials {
        let status = response.status
        func failure(_ kind: TokenFailure.Kind, _ reason: String) -> TokenFailure {
            TokenFailure(kind, reason, status: status)
        }
        let fields = fields(of: response)
        if let problem = problem(fields, response) {
            let told = ToldError(code: problem, detail: fields?["oauth_problem_advice"])
            let kind = Self.kind(of: problem, status, response, now: now)
            throw TokenFailure(kind, told, hidden, status: status)
        }
        if let kind = Self.kind(of: status, question, response, now: now) { throw failure(kind, reason(status)) }
        guard let fields else { throw failure(.unreadable, "it is not a form that can be read") }
        guard let token = fields["oauth_token"], isToken(token), !token.isEmpty else {
            throw failure(.unusable, "it has no 'oauth_token' that can be used")
        }
        guard let secret = fields["oauth_token_secret"], isToken(secret) else {
            throw failure(.unusable, "it has no 'oauth_token_secret' that can be used")
        }
        // Without this the service speaks OAuth 1.0, where another person's consent can be slipped in.
        if question == .temporary, fields["oauth_callback_confirmed"]?.lowercased() != "true" {
            throw failure(.unusable, "it does not confirm where the browser comes back to ('oauth_callback_confirmed')")
        }
        return OAuth1Credentials(token: Secret(token), secret: Secret(secret))
    }

    /// Longer than any token.
    private static let tokenLimit = 4096

    private static func isToken(_ text: String) -> Bool {
        text.utf8.count <= tokenLimit && text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// The fields of a form; `nil` if the body is not one, or a name occurs twice.
    private static func fields(of response: HTTPResponse) -> [String: String]? {
        let bytes = response.body.withBytes { $0.count <= OAuth1Endpoint.answerLimit ? Array($0) : nil }
        guard let bytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        // Some services end the form with a line break.
        let end = text.lastIndex { $0 != "\n" && $0 != "\r" && $0 != "\r\n" }
        guard let end, let fields = FormText.decode(text[...end]), Set(fields.map(\.name)).count == fields.count else {
            return nil
        }
        return Dictionary(uniqueKeysWithValues: fields)
    }

    /// The name of a problem (the extension "OAuth Problem Reporting"), from the body or from its header.
    private static func problem(_ fields: [String: String]?, _ response: HTTPResponse) -> String? {
        if let problem = fields?["oauth_problem"] { return problem }
        guard let header = response.headers.first("www-authenticate"),
            let found = header.firstRange(of: "oauth_problem=\"")
        else { return nil }
        return String(header[found.upperBound...].prefix { $0 != "\"" })
    }

    private static func kind(
        of problem: String,
        _ status: Int,
        _ response: HTTPResponse,
        now: Int64
    ) -> TokenFailure.Kind {
        switch problem {
        case "permission_denied", "user_refused": return .denied
        case "consumer_key_unknown", "consumer_key_rejected", "consumer_key_refused", "signature_invalid",
            "signature_method_rejected":
            return .wrongClient
        case "consumer_key_temporarily_refused": return passing(status, response, now: now)
        default: return isFailing(status) ? passing(status, response, now: now) : .refused
        }
    }

    /// What a status alone means; `nil` if the response may contain credentials.
    private static func kind(
        of status: Int,
        _ question: Question,
        _ response: HTTPResponse,
        now: Int64
    ) -> TokenFailure.Kind? {
        switch status {
        case 200..<300: nil
        case _ where isFailing(status): passing(status, response, now: now)
        case 300..<400, 404, 405, 410: .misdirected
        // Only the consumer is involved in the first request.
        case 401, 403: question == .temporary ? .wrongClient : .refused
        default: .refused
        }
    }

    private static func isFailing(_ status: Int) -> Bool { status == 429 || status == 408 || status >= 500 }

    private static func passing(_ status: Int, _ response: HTTPResponse, now: Int64) -> TokenFailure.Kind {
        .passing(after: RequestedWait.asked(by: response.headers, isLimit: status == 429, now: now))
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 300..<400: "it redirects, and plughost never follows with a signature"
        case 404, 405, 410: "nothing there issues tokens"
        case 429: "it gets too many requests"
        case 500...: "the service is failing"
        default: "it refuses without saying why"
        }
    }
}
