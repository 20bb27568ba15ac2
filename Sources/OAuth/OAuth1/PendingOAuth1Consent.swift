internal import Cryptography
package import CurlTransport
package import LosslessJSON
package import PlugCore

/// A consent with OAuth 1.0a that was requested and not yet answered (RFC 5849, section 2.2).
///
/// The temporary token ties the answer to the request. The service chooses it, so a caller that tells consents apart by it must
/// also know in which browser each was begun.
package struct PendingOAuth1Consent: AnsweredConsent {
    /// What the token request is made with.
    package struct Proof: Sendable, Equatable {
        /// The temporary credentials.
        package var temporary: OAuth1Credentials
        /// What the service gave the browser.
        package var verifier: Secret
    }

    /// The address that the person opens.
    package let url: HTTPURL
    /// Where the answer arrives.
    package let redirectURI: String
    /// The deadline for an answer, in microseconds since 1970.
    package let ends: Int64
    private let temporary: OAuth1Credentials
    private var isOver = false

    /// Whether an answer is still awaited.
    package var isOpen: Bool { !isOver }
    /// Ties the answer to this request.
    package var token: Secret { temporary.token }

    init(
        _ temporary: OAuth1Credentials,
        authorize: OAuth1Endpoint,
        redirectURI: String,
        lifetime: Duration,
        now: Int64
    ) {
        self.temporary = temporary
        self.redirectURI = redirectURI
        let fields = authorize.parameters.replaced(by: [Parameter("oauth_token", temporary.token.reveal())])
        let query = fields.map { "\(PercentEncoding.segment($0.name))=\(PercentEncoding.segment($0.value))" }
        url = authorize.url.with(query: ([authorize.url.query].compactMap { $0 } + query).joined(separator: "&"))
        let (end, overflows) = now.addingReportingOverflow(lifetime.wholeMicroseconds)
        ends = overflows ? .max : end
    }

    package mutating func answer(
        _ query: String,
        now: Int64,
        hiding hidden: HiddenTexts = HiddenTexts()
    ) throws(ConsentFailure) -> Proof {
        guard !isOver else { throw ConsentFailure(.used) }
        guard let given = Self.token(in: query),
            ConstantTime.areEqual(Array(given.reveal().utf8), Array(token.reveal().utf8)),
            let fields = FormText.decode(query), Set(fields.map(\.name)).count == fields.count
        else { throw ConsentFailure(.foreign) }
        let parameters = Dictionary(uniqueKeysWithValues: fields)
        isOver = true
        guard now < ends else { throw ConsentFailure(.late) }
        if parameters["denied"] != nil { throw ConsentFailure(.denied) }
        if let problem = parameters["oauth_problem"] {
            if ["permission_denied", "user_refused"].contains(problem) { throw ConsentFailure(.denied) }
            let told = ToldError(code: problem, detail: parameters["oauth_problem_advice"])
            throw ConsentFailure(.refused(told.sentence(hidden)))
        }
        guard let verifier = parameters["oauth_verifier"], !verifier.isEmpty else { throw ConsentFailure(.noCode) }
        return Proof(temporary: temporary, verifier: Secret(verifier))
    }

    /// The temporary token in the query with which a browser came back, which identifies the consent; `nil` if there is none, or
    /// more than one. Services name it `denied` if the person declined.
    package static func token(in query: String) -> Secret? {
        let tokens = (FormText.decode(query) ?? []).filter { $0.name == "oauth_token" || $0.name == "denied" }
        guard let first = tokens.first, !first.value.isEmpty, tokens.allSatisfy({ $0.value == first.value }) else {
            return nil
        }
        return Secret(first.value)
    }

    // MARK: - Between processes

    /// The form in which a store keeps it, so that another process can read the answer. Only to be encrypted.
    package var content: JSONValue {
        .members(
            ("url", .text(url.description)),
            ("redirect_uri", .text(redirectURI)),
            ("ends", .number(JSONNumber(ends))),
            ("token", .text(temporary.token.reveal())),
            ("secret", .text(temporary.secret.reveal()))
        )
    }

    /// Reads `content`; `nil` for anything else.
    package init?(content: JSONValue) {
        guard let url = content["url"]?.stringText.flatMap({ try? HTTPURL($0) }),
            let redirectURI = content["redirect_uri"]?.stringText, let ends = content["ends"]?.number?.int64,
            let token = content["token"]?.stringText, let secret = content["secret"]?.stringText
        else { return nil }
        (self.url, self.redirectURI, self.ends) = (url, redirectURI, ends)
        temporary = OAuth1Credentials(token: Secret(token), secret: Secret(secret))
    }
}
