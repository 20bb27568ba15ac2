import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import TestKit
import Testing

/// What is sent for a token stays between us and the service, also where the service quotes it.
struct TokenSecretsTests {
    /// The message of a run whose request for a token is refused with these words.
    private func message(_ auth: String, saying words: String) async throws -> String {
        var bench = try Bench(
            "config: {cid: {type: string}, pw: {type: string, secret: true}}\nauth: \(auth)\n"
                + "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /things}}}\n"
        )
        bench.config = ["cid": .text("client1"), "pw": .text("pass word&1")]
        bench.options.clients = ["test": ClientIdentity(id: "client", secret: Secret("s3cr3t"))]
        let body = JSONValue.members(
            ("error", .text("invalid_request")),
            ("error_description", .text(words))
        ).compactText
        return "\(try await bench.read(from: Script(.status(400, body: body))).error as Any)"
    }

    private static let token = "grant: client_credentials, token: {url: \"https://api.test/token\""

    @Test func parametersAndHeadersOfRequestsForTokensAreHidden() async throws {
        let auth =
            "{oauth2: {\(Self.token), params: {pin: \"{{ config.pw }}\"}, "
            + "headers: {X: \"{{ config.pw | @base64 }}\"}}}}"
        let message = try await message(auth, saying: "bad pin pass word&1 / cGFzcyB3b3JkJjE=, sorry")
        #expect(message.contains("bad pin <redacted> / <redacted>, sorry"))
    }

    @Test func whatStandsInTheManifestAsItIsIsHiddenToo() async throws {
        let auth = "{oauth2: {\(Self.token), headers: {X-Api-Key: literal-of-the-manifest}}}}"
        let message = try await message(auth, saying: "the key literal-of-the-manifest is unknown")
        #expect(message.contains("the key <redacted> is unknown"))
    }

    @Test func aSecretIsHiddenBeforeTheWordsAreCut() async throws {
        let auth = "{oauth2: {\(Self.token), params: {pin: \"{{ config.pw }}\"}}}}"
        let message = try await message(auth, saying: String(repeating: "x ", count: 96) + "pass word&1")
        #expect(!message.contains("pass") && message.contains("x <redact"))
    }

    @Test func whatALoginMakesOfAPasswordIsHidden() async throws {
        let auth =
            "{login: {request: {path: /login, method: POST, "
            + "headers: {Authorization: \"Basic {{ (config.cid + \\\":\\\" + config.pw) | @base64 }}\"}}, token: .t}}"
        let message = try await message(auth, saying: "bad login Basic Y2xpZW50MTpwYXNzIHdvcmQmMQ== pass word&1")
        #expect(message.contains("bad login Basic <redacted> <redacted>"))
    }

    @Test("what is sent of a token is hidden in its parts, and cookies do not push it out")
    func partsOfTokens() async throws {
        var bench = try Bench(
            "auth: {login: {request: {path: /login, method: POST}, token: .t, use: {in: header, name: Authorization, "
                + "value: 'Basic {{ (\"x:\" + token) | @base64 }}'}}}\n"
                + "http: {base: \"https://api.test\", cookies: keep}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /things}, records: .items, "
                + "page: {cursor: {from: .next, param: c}}}}\n"
        )
        bench.config = [:]
        // "x:session-token" in base64.
        let encoded = "eDpzZXNzaW9uLXRva2Vu"
        let source = Script { request, at in
            if request.path == "/login" { return .json(#"{"t":"session-token"}"#) }
            if at == 300 { return .status(400, body: #"{"error":"bad \#(encoded) of session-token"}"#) }
            return .json(
                #"{"items":[{"id":\#(at)}],"next":"\#(at)"}"#,
                HTTPHeader("Set-Cookie", "lb=balancer-number-\(at)")
            )
        }
        let message = "\(try await bench.read(from: source).error as Any)"
        #expect(message.contains("bad <redacted> of <redacted>"), "\(message)")
    }
}
