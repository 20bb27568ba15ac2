import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugManifest
import TestKit
import Testing

/// Grants that need nobody's consent, and logins.
struct OtherGrantsTests {
    private static let token = "token: {url: \"https://api.test/token\"}"
    private static let secretConfig = "config: {key: {type: string, secret: true}}\n"

    @Test func clientCredentialsNeedNoConsentAndServeSeveralRuns() async throws {
        let bench = try await GrantBench("grant: client_credentials, scopes: [x], \(Self.token)")
        for _ in 0..<2 { #expect(try await bench.read().ids == [1, 2]) }
        #expect(bench.wire.tokenRequests == 1)
        bench.bench.clock.advance(.seconds(3600))
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.service.value.requests == ["client_credentials": 2])
    }

    @Test func withoutAVaultTheyLiveForARun() async throws {
        var bench = try await GrantBench("grant: client_credentials, \(Self.token)")
        bench.bench.options.grants = nil
        for _ in 0..<2 { #expect(try await bench.read().ids == [1, 2]) }
        #expect(bench.wire.tokenRequests == 2)
    }

    @Test func aSignedStatementGivesATokenWithoutAClient() async throws {
        var service = OAuthService()
        service.client = ("", nil)
        service.verifies = { $0.split(separator: ".").count == 3 }
        var bench = try await GrantBench(
            "grant: jwt_bearer, token: {url: \"https://api.test/token\", client: none, params: {client_id: ''}}, "
                + "jwt: {algorithm: HS256, key: \"{{ config.key }}\", claims: {iss: me}}",
            service,
            config: Self.secretConfig
        )
        bench.bench.options.clients = [:]
        bench.bench.config = ["key": .text("0123456789abcdef0123456789abcdef")]
        #expect(try await bench.read().ids == [1, 2])
    }

    @Test func aRefreshTokenOfThePersonsOwnIsReplacedByWhatTheServiceGives() async throws {
        var bench = try await GrantBench(
            "grant: refresh_token, \(Self.token), refresh: {token: \"{{ config.key }}\"}",
            config: Self.secretConfig
        )
        let own = try #require(try bench.consented().refreshToken)
        bench.bench.config = ["key": .text(own.reveal())]
        #expect(try await bench.read().ids == [1, 2])
        bench.bench.clock.advance(.seconds(3600))
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.service.value.requests["refresh_token"] == 2)
        // Dead, until another one is configured.
        bench.wire.service.change { $0.withdraw() }
        bench.bench.clock.advance(.seconds(3600))
        let error = try await bench.read().error
        #expect(error?.code == "connect-again" && error?.advice?.contains("configure it") == true)
        let next = try #require(try bench.consented().refreshToken)
        bench.bench.config = ["key": .text(next.reveal())]
        #expect(try await bench.read().ids == [1, 2])
    }

    @Test func aDryRunLosesNoRefreshToken() async throws {
        var bench = try await GrantBench(
            "grant: refresh_token, \(Self.token), refresh: {token: \"{{ config.key }}\"}",
            config: Self.secretConfig
        )
        bench.bench.config = ["key": .text("r")]
        bench.bench.options.connection = ConnectionID("never-run")
        let error = try await bench.read().error
        #expect(error?.code == "dry-run-keeps-nothing" && bench.wire.tokenRequests == 0)
    }

    // MARK: - Logins

    private func loginBench(_ login: String) throws -> Bench {
        var bench = try Bench(
            Self.secretConfig + "auth: {login: {\(login)}}\nhttp: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /things}, records: .items, page: {next: .next}}}\n"
        )
        bench.config = ["key": .text("pass word&1")]
        return bench
    }

