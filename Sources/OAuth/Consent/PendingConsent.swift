internal import Cryptography
package import CurlTransport
package import LosslessJSON
package import PlugCore

/// A consent that was requested and not yet answered: it accepts one answer, within a few minutes.
package struct PendingConsent: AnsweredConsent {
    /// How long one begun at a terminal waits.
    package static let lifetime = Duration.seconds(300)

    /// The address that the person opens.
    package let url: HTTPURL
    /// Where the answer arrives.
    package let redirectURI: String
    /// The deadline for an answer, in microseconds since 1970.
    package let ends: Int64
    /// Ties the answer to this request: 256 random bits.
    package let state: Secret
    private let key: ProofKey?
    private let endpoint: HTTPURL
    /// The issuer that answers, if known beforehand (RFC 8414).
    private let issuer: String?
    private var isOver = false

    /// Whether an answer is still awaited.
    package var isOpen: Bool { !isOver }

    /// Begins a consent.
    ///
    /// - Parameters:
    ///   - issuer: The service's issuer identifier, which an answer's `iss` must match; `nil` if unknown.
    ///   - lifetime: How long it waits.
    ///   - now: Microseconds since 1970.
    package init(
        _ request: AuthorizationRequest,
        issuer: String? = nil,
        lifetime: Duration = Self.lifetime,
        now: Int64
    ) {
        let text = SecureRandom.base64URL(bytes: 32)
        state = Secret(text)
        key = request.usesProofKey ? ProofKey() : nil
        url = request.url(state: text, key)
        redirectURI = request.redirectURI
        endpoint = request.endpoint
        self.issuer = issuer
        let (end, overflows) = now.addingReportingOverflow(lifetime.wholeMicroseconds)
        ends = overflows ? .max : end
    }

    /// Reads the query with which the browser came back.
    ///
    /// A foreign answer does not end the consent: anyone on this machine can send one, and the right one may still come.
    ///
    /// - Returns: The proof to present to the token endpoint.
    /// - Throws: `ConsentFailure`. The consent is over unless that is `isForeign`.
    package mutating func answer(
        _ query: String,
        now: Int64,
        hiding hidden: HiddenTexts = HiddenTexts()
    ) throws(ConsentFailure) -> TokenRequest.Proof {
        guard !isOver else { throw ConsentFailure(.used) }
        guard let fields = FormText.decode(query), Set(fields.map(\.name)).count == fields.count else {
            throw ConsentFailure(.foreign)
        }
        let parameters = Dictionary(uniqueKeysWithValues: fields)
        guard let given = parameters["state"], ConstantTime.areEqual(Array(given.utf8), Array(state.reveal().utf8))
        else {
            throw ConsentFailure(.foreign)
        }
        isOver = true
        guard now < ends else { throw ConsentFailure(.late) }
        if let given = parameters["iss"], !isIssuer(given) { throw ConsentFailure(.otherIssuer) }
        if let error = parameters["error"] {
            let told = ToldError(code: error, detail: parameters["error_description"])
            throw ConsentFailure(error == "access_denied" ? .denied : .refused(told.sentence(hidden)))
        }
        guard let code = parameters["code"], !code.isEmpty else { throw ConsentFailure(.noCode) }
        return .code(Secret(code), redirectURI: redirectURI, verifier: key?.verifier)
    }

    // MARK: - Between processes

    /// The form in which a store keeps it, so that another process can read the answer. Only to be encrypted.
    package var content: JSONValue {
        .members(
            ("url", .text(url.description)),
            ("redirect_uri", .text(redirectURI)),
            ("ends", .number(JSONNumber(ends))),
            ("state", .text(state.reveal())),
            ("verifier", key.map { .text($0.verifier.reveal()) } ?? .null),
            ("endpoint", .text(endpoint.description)),
            ("issuer", issuer.map { .text($0) } ?? .null)
        )
    }

    /// Reads `content`; `nil` for anything else.
    package init?(content: JSONValue) {
        guard let url = content["url"]?.stringText.flatMap({ try? HTTPURL($0) }),
            let endpoint = content["endpoint"]?.stringText.flatMap({ try? HTTPURL($0) }),
            let redirectURI = content["redirect_uri"]?.stringText, let ends = content["ends"]?.number?.int64,
            let state = content["state"]?.stringText
        else { return nil }
        (self.url, self.endpoint, self.redirectURI, self.ends) = (url, endpoint, redirectURI, ends)
        self.state = Secret(state)
        key = content["verifier"]?.stringText.map { ProofKey(verifier: $0) }
        issuer = content["issuer"]?.stringText
    }

    /// The state in the query with which a browser came back, which identifies the consent; `nil` if there is none, or more than
    /// one.
    package static func state(in query: String) -> Secret? {
        let states = (FormText.decode(query) ?? []).filter { $0.name == "state" }
        return states.count == 1 && !states[0].value.isEmpty ? Secret(states[0].value) : nil
    }

    /// Whether an answer's `iss` is the service that was asked (RFC 9207, section 2.4). If the issuer is unknown, it must be the
    /// endpoint's host, or one of the two hosts must be a parent domain of the other.
    private func isIssuer(_ given: String) -> Bool {
        if let issuer { return given == issuer }
        guard let host = (try? HTTPURL(given))?.host else { return false }
        return host == endpoint.host || host.hasSuffix(".\(endpoint.host)") || endpoint.host.hasSuffix(".\(host)")
    }
}
