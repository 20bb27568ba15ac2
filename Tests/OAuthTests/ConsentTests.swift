import CurlTransport
import PlugCore
import Testing

@testable import OAuth

struct ConsentTests {
    private func request() throws -> AuthorizationRequest {
        AuthorizationRequest(
            endpoint: try HTTPURL("https://id.example.org/authorize?tenant=1"),
            clientID: "me",
            redirectURI: "http://127.0.0.1:4711/callback",
            scopes: ["read", "write"],
            separator: ",",
            parameters: [Parameter("access_type", "offline"), Parameter("state", "mine")]
        )
    }

    /// The parameters of a consent's address.
    private func parameters(_ consent: PendingConsent) throws -> [String: String] {
        let fields = try #require(FormText.decode(consent.url.query ?? ""))
        #expect(Set(fields.map(\.name)).count == fields.count)
        return Dictionary(uniqueKeysWithValues: fields)
    }

    @Test func theAddressHasWhatTheStandardsAskFor() throws {
        let consent = PendingConsent(try request(), now: now)
        #expect(consent.url.withoutQuery == "https://id.example.org/authorize")
        var parameters = try parameters(consent)
        // 256 bits in the URL's alphabet, whatever the manifest says.
        #expect(parameters.removeValue(forKey: "state")?.utf8.count == 43)
        #expect(parameters.removeValue(forKey: "code_challenge")?.utf8.count == 43)
        #expect(
            parameters == [
                "tenant": "1", "response_type": "code", "client_id": "me",
                "redirect_uri": "http://127.0.0.1:4711/callback", "scope": "read,write",
                "code_challenge_method": "S256", "access_type": "offline",
            ]
        )
        var plain = try request()
        (plain.usesProofKey, plain.scopes) = (false, [])
        let bare = PendingConsent(plain, now: now)
        #expect(bare.url.query?.contains("code_challenge") == false)
        #expect(bare.url.query?.contains("scope") == false)
    }

    @Test func theRightAnswerGivesWhatTheCodesRequestShows() throws {
        var consent = PendingConsent(try request(), now: now)
        let asked = try parameters(consent)
        let state = try #require(asked["state"])
        let proof = try consent.answer("code=a%2Bb&state=\(state)", now: now + 299 * second)
        guard case .code(let code, let redirectURI, let verifier?) = proof else {
            Issue.record("no code")
            return
        }
        #expect(code == Secret("a+b"))
        #expect(redirectURI == "http://127.0.0.1:4711/callback")
        #expect(ProofKey(verifier: verifier.reveal()).challenge == asked["code_challenge"])
        // One use.
        #expect(throws: ConsentFailure(.used)) { try consent.answer("code=a&state=\(state)", now: now) }
    }

    @Test(arguments: [
        "", "code=a", "code=a&state=", "code=a&state=x", "state=%", "error=access_denied",
        "code=a&state={state}&state={state}", "code=a&code=b&state={state}", "code=a&state={state}x",
    ])
    func anAnswerToSomethingElseEndsNothing(query: String) throws {
        var consent = PendingConsent(try request(), now: now)
        let state = try #require(try parameters(consent)["state"])
        let query = query.replacing("{state}", with: state)
        #expect(throws: ConsentFailure(.foreign)) { try consent.answer(query, now: now) }
        #expect(throws: Never.self) { try consent.answer("code=a&state=\(state)", now: now) }
    }

    @Test(arguments: [
        ("error=access_denied&code=a", ConsentFailure.Kind.denied),
        (
            "error=invalid_scope&error_description=unknown+scope",
            .refused("it refuses and says 'unknown scope': invalid_scope")
        ),
        ("error=%3Cscript%3E", .refused("it refuses with an error that has no name")),
        ("", .noCode), ("code=", .noCode), ("code=a&iss=https%3A%2F%2Fevil.example", .otherIssuer),
        ("code=a&iss=nonsense", .otherIssuer), ("code=a&iss=https%3A%2F%2Fnot-id.example.org", .otherIssuer),
    ])
    func anAnswerThatIsNoConsentEndsIt(query: String, kind: ConsentFailure.Kind) throws {
        var consent = PendingConsent(try request(), now: now)
        let state = try #require(try parameters(consent)["state"])
        #expect(throws: ConsentFailure(kind)) { try consent.answer("\(query)&state=\(state)", now: now) }
        #expect(throws: ConsentFailure(.used)) { try consent.answer("code=a&state=\(state)", now: now) }
    }

    @Test(arguments: [
        "https://id.example.org", "https://id.example.org/realm", "https://example.org", "https://x.id.example.org",
    ])
    func theServiceIsKnownByItsHost(issuer: String) throws {
        var consent = PendingConsent(try request(), now: now)
        let state = try #require(try parameters(consent)["state"])
        #expect(throws: Never.self) {
            try consent.answer("code=a&state=\(state)&iss=\(FormText.encode(issuer))", now: now)
        }
        var exact = PendingConsent(try request(), issuer: "https://example.org", now: now)
        let other = try #require(try parameters(exact)["state"])
        let query = "code=a&state=\(other)&iss=\(FormText.encode(issuer))"
        if issuer == "https://example.org" {
            #expect(throws: Never.self) { try exact.answer(query, now: now) }
        } else {
            #expect(throws: ConsentFailure(.otherIssuer)) { try exact.answer(query, now: now) }
        }
    }

    @Test func afterFiveMinutesItIsTooLate() throws {
        var consent = PendingConsent(try request(), now: now)
        let state = try #require(try parameters(consent)["state"])
        #expect(consent.ends == now + 300 * second)
        #expect(throws: ConsentFailure(.late)) { try consent.answer("code=a&state=\(state)", now: now + 300 * second) }
    }

    @Test func noTwoConsentsAreAlike() throws {
        let states = try (0..<100).map { _ in try parameters(PendingConsent(try request(), now: now))["state"] }
        #expect(Set(states).count == 100)
    }
}