    @Test func aLoginGivesOneTokenForAllRequests() async throws {
        let bench = try loginBench(
            "request: {path: /login, form: {user: ann, password: \"{{ config.key }}\"}}, token: .session.id, expires: 1h, "
                + "use: {name: X-Session, value: \"id={{ token }}\"}"
        )
        let source = Script { request, _ in
            if request.path == "/login" { return .json(#"{"session":{"id":12345678901234567890}}"#) }
            guard request.header("X-Session") == "id=12345678901234567890" else { return .status(401) }
            return .json(
                request.parameter("p") == nil ? #"{"items":[{"id":1}],"next":"/things?p=2"}"# : #"{"items":[{"id":2}]}"#
            )
        }
        #expect(try await bench.read(from: source).ids == [1, 2])
        #expect(source.sent.map(\.path) == ["/login", "/things", "/things"])
        #expect(source.sent[0].body.map { String(decoding: $0, as: UTF8.self) } == "user=ann&password=pass+word%261")
        #expect(source.sent[0].method == "POST" && source.sent[0].header("X-Session") == nil)
    }

    @Test func whatSaysThatTheTokenDiedLogsInAgain() async throws {
        let bench = try loginBench(
            "request: {path: /login, json: {p: \"{{ config.key }}\"}}, token: 'headers[\"x-token\"]', use: {in: query, name: sid}, "
                + "dead_if: {status: 200, if: '.error == \"expired\"'}"
        )
        let source = Script { request, at in
            if request.path == "/login" { return .json("{}", HTTPHeader("X-Token", "token-\(at)")) }
            return at == 1 ? .json(#"{"error":"expired"}"#) : .json(#"{"items":[{"id":1}]}"#)
        }
        #expect(try await bench.read(from: source).ids == [1])
        #expect(source.sent.map(\.path) == ["/login", "/things", "/login", "/things"])
        #expect(source.sent.map { $0.parameter("sid") } == [nil, "token-0", nil, "token-2"])
    }

    @Test(
        arguments: [
            (
                Script.Reply.status(403, body: #"{"message":"no such user"}"#), "login-refused",
                PlugCore.ExitStatus.authorisation
            ),
            (.json(#"{"message":"wrong password"}"#), "login-refused", .authorisation),
            (.json("<html>"), "login-unreadable", .data), (.status(404), "login-unreadable", .data),
            (.status(503), "token-unavailable", .tryLater),
            (.failure(.cannotConnect), "token-unreachable", .unreachable),
        ]
    )
    func aLoginThatGivesNoTokenHasAClearCode(reply: Script.Reply, code: String, exit: PlugCore.ExitStatus) async throws
    {
        let bench = try loginBench("request: {path: /login, form: {p: \"{{ config.key }}\"}}, token: .t")
        let error = try await bench.read(from: Script(reply)).error
        #expect(error?.code.text == code && error?.exit == exit, "\(error as Any)")
        #expect("\(error as Any)".contains("pass word") == false)
    }

    @Test func aTokenWhoseEndTheServiceTellsOutlivesTheRun() async throws {
        let grants = try await GrantBench()
        var bench = try loginBench("request: {path: /login, form: {p: \"{{ config.key }}\"}}, token: .t, expires: .ttl")
        bench.options.grants = grants.store
        bench.options.connection = GrantBench.connection
        let source = Script { request, _ in
            request.path == "/login" ? .json(#"{"t":"session-token","ttl":600}"#) : .json(#"{"items":[{"id":1}]}"#)
        }
        for _ in 0..<2 { #expect(try await bench.read(from: source).ids == [1]) }
        #expect(source.sent.map(\.path) == ["/login", "/things", "/things"])
        // With another password it is another login.
        bench.config = ["key": .text("changed")]
        #expect(try await bench.read(from: source).ids == [1])
        #expect(source.sent.map(\.path).suffix(2) == ["/login", "/things"])
    }

    @Test func aLoginOnAnotherHostGetsNothingElse() async throws {
        let bench = try loginBench(
            "request: {path: \"https://sso.other/login\", form: {p: \"{{ config.key }}\"}}, token: .t"
        )
        let source = Script { request, _ in
            request.url.hasPrefix("https://sso.other/")
                ? .json(#"{"t":"session-token"}"#) : .json(#"{"items":[{"id":1}],"next":"https://sso.other/x"}"#)
        }
        let reading = try await bench.read(from: source)
        #expect(reading.error?.code == "pagination-escape")
        #expect(source.sent.map(\.url) == ["https://sso.other/login", "https://api.test/things"])
        #expect(source.sent[1].header("Authorization") == "Bearer session-token")
    }
}
