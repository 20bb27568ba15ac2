import CurlTransport
import LosslessJSON
import PDAClient
import Testing

struct LoginTests {
    private func client(_ sending: ScriptedSending, _ tokens: InMemoryTokens = InMemoryTokens()) -> PDA {
        PDA("pda.example.net", tokens: tokens, transport: sending)
    }

    @Test func nameAndPasswordTravelEncodedAndWithoutTheOldToken() async throws {
        let tokens = InMemoryTokens(Secret("OLD"))
        let sending = ScriptedSending(.answer(200, #"{"accessToken":"NEW","userId":"u"}"#, ["X-Auth-Token": "NEW"]))
        let owner = try await client(sending, tokens).logIn(username: "bob+ü", password: Secret("a %b+c\nd"))
        #expect(owner.token == Secret("NEW"))
        #expect(owner.userID == "u")
        #expect(await tokens.current() == Secret("NEW"))
        let sent = try #require(await sending.requests.first)
        #expect(sent.url == "https://pda.example.net/users/access_token")
        #expect(sent.header("username") == "bob%2B%C3%BC")
        #expect(sent.header("password") == "a%20%25b%2Bc%0Ad")
        #expect(sent.header("x-auth-token") == nil)
    }

    @Test func aRefusedLogInSaysWhatToDoAndKeepsTheOldToken() async throws {
        let tokens = InMemoryTokens(Secret("OLD"))
        let framework = #"{"error":"Not Authenticated","message":"no user bob with PASS%20WORD or PASS WORD"}"#
        let rate = #"{"message":"Request rate exceeded","cause":"Rate of requests from your IP exceeded"}"#
        let sending = ScriptedSending(.answer(401, framework), .answer(400, rate), .answer(200, #"{"accessToken":""}"#))
        let client = client(sending, tokens)
        var errors: [PDAError?] = []
        for _ in 0..<3 {
            errors.append(await pdaError { try await client.logIn(username: "bob", password: Secret("PASS WORD")) })
        }
        #expect(errors.map(\.?.code) == [.notAuthenticated, .tooManyRequests, .undecodable])
        #expect(errors.map(\.?.remedy) == [.logIn, .wait, .changeCall])
        #expect(!errors.contains { "\($0 as Any)".contains("WORD") })
        #expect(errors[0]?.failure?.cause == "no user bob with <redacted> or <redacted>")
        #expect(await tokens.current() == Secret("OLD"))
        #expect(await pdaError { try await client.logIn(username: "", password: Secret("x")) }?.code == .invalidRequest)
    }

    @Test func theRedirectGivesTheTokenOrSaysWhyNot() throws {
        let good = [
            "acme://done?token=a.b.c", "https://acme.example/x?y=1&token=a.b.c#top",
            "https://acme.example/#/in?token=a.b.c",
            "acme://done?token=mine&token=a.b.c", "acme://done?token=a%2Eb%2Ec",
        ]
        for url in good { #expect(try PDA.token(fromRedirect: url) == Secret("a.b.c")) }
        let bad = [
            "acme://done?error=access_denied&error_reason=user_cancelled":
                "the log-in ended with 'access_denied': user_cancelled",
            "acme://done?error=x": "the log-in ended with 'x'",
            "acme://done": "the log-in page came back without a token",
            "acme://done?token=": "the log-in page came back without a token",
            "acme://done?mytoken=a.b.c": "the log-in page came back without a token",
            "": "the log-in page came back without a token",
        ]
        for (url, message) in bad {
            #expect(
                throws: PDAError(
                    .notLoggedIn,
                    message,
                    advice: message.contains("ended") ? "try again when the owner wants to log in" : "open it again"
                )
            ) { try PDA.token(fromRedirect: url) }
        }
    }

    @Test func theLogInPageIsTheDocumentedOne() throws {
        let client = client(ScriptedSending())
        let url = try client.logInURL(application: "acme diary", redirect: "acme://a?b#c", fallback: "acme://no")
        let page = "https://pda.example.net/#/hatlogin?name=acme%20diary"
        #expect(url == "\(page)&redirect=acme%3A%2F%2Fa%3Fb%23c&fallback=acme%3A%2F%2Fno")
        #expect(throws: PDAError.self) { try client.logInURL(application: "", redirect: "acme://a") }
        #expect(throws: PDAError.self) { try client.logInURL(application: "a", redirect: "done") }
    }

    @Test func validatingTellsNoFromFailure() async throws {
        let sending = ScriptedSending(
            .answer(200, #"{"message":"Authenticated"}"#),
            .answer(401, #"{"error":"Not Authenticated","message":"Not Authenticated"}"#),
            .answer(500, "{}")
        )
        let client = client(sending, InMemoryTokens(Secret("T0")))
        #expect(try await client.validateToken())
        #expect(try await !client.validateToken())
        #expect(await pdaError { _ = try await client.validateToken() }?.code == .server)
    }

    @Test func passwordsAreChangedAndResetAndNeverShown() async throws {
        let echo = #"{"message":"Invalid OLDPASS","cause":"NEWPASS is not OLDPASS, RESET"}"#
        let sending = ScriptedSending(
            .answer(200, #"{"message":"Password changed"}"#),
            .answer(200, #"{"message":"mailed"}"#),
            .answer(200, #"{"message":"Password reset"}"#, ["X-Auth-Token": "T1"]),
            .answer(403, echo),
            .answer(401, echo)
        )
        let tokens = InMemoryTokens(Secret("T0"))
        let client = client(sending, tokens)
        let (old, new, reset) = (Secret("OLDPASS"), Secret("NEWPASS"), Secret("RESET"))
        try await client.changePassword(from: old, to: new)
        try await client.requestPasswordReset(email: "bob@example.net")
        #expect(try await client.resetPassword(with: reset, to: new) == Secret("T1"))
        #expect(await tokens.current() == Secret("T0"))
        let changing = await pdaError { try await client.changePassword(from: old, to: new) }
        let resetting = await pdaError { try await client.resetPassword(with: reset, to: new) }
        #expect(changing?.failure?.cause == "<redacted> is not <redacted>, RESET")
        #expect(resetting?.failure?.cause == "<redacted> is not OLDPASS, <redacted>")
        #expect(resetting?.message.contains("/passwordreset/confirm/<redacted> answered 401") == true)
        let sent = await sending.requests
        let base = "https://pda.example.net/control/v2/auth"
        #expect(
            sent.map { "\($0.method) \($0.url)" }.prefix(3) == [
                "POST \(base)/password", "POST \(base)/passwordReset", "POST \(base)/passwordreset/confirm/RESET",
            ]
        )
        #expect(
            sent.map(\.text).prefix(3) == [
                #"{"password":"OLDPASS","newPassword":"NEWPASS"}"#, #"{"email":"bob@example.net"}"#,
                #"{"newPassword":"NEWPASS"}"#,
            ]
        )
        #expect(sent.map { $0.header("x-auth-token") }.prefix(3) == ["T0", nil, nil])
    }
}
