import CurlTransport
import LosslessJSON
import PDAClient
import PDAWire
import PlugCore
import Testing

/// Against written answers: what a sandbox never says.
struct ApplicationServiceTests {
    private func client(_ sending: ScriptedSending) -> PDA {
        PDA("pda.example.net", tokens: InMemoryTokens(Secret("T0")), transport: sending)
    }

    private func error(_ body: () async throws -> Void) async -> PDAError? {
        do { try await body() } catch { return error as? PDAError }
        return nil
    }

    /// Older clients drop what they cannot decode, and the plug is gone.
    @Test func s34WhatCannotBeReadIsReportedNotDropped() async throws {
        let broken = Examples.plug.replacing(#""published": true,"#, with: "")
        let sending = ScriptedSending(.answer(200, "[\(Examples.app), \(broken), \(Examples.plug), 1]"))
        let list = try await client(sending).applications()
        #expect(list.map(\.application.id) == ["acme-diary", "acme-steps"])
        #expect(list.filter { $0.application.kind.kind == .dataPlug }.map(\.application.id) == ["acme-steps"])
        #expect(list.undecodable.map(\.index) == [1, 3])
        #expect(
            list.undecodable.map(\.error.message) == [
                "'[1].application.info.published' is missing", "'[3]' should be an object, not a number",
            ]
        )
        #expect(list.undecodable.first?.json == (try JSONValue(parsing: broken)))
        #expect(throws: PDAError.self) { try list.all() }
    }

    @Test func s34AnAnswerThatIsNoListIsAnError() async {
        let failure = await error { _ = try await client(ScriptedSending(.answer(200, "{}"))).applications() }
        #expect(failure == PDAError(.undecodable, "the value should be an array, not an object"))
    }

    @Test func s40BothTheDocumentedAndTheServersStatusAreSuccess() async throws {
        let sending = ScriptedSending(.answer(201, Examples.plug), .answer(200, Examples.plug))
        let client = client(sending)
        for _ in 0..<2 { #expect(try await client.disable(application: "acme-steps").application.id == "acme-steps") }
        let sent = await sending.requests
        let url = "https://pda.example.net/api/v2.6/applications/acme-steps/disable"
        #expect(sent.map { "\($0.method) \($0.url)" } == ["GET \(url)", "GET \(url)"])
    }

    @Test func theCacheIsPassedByOnlyWhenAsked() async throws {
        let sending = ScriptedSending(.answer(200, Examples.plug), .answer(200, Examples.plug))
        let client = client(sending)
        _ = try await client.application("acme-steps")
        _ = try await client.application("acme-steps", cached: false)
        #expect(await sending.requests.map { HTTPHeaders($0.headers).first("cache-control") } == [nil, "no-cache"])
    }

    @Test func anIdStaysOneSegmentAndAnEmptyOneIsNeverSent() async throws {
        let sending = ScriptedSending(.answer(200, Examples.plug))
        let client = client(sending)
        _ = try await client.setUp(application: "a/b c")
        #expect(await sending.requests.map(\.url) == ["https://pda.example.net/api/v2.6/applications/a%2Fb%20c/setup"])
        for id in ["", ".", ".."] {
            #expect(await error { _ = try await client.application(id) }?.code == .invalidRequest)
            #expect(await error { _ = try await client.setUp(application: id) }?.code == .invalidRequest)
            #expect(await error { _ = try await client.disable(application: id) }?.code == .invalidRequest)
            #expect(await error { _ = try await client.applicationToken(id) }?.code == .invalidRequest)
        }
        #expect(await sending.requests.count == 1)
    }

    @Test func aTokenIsNeverShown() async throws {
        let sending = ScriptedSending(
            .answer(200, #"{"accessToken":"SECRET","userId":"u"}"#),
            .answer(200, #"{"accessToken":"","userId":"u"}"#),
            .answer(200, #"{"accesstoken":"SECRET"}"#)
        )
        let client = client(sending)
        let token = try await client.applicationToken("acme-steps")
        #expect(token.reveal() == "SECRET")
        #expect("\(token)" == "<redacted>")
        #expect(await error { _ = try await client.applicationToken("a") }?.message == "'accessToken' is empty")
        #expect(await error { _ = try await client.applicationToken("a") }?.message == "'accessToken' is missing")
    }

    @Test func s39TheSetUpPageGoesByKind() throws {
        let client = client(ScriptedSending())
        let app = try HATApplicationObject(json: try JSONValue(parsing: Examples.app)).application
        let plug = try HATApplicationObject(json: try JSONValue(parsing: Examples.plug)).application
        let login = "https://pda.example.net/#/hatlogin?name=acme-diary&redirect=acmediary%3A%2F%2Fpdahost"
        #expect(try client.setUpURL(of: app, isInstalled: true) == login)
        #expect(
            try client.setUpURL(of: app, isInstalled: true, fallback: "acmediary://failed?a=1&b")
                == "\(login)&fallback=acmediary%3A%2F%2Ffailed%3Fa%3D1%26b"
        )
        #expect(
            try client.setUpURL(of: app, isInstalled: true, redirect: "https://diary.example.com/#in")
                == "https://pda.example.net/#/hatlogin?name=acme-diary&redirect=https%3A%2F%2Fdiary.example.com%2F%23in"
        )
        #expect(try client.setUpURL(of: app, isInstalled: false) == "https://diary.example.com")
        for isInstalled in [false, true] {
            #expect(try client.setUpURL(of: plug, isInstalled: isInstalled) == "https://steps.plugs.example.com")
        }
        var homeless = app
        homeless.setup.iosURL = nil
        #expect(throws: PDAError.self) { try client.setUpURL(of: homeless, isInstalled: true) }
        #expect(throws: PDAError.self) { try client.setUpURL(of: app, isInstalled: true, redirect: "pdahost") }
    }
}
