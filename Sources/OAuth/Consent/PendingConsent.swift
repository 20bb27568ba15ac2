internal import Cryptography
package import CurlTransport
internal import PlugCore

/// A consent that was asked for and has not come back: it is good for one answer, and for five minutes.
package struct PendingConsent: Sendable {
    /// How long it waits.
    package static let lifetime = Duration.seconds(300)

    /// The address that the person opens.
    package let url: HTTPURL
    /// Where the answer comes to.
    package let redirectURI: String
    /// When it is too late for an answer, in microseconds since 1970.
    package let ends: Int64
    /// Ties the answer to this request: 256 random bits.
    private let state: String
    private let key: ProofKey?
    private let endpoint: HTTPURL
    /// Who answers, where that is known beforehand (RFC 8414).
    private let issuer: String?
    private var isOver = false

    /// Whether an answer is still waited for.
    package var isOpen: Bool { !isOver }

    /// Begins a consent.
    ///
    /// - Parameters:
    ///   - issuer: The service's issuer identifier, which an answer's `iss` must be; `nil` where it is not known.
    ///   - now: Microseconds since 1970.
    package init(_ request: AuthorizationRequest, issuer: String? = nil, now: Int64) {
        state = RandomText.make(bytes: 32)
        key = request.usesProofKey ? ProofKey() : nil
        url = request.url(state: state, key)
        redirectURI = request.redirectURI
        endpoint = request.endpoint
        self.issuer = issuer
        let (end, overflows) = now.addingReportingOverflow(Int64(Self.lifetime / .microseconds(1)))
        ends = overflows ? .max : end
    }

    /// Reads the query that the browser came back with.
    ///
    /// An answer to something else ends nothing: anybody on this machine can send one, and the right one may still come.
    ///
    /// - Returns: What the code's request shows to the token endpoint.
    /// - Throws: `ConsentFailure`. The consent is over unless it says `isForeign`.
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
        guard let given = parameters["state"], ConstantTime.areEqual(Array(given.utf8), Array(state.utf8)) else {
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

    /// Whether an answer's `iss` is who was asked (RFC 9207, section 2.4). Where the issuer is not known, it has to be at
    /// the endpoint's host, or one of the two hosts above the other.
    private func isIssuer(_ given: String) -> Bool {
        if let issuer { return given == issuer }
        guard let host = (try? HTTPURL(given))?.host else { return false }
        return host == endpoint.host || host.hasSuffix(".\(endpoint.host)") || endpoint.host.hasSuffix(".\(host)")
    }
}
