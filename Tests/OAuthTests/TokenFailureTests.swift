import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import Testing

struct TokenFailureTests {
    @Test(arguments: [
        (400, "invalid_grant", TokenFailure.Kind.dead), (200, "invalid_grant", .dead), (401, "invalid_grant", .dead),
        (401, "invalid_client", .wrongClient), (400, "unauthorized_client", .wrongClient),
        (503, "temporarily_unavailable", .passing(after: nil)), (400, "temporarily_unavailable", .passing(after: nil)),
        (400, "server_error", .passing(after: nil)),
        (400, "authorization_pending", .pending), (428, "authorization_pending", .pending),
        (429, "slow_down", .slowDown), (403, "slow_down", .slowDown),
        (400, "access_denied", .denied), (400, "expired_token", .expired),
        (400, "invalid_scope", .refused), (400, "unsupported_grant_type", .refused), (200, "whatever", .refused),
        // A server that is failing cannot know that a grant is dead.
        (500, "invalid_grant", .passing(after: nil)),
    ])
    func everyErrorHasItsMeaning(status: Int, code: String, kind: TokenFailure.Kind) {
        let failure = failure(response(status, #"{"error":"\#(code)"}"#))
        #expect(failure == TokenFailure(kind, "it refuses", code: code, status: status))
        #expect(failure?.description == "it refuses: \(code) (status \(status))")
    }

    @Test(arguments: [
        (429, "<html>", "it gets too many requests"), (500, "", "the service is failing"),
        (503, "{}", "the service is failing"), (502, "<html>Bad gateway", "the service is failing"),
    ])
    func aServiceThatFailsIsAskedAgainLater(status: Int, body: String, reason: String) {
        let headers = [HTTPHeader("Retry-After", "120")]
        let failure = failure(response(status, body, headers: headers))
        #expect(failure == TokenFailure(.passing(after: .seconds(120)), reason, status: status))
    }

    @Test(arguments: [
        (400, "<html>", "it refuses without saying why"),
        (401, "", "it refuses without saying why"),
        (200, #"{"error":{"oops":1}}"#, "it refuses with an error that has no name"),
        (200, #"{"error":true,"access_token":"a"}"#, "it refuses with an error that has no name"),
        (400, #"{"error":"has spaces and <tags>"}"#, "it refuses with an error that has no name"),
    ])
    func anErrorWithoutANameIsARefusal(status: Int, body: String, reason: String) {
        #expect(failure(response(status, body)) == TokenFailure(.refused, reason, status: status))
    }

    @Test(arguments: [
        (404, "<html>", "nothing there issues tokens"), (405, "", "nothing there issues tokens"),
        (302, "", "it redirects, and plughost never follows with a secret"),
    ])
    func anAddressThatGivesNoTokensIsSomebodysMistake(status: Int, body: String, reason: String) {
        #expect(failure(response(status, body)) == TokenFailure(.misdirected, reason, status: status))
        #expect(failure(response(status, #"{"error":"invalid_scope"}"#))?.kind == .refused)
    }

    @Test func anAnswerBeyondALimitIsNoMissingNetwork() {
        let answered = TokenFailure(HTTPError(.tooLarge, "accounts.example sent a body that is too large"))
        #expect(answered == TokenFailure(.unreadable, "accounts.example sent a body that is too large"))
        let lost = HTTPError(.connectionLost, "accounts.example closed the connection before it answered")
        #expect(TokenFailure(lost) == TokenFailure(.unreachable(lost), lost.message))
    }

    @Test func aConditionThatFailsOnTheStandardsErrorDoesNotHideIt() {
        struct Failed: Error {}
        let reading = TokenReading(isDead: { _ in throw Failed() })
        let failure = failure(response(400, #"{"error":"invalid_grant"}"#), reading)
        #expect(failure == TokenFailure(.dead, "it refuses", code: "invalid_grant", status: 400))
    }

    @Test func anErrorThatIsAnObjectIsReadToo() {
        let body = #"{"error":{"code":"invalid_grant","message":"Gone"}}"#
        var expected = TokenFailure(.dead, "it refuses and says 'Gone'", code: "invalid_grant", status: 400)
        expected.quote = "Gone"
        #expect(failure(response(400, body)) == expected)
        let form = "error=invalid_client&error_description=no+such+client"
        var old = TokenFailure(
            .wrongClient,
            "it refuses and says 'no such client'",
            code: "invalid_client",
            status: 200
        )
        old.quote = "no such client"
        #expect(failure(response(200, form, type: "text/plain")) == old)
    }

    @Test func noMessageQuotesASecret() throws {
        let client = ClientIdentity(id: "me", secret: Secret("hush"), place: .basic)
        let request = TokenRequest(.refreshToken(Secret("r3fr")), by: client, at: try endpoint())
        let body = """
            {"error":"invalid_grant","error_description":"Token r3fr of hush, or\\n  \\u001b[1mya29.a0AfH6SMBx7Nq0abcdefgh\
             is bad","access_token":"other"}
            """
        let failure = failure(response(400, body), hiding: request.hidden)
        #expect(failure?.reason == #"it refuses and says 'Token … of …, or … is bad'"#)
        let long = told(String(repeating: "word ", count: 100))
        #expect(long?.reason.hasSuffix("word …'") == true)
        #expect(long?.reason.count == "it refuses and says ''".count + 200 + 1)
    }

    @Test func whatIsKnownToBeSecretIsRemovedBeforeTheWordsAreCut() {
        let hidden = HiddenTexts { $0.replacing("hunter2", with: "<redacted>") }
        let body = #"{"error":"hunter2","error_description":"\#(String(repeating: "x ", count: 97))hunter2"}"#
        let failure = #expect(throws: TokenFailure.self) {
            _ = try TokenReading().read(response(400, body), now: now, hiding: hidden)
        }
        #expect(failure?.code == nil && failure?.reason.contains("hun") == false)
        #expect(failure?.reason.hasSuffix("x <redac…'") == true)
    }

    private func told(_ description: String) -> TokenFailure? {
        failure(response(400, #"{"error":"invalid_request","error_description":"\#(description)"}"#))
    }

    @Test func aRuleOfTheManifestTellsWhatIsDead() {
        let rule = TokenReading(isDead: { $0.status == 400 && $0.value?["message"]?.stringText == "Bad Request" })
        #expect(failure(response(400, #"{"message":"Bad Request"}"#), rule)?.kind == .dead)
        #expect(failure(response(400, #"{"error":"invalid_grant"}"#), rule)?.kind == .refused)
        #expect(failure(response(200, #"{"access_token":"a"}"#), rule) == nil)
        let success = TokenReading(isDead: { $0.value?["ok"]?.bool == false })
        #expect(failure(response(200, #"{"ok":false}"#), success)?.kind == .dead)
        struct Failed: Error {}
        let failing = TokenReading(isDead: { _ in throw Failed() })
        #expect(failure(response(400, "{}"), failing)?.kind == .unusable)
        #expect(failure(response(502, "<html>"), failing)?.kind == .passing(after: nil))
        #expect(failure(response(200, #"{"access_token":"a"}"#), failing) == nil)
    }

    @Test func everyFailureHasACodeAndAnEnd() {
        let lost = HTTPError(.connectionLost, "id.example.org:443 ended the connection", mayHaveArrived: true)
        let cases: [(TokenFailure, PlugCore.ExitStatus, String)] = [
            (TokenFailure(.dead, "it refuses", code: "invalid_grant", status: 400), .authorisation, "connect-again"),
            (TokenFailure(.wrongClient, "it refuses"), .configuration, "client-refused"),
            (TokenFailure(.passing(after: .seconds(60)), "the service is failing"), .tryLater, "token-unavailable"),
            (TokenFailure(lost), .unreachable, "token-unreachable"),
            (TokenFailure(HTTPError(.addressRefused, "not allowed")), .configuration, "token-address"),
            (TokenFailure(.unreadable, "it is empty"), .data, "token-unreadable"),
            (TokenFailure(.unusable, "it has no access token"), .data, "token-unreadable"),
            (TokenFailure(.misdirected, "it leads elsewhere"), .configuration, "token-address"),
            (TokenFailure(.denied, "it refuses"), .authorisation, "consent-denied"),
            (TokenFailure(.expired, "it refuses"), .authorisation, "consent-expired"),
            (TokenFailure(.refused, "it refuses"), .authorisation, "token-refused"),
        ]
        for (failure, exit, code) in cases {
            let error = failure.plugError(from: "id.example.org")
            #expect(error.exit == exit)
            #expect(error.code.text == code)
            #expect(error.reach == .run)
        }
        #expect(
            cases[0].0.plugError(from: "id.example.org").description == """
                error: [connect-again] id.example.org no longer accepts this connection: it refuses: invalid_grant \
                (status 400)
                  help: connect again with 'plughost connect'
                """
        )
        #expect(
            cases[2].0.plugError(from: "id.example.org").message
                == "id.example.org gives no tokens now: the service is failing; it asks to come back in 1m"
        )
    }
}
