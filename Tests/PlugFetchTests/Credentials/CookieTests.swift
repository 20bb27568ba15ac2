import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Cookies of a run: what goes back to whom, and what does not.
@Suite(.fewAtATime)
struct CookieTests {
    /// 2026-11-21T12:00:00Z
    private static let now: Int64 = 1_795_262_400_000_000

    private func url(_ text: String) throws -> HTTPURL { try HTTPURL(text) }

    /// What goes to an address after an answer of `https://a.test/x/y` has set these.
    private func sent(
        _ fields: String...,
        to address: String = "https://a.test/x/z",
        after seconds: Int64 = 0
    ) throws -> [String] {
        let jar = CookieJar()
        let headers = HTTPHeaders(fields.map { HTTPHeader("Set-Cookie", $0) })
        _ = jar.keep(headers, from: try url("https://a.test/x/y"), now: Self.now)
        return jar.cookies(for: try url(address), now: Self.now + seconds * 1_000_000).map { "\($0.name)=\($0.value)" }
    }

    @Test func aCookieGoesBackToItsHostAlone() throws {
        #expect(try sent("sid=abc; HttpOnly; SameSite=Lax") == ["sid=abc"])
        for other in ["https://b.test/x/z", "https://www.a.test/x/z", "https://a.test:8443/x/z", "http://a.test/x/z"] {
            #expect(try sent("sid=abc; Domain=a.test", to: other) == [])
        }
        #expect(try sent("sid=abc; Domain=.A.test") == ["sid=abc"])
        #expect(try sent("sid=abc; Domain=b.test") == [])
        #expect(try sent("sid=abc; Domain=est") == [])
    }

    @Test(arguments: [
        ("theme=standard", false), ("lang=de", false), ("sid=a1b2c3d4", true), ("sid=abcdefghijklmnop", true),
        ("n=1234567", false),
    ])
    func ordinaryWordsAreNoSecrets(field: String, isSecret: Bool) throws {
        let headers = HTTPHeaders([HTTPHeader("Set-Cookie", field)])
        let hidden = CookieJar().keep(headers, from: try url("https://a.test/x/y"), now: Self.now)
        #expect(hidden.isEmpty == !isSecret)
    }

    @Test func aCookieGoesBelowItsPath() throws {
        #expect(try sent("a=1", to: "https://a.test/x") == ["a=1"])
        #expect(try sent("a=1", to: "https://a.test/xy") == [])
        #expect(try sent("a=1; Path=/", to: "https://a.test/other") == ["a=1"])
        #expect(try sent("a=1; Path=/", "b=2; Path=/x/", "c=3; Path=/x") == ["b=2", "c=3", "a=1"])
        #expect(try sent("a=1; Path=relative", to: "https://a.test/x/q") == ["a=1"])
    }

    @Test func aCookieEnds() throws {
        #expect(try sent("a=1; Max-Age=60", after: 59) == ["a=1"])
        #expect(try sent("a=1; Max-Age=60", after: 60) == [])
        #expect(try sent("a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", after: 1) == ["a=1"])
        #expect(try sent("a=1; Expires=Sat, 21 Nov 2026 12:00:30 GMT", after: 29) == ["a=1"])
        #expect(try sent("a=1; Expires=Sat, 21-Nov-2026 12:00:30 GMT", after: 30) == [])
        #expect(try sent("a=1; Max-Age=9223372036854775807", after: 1_000_000) == ["a=1"])
        #expect(try sent("a=1", "a=; Max-Age=0") == [])
        #expect(try sent("a=1", "a=2") == ["a=2"])
    }

    @Test func whatIsNoCookieIsNotKept() throws {
        #expect(try sent("", "novalue", "=x", "a b=c", "a=\u{7F}", "a=\(String(repeating: "x", count: 4096))") == [])
        #expect(try sent("  a = 1 ; Secure") == ["a=1"])
        #expect(try sent("a=b=c==") == ["a=b=c=="])
    }

    @Test func aSecureCookieStaysOnTLS() throws {
        let jar = CookieJar()
        let address = try url("http://a.test/")
        _ = jar.keep(HTTPHeaders([HTTPHeader("Set-Cookie", "a=1; Secure")]), from: address, now: 0)
        #expect(jar.cookies(for: address, now: 0).isEmpty)
    }

    @Test func theJarHoldsSoManyAndTheNewest() throws {
        let jar = CookieJar()
        let address = try url("https://a.test/")
        for at in 0..<200 {
            _ = jar.keep(HTTPHeaders([HTTPHeader("Set-Cookie", "c\(at)=1")]), from: address, now: 0)
        }
        #expect(jar.cookies(for: address, now: 0).map(\.name) == (150..<200).map { "c\($0)" })
        let many = HTTPHeaders((0..<200).map { HTTPHeader("Set-Cookie", "d\($0)=1") })
        _ = jar.keep(many, from: address, now: 0)
        #expect(jar.cookies(for: address, now: 0).count == CookieJar.limit)
    }

    // MARK: - In a run

    private func bench(_ server: SourceServer, _ http: String, _ head: String = "", _ request: String = "{path: /a}")
        throws
        -> Bench
    {
        try Bench(
            head + "http: {base: \"http://127.0.0.1:\(server.port)\"\(http)}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: \(request), records: .items, page: "
                + "{next: .next}}}\n",
            hosts: "[\"127.0.0.1:\(server.port)\"]"
        )
    }

    @Test func cookiesAreKeptWithinARunWhereTheManifestSaysSo() async throws {
        let server = try SourceServer { request, at in
            switch at {
            case 0: .status(302, "Location: /b", "Set-Cookie: first=one; Path=/")
            case 1:
                .json(#"{"items": [], "next": "/c"}"#, "Set-Cookie: second=two; Path=/", "Set-Cookie: lang=de; Path=/")
            default: .json(#"{"items": []}"#)
            }
        }
        let keeping = try bench(server, ", cookies: keep", "", "{path: /a, headers: {Cookie: lang=en}}")
        #expect(try await keeping.readOverSockets().error == nil)
        let sent = server.asked.map { $0.headers(named: "Cookie") }
        #expect(sent == [["lang=en"], ["lang=en; first=one"], ["lang=en; first=one; second=two"]])
        // Another run has none of them.
        #expect(try await keeping.readOverSockets().error == nil)
        #expect(server.asked[3].headers(named: "Cookie") == ["lang=en"])
    }

    @Test func withoutTheKeyNoCookiesAreKept() async throws {
        let server = try SourceServer { _, at in
            at == 0 ? .json(#"{"items": [], "next": "/c"}"#, "Set-Cookie: a=1; Path=/") : .json(#"{"items": []}"#)
        }
        #expect(try await bench(server, "").readOverSockets().error == nil)
        #expect(server.asked.map { $0.header("Cookie") } == [nil, nil])
    }

    @Test func theSessionOfALoginAndItsCookieAreHidden() async throws {
        let server = try SourceServer { request, at in
            request.path == "/login"
                ? .json(#"{"token": "tok-123456"}"#, "Set-Cookie: sid=session-987654; Path=/")
                : SourceServer.Answer(status: 403, body: #"{"message": "session-987654 of tok-123456 may not"}"#)
        }
        let auth = "auth: {login: {request: {path: /login}, token: .token, use: {in: cookie, name: tok}}}\n"
        let reading = try await bench(server, ", cookies: keep", auth).readOverSockets()
        #expect(server.asked.last?.headers(named: "Cookie") == ["sid=session-987654; tok=tok-123456"])
        let message = try #require(reading.error?.message)
        #expect(message.hasSuffix("it says: <redacted> of <redacted> may not"))
    }
}
