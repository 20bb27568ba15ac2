import CurlTransport
import LosslessJSON
import PlugCore
import PlugStorage
import Syncing
import TestKit
import Testing

@testable import PlugHostWeb

/// Cookies, forms, names of the host, headers and limits.
struct WebSecurityTests {
    private static let form = ("Content-Type", "application/x-www-form-urlencoded")

    private func cookie(_ browser: BrowserSecret, _ name: String = "plughost") -> (String, String) {
        ("Cookie", "\(name)=\(browser.text.reveal())")
    }

    // MARK: Log-in

    /// The cookie of an answer, as a browser keeps it.
    private func secret(_ answer: HostAnswer) throws -> BrowserSecret {
        let header = try #require(answer.header("Set-Cookie"))
        let value = header.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()
        return try #require(BrowserSecret(cookie: String(value)))
    }

    private func token(_ page: HostAnswer) throws -> String {
        let start = try #require(page.text.firstRange(of: "name=\"form\" value=\""))
        return String(page.text[start.upperBound...].prefix { $0 != "\"" })
    }

    @Test func anOperatorLogsInByALinkOnce() async throws {
        let world = try await WebWorld()
        let links = OperatorLinks(world.store, clock: world.clock)
        let link = try await links.make(for: "ann", at: WebWorld.origin).reveal()
        #expect(link.hasPrefix("\(WebWorld.origin)/operator/login?token="))
        let target = String(link.dropFirst(WebWorld.origin.count))
        #expect(await world.send("GET", "/operator").status == 401)
        // Whoever looks, also a program that looks at links, uses nothing up.
        for _ in 1...3 { #expect(await world.send("HEAD", target, peer: "192.0.2.9").status == 200) }
        let page = await world.send("GET", target)
        let before = try secret(page)
        let fields = "form=\(try token(page))&token=\(target.split(separator: "=")[1])"
        let entered = await world.send("POST", "/operator/login", [cookie(before), Self.form], body: fields)
        #expect(entered.status == 303 && entered.header("Location") == "/operator")
        let after = try secret(entered)
        #expect(after != before)
        #expect(
            entered.header("Set-Cookie")
                == "plughost=\(after.text.reveal()); Max-Age=43200; Path=/; HttpOnly; SameSite=Lax"
        )
        #expect(await world.send("GET", "/operator", [cookie(after)]).text.contains("operator ann"))
        // The browser's secret from before the log-in is nobody's.
        #expect(await world.send("GET", "/operator", [cookie(before)]).status == 401)
        let again = await world.send("POST", "/operator/login", [cookie(before), Self.form], body: fields)
        #expect(again.status == 410 && again.text.contains("link-used"))
        #expect(await world.send("GET", target, peer: "192.0.2.2").status == 410)
        let fields2 = "form=\(after.formToken)"
        let left = await world.send("POST", "/logout", [cookie(after), Self.form], body: fields2)
        #expect(left.header("Set-Cookie") == "plughost=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax")
        #expect(await world.send("GET", "/operator", [cookie(after)]).status == 401)
    }

    @Test func operatorsSeeWhoWasGivenAWayIn() async throws {
        let world = try await WebWorld()
        let links = OperatorLinks(world.store, clock: world.clock)
        let keys = APIKeys(world.store, clock: world.clock)
        let link = try await links.make(for: "ann <i>", at: WebWorld.origin, by: "host").reveal()
        let token = String(link.split(separator: "=")[1])
        _ = try await links.take(token)
        let key = try #require(try await keys.add("backup", [.plugsRead, .connectionsRead])).reveal()
        #expect(try await keys.add("backup", []) == nil)
        let found = await world.send("GET", "/api/v1/audit", [("Authorization", "Bearer \(key)")])
        let entries = (try? JSONValue(parsing: found.body))?["changes"]?.elements ?? []
        #expect(
            entries.map { "\($0["who"]?.stringText ?? ""): \($0["what"]?.stringText ?? "")" } == [
                "shell: made the key backup (connections:read, plugs:read)",
                "operator ann <i>: logged in with a link", "host: made a link for the operator ann <i>",
            ]
        )
        #expect(try await keys.remove("backup"))
        #expect(try await keys.remove("backup") == false)
        let browser = try await world.browser(.operator, "ann")
        let page = await world.send("GET", "/operator/changes", [cookie(browser)])
        #expect(page.text.contains("<td>shell</td><td>removed the key backup</td>"), "\(page.text)")
        #expect(page.text.contains("operator ann &lt;i&gt;") && !page.text.contains(token) && !page.text.contains(key))
        #expect(await world.send("GET", "/operator", [cookie(browser)]).text.contains("href=\"/operator/changes\""))
    }

    @Test func aLinkIsNoGoodAfterItsTime() async throws {
        let world = try await WebWorld()
        let links = OperatorLinks(world.store, clock: world.clock)
        let link = try await links.make(for: "ann", at: "").reveal()
        world.clock.advance(.seconds(899))
        #expect(await world.send("GET", link).status == 200)
        world.clock.advance(.seconds(1))
        #expect(await world.send("GET", link).status == 410)
    }

    @Test func nobodyLogsInInClearOverANetwork() async throws {
        let open = try await WebWorld(listen: "0.0.0.0:22100")
        let link = try await OperatorLinks(open.store, clock: open.clock).make(for: "ann", at: "").reveal()
        let refused = await open.send("GET", link, host: "192.0.2.7:22100")
        #expect(refused.status == 403 && refused.text.contains("log-in-open"))
        let browser = BrowserSecret()
        let body = "form=\(browser.formToken)&token=\(link.split(separator: "=")[1])"
        let headers = [cookie(browser), Self.form]
        let posted = await open.send("POST", "/operator/login", headers, host: "192.0.2.7:22100", body: body)
        #expect(posted.status == 403 && posted.header("Set-Cookie") == nil)
        // The link is as good as before, on the machine itself.
        #expect(await open.send("GET", link).status == 200)
    }

    @Test(arguments: [(StoredSession.Role.operator, 3600, 12), (.person, 12 * 3600, 30 * 24)])
    func aSessionEndsWithoutUseAndInAnyCase(_ role: StoredSession.Role, idle: Int, hours: Int) async throws {
        let route = HostRoute(.get, "/who", [.person, .operator]) { .text($0.visitor.auditName) }
        let world = try await WebWorld(more: [route])
        let unused = try await world.browser(role, "x")
        world.clock.advance(.seconds(idle - 1))
        #expect(await world.send("GET", "/who", [cookie(unused)]).status == 200)
        world.clock.advance(.seconds(idle))
        #expect(await world.send("GET", "/who", [cookie(unused)]).status == 401)
        let used = try await world.browser(role, "x")
        for _ in 1..<(hours * 2 * 3600 / idle) {
            world.clock.advance(.seconds(idle / 2))
            #expect(await world.send("GET", "/who", [cookie(used)]).status == 200)
        }
        world.clock.advance(.seconds(idle / 2))
        #expect(await world.send("GET", "/who", [cookie(used)]).status == 401)
    }

    @Test func overTLSTheCookieIsTheHostsAlone() async throws {
        let world = try await WebWorld(publicURL: "https://plugs.example.org")
        let link = try await OperatorLinks(world.store, clock: world.clock).make(for: "ann", at: "").reveal()
        let page = await world.send("GET", link, host: "plugs.example.org")
        let set = try #require(page.header("Set-Cookie"))
        #expect(set.hasPrefix("__Host-plughost=") && set.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Secure"))
        #expect(page.header("Strict-Transport-Security") == "max-age=31536000")
        let browser = try await world.browser(.operator, "ann")
        let plain = await world.send("GET", "/operator", [cookie(browser)], host: "plugs.example.org")
        #expect(plain.status == 401)
        let named = [cookie(browser, "__Host-plughost")]
        #expect(await world.send("GET", "/operator", named, host: "plugs.example.org").status == 200)
        // Two of one name: somebody may have added theirs.
        let two = named + [cookie(BrowserSecret(), "__Host-plughost")]
        #expect(await world.send("GET", "/operator", two, host: "plugs.example.org").status == 401)
    }

    // MARK: Forms

    @Test func aFormIsTakenOnlyFromAPageOfThisBrowser() async throws {
        let world = try await WebWorld()
        func post(_ token: String?, _ headers: [(String, String)], _ browser: BrowserSecret) async -> Int {
            let body = token.map { "form=\($0)" } ?? ""
            return await world.send("POST", "/logout", [cookie(browser), Self.form] + headers, body: body).status
        }
        let browser = try await world.browser(.operator, "ann")
        let other = try await world.browser(.operator, "ann")
        let token = browser.formToken
        let refused = [
            await post(nil, [], browser), await post(other.formToken, [], browser),
            await post(token + "0", [], browser),
            await post(token, [("Origin", "https://evil.example.org")], browser),
            await post(token, [("Origin", "null")], browser),
            await post(token, [("Sec-Fetch-Site", "cross-site")], browser),
            await post(token, [("Sec-Fetch-Site", "same-site")], browser),
            await post(token, [("Sec-Fetch-Site", "same-origin"), ("Origin", "https://evil.example.org")], browser),
            await world.send("POST", "/logout", [Self.form], body: "form=\(token)").status,
        ]
        #expect(refused == Array(repeating: 403, count: 9))
        let json = await world.send(
            "POST",
            "/logout",
            [cookie(browser), ("Content-Type", "text/plain")],
            body: "form=\(token)"
        )
        #expect(json.status == 415)
        #expect(await world.send("GET", "/operator", [cookie(browser)]).status == 200)
        // Browsers make the origin null where a page has no referrer, and say themselves that it is the same.
        #expect(await post(token, [("Sec-Fetch-Site", "same-origin"), ("Origin", "null")], browser) == 303)
        #expect(await post(other.formToken, [("Origin", WebWorld.origin)], other) == 303)
    }

    // MARK: Names

    @Test func onlyTheHostsOwnNamesAreAnswered() async throws {
        func statuses(_ world: WebWorld, _ hosts: [String]) async -> [Int] {
            var list: [Int] = []
            for host in hosts { list.append(await world.send("GET", "/healthz", host: host).status) }
            return list
        }
        let hosts = [
            "127.0.0.1:22100", "localhost:22100", "[::1]:22100", "evil.example.org", "127.0.0.1.evil.example.org",
            "plugs.example.org", "192.0.2.7:22100", "", "a b", "localhost/..",
        ]
        let local = try await WebWorld()
        #expect(await statuses(local, hosts) == [200, 200, 200, 421, 421, 421, 421, 421, 421, 421])
        let open = try await WebWorld(publicURL: "https://plugs.example.org", listen: "0.0.0.0:80")
        #expect(await statuses(open, hosts) == [200, 200, 200, 421, 421, 200, 200, 421, 421, 421])
        let named = try await WebWorld(listen: "192.0.2.7:22100")
        #expect(await statuses(named, hosts) == [421, 421, 421, 421, 421, 421, 200, 421, 421, 421])
    }

    // MARK: Answers

    @Test func everyAnswerHasTheHeaders() async throws {
        let world = try await WebWorld()
        for target in ["/healthz", "/nothing", "/operator", "/api/v3/applications", "/assets/host.css"] {
            let answer = await world.send("GET", target)
            let policy =
                "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                + "base-uri 'none'"
            #expect(answer.header("Content-Security-Policy") == policy)
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
            #expect(answer.header("Referrer-Policy") == "no-referrer")
            #expect(
                answer.header("Cache-Control") == (target.hasPrefix("/assets") ? "private, max-age=3600" : "no-store")
            )
            #expect(answer.header("Strict-Transport-Security") == nil)
        }
    }

    @Test func errorsArePagesForPeopleAndProblemsForPrograms() async throws {
        let world = try await WebWorld()
        let page = await world.send("GET", "/<b>")
        #expect(page.status == 404 && page.type == "text/html; charset=utf-8")
        #expect(
            page.text.contains("There is nothing at this address") && !page.text.contains("b&gt;")
                && !page.text.contains("<b>")
        )
        let problem = await world.send("GET", "/api/v1/nothing")
        #expect(problem.status == 404 && problem.type == "application/problem+json")
        #expect(
            problem.text
                == #"{"title":"Not Found","status":404,"code":"route-unknown","detail":"there is nothing at this address","advice":null}"#
        )
        let method = await world.send("DELETE", "/healthz")
        #expect(method.status == 405 && method.header("Allow") == "GET")
    }

    @Test func bodiesAreBounded() async throws {
        let route = HostRoute(.post, "/api/v1/echo", .anybody, body: .json) { .json(.object(try $0.object())) }
        let world = try await WebWorld(more: [route])
        let json = [("Content-Type", "application/json")]
        func post(_ body: String, _ headers: [(String, String)]) async -> String {
            let answer = await world.send("POST", "/api/v1/echo", headers, body: body)
            return "\(answer.status) \(answer.code ?? answer.text)"
        }
        let large = #"{"a":""# + String(repeating: "x", count: 64 << 10) + #""}"#
        let answers = [
            await post(#"{"a":1}"#, json), await post(large, json), await post("[]", json), await post("{", json),
            await post("{}", [("Content-Type", "text/plain")]),
            await post(String(repeating: "[", count: 40), json),
        ]
        #expect(
            answers == [
                #"200 {"a":1}"#, "413 body-large", "400 body-unreadable", "400 body-unreadable", "415 body-type",
                "400 body-unreadable",
            ]
        )
    }

    @Test func logInsAreTriedOnlySoOften() async throws {
        let world = try await WebWorld()
        var statuses: [Int] = []
        for _ in 1...11 { statuses.append(await world.send("GET", "/operator/login?token=x").status) }
        #expect(statuses == Array(repeating: 410, count: 10) + [429])
        let refused = await world.send("GET", "/operator/login?token=x")
        #expect(refused.header("Retry-After") == "2" && refused.text.contains("too-often"))
        // Somebody else, and another route.
        #expect(await world.send("GET", "/operator/login?token=x", peer: "192.0.2.2").status == 410)
        #expect(await world.send("GET", "/healthz").status == 200)
        world.clock.advance(.seconds(2))
        #expect(await world.send("GET", "/operator/login?token=x").status == 410)
    }

    @Test func theTableOfAddressesDoesNotGrow() async throws {
        let clock = MovableClock()
        let limits = PeerLimits(capacity: 3, clock: clock)
        let limit = RateLimit(count: 60, per: .seconds(60), burst: 1)
        func take(_ peers: String...) -> [Int?] { peers.map { limits.take(limit, peer: $0, route: "r") } }
        #expect(take("a", "b", "c", "d") == [nil, nil, nil, nil])
        // Those that found no place share one bucket.
        #expect(take("e", "a") == [1, 1])
        clock.advance(.seconds(1))
        #expect(take("e", "f", "a", "g") == [nil, nil, nil, nil])
        // An IPv6 network is one address.
        let roomy = PeerLimits(clock: clock)
        func peer(_ text: String) -> Int? { roomy.take(limit, peer: text, route: "r") }
        #expect([peer("2001:db8::1"), peer("2001:db8::2"), peer("2001:db8:0:1::1")] == [nil, 1, nil])
        #expect([peer("::ffff:192.0.2.1"), peer("::ffff:192.0.2.2")] == [nil, nil])
    }
}

/// Bodies that do not come.
struct SlowBodyTests {
    /// A clock whose time limits are over at once.
    private struct ImpatientClock: HostClock {
        func now() -> Int64 { 1_795_000_000_000_000 }
        func random() -> Double { 0.5 }
        func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
        func timeout(after duration: Duration) async throws { try Task.checkCancellation() }
    }

    @Test(
        arguments: [
            (
                "127.0.0.1:22100", nil,
                [
                    ("127.0.0.1:22100", true), ("localhost:22100", true), ("LOCALHOST:22100", true),
                    ("[::1]:22100", true),
                    ("127.0.0.1", true), ("127.0.0.1:1", false), ("localhost:99999", false), ("localhost:", false),
                    ("127.0.0.1:22100@evil.example", false), ("evil.example@127.0.0.1:22100", false), ("", false),
                    ("127.0.0.1:22100/x", false), ("127.0.0.1:22100?x", false), ("127.0.0.1:22100#x", false),
                    ("127.0.0.1:22100 ", false), ("evil.example:22100", false), ("127.0.0.1:22100,evil.example", false),
                    ("127.0.0.1:+22100", false), ("127.0.0.1:022100", false), ("127.1:22100", false),
                ]
            ),
            (
                "127.0.0.1:22100", "https://plugs.example.org",
                [
                    ("plugs.example.org", true), ("Plugs.example.org:443", true), ("plugs.example.org:22100", true),
                    ("plugs.example.org:8443", false), ("plugs.example.org.", false), ("localhost:22100", true),
                ]
            ),
            (
                "0.0.0.0:22100", nil,
                [
                    ("192.0.2.7:22100", true), ("192.0.2.7:8080", true), ("localhost:8080", true),
                    ("evil.example", false),
                ]
            ),
        ] as [(String, String?, [(String, Bool)])]
    )
    func aHostAnswersUnderItsOwnNamesAndPortsOnly(_ listen: String, _ url: String?, _ rows: [(String, Bool)]) throws {
        let address = try #require(ListenAddress(listen))
        let names = HostNames(publicURL: try url.map { try HTTPURL($0) }, listen: address)
        for (header, isOurs) in rows { #expect(names.isOurs(header) == isOurs, "'\(header)' at \(listen)") }
    }

    @Test func operatorsAreShownTheirOwnWayIn() async throws {
        let world = try await WebWorld()
        let page = await world.send("GET", "/operator").text
        #expect(page.contains("<code>plughost operator link</code>"))
        #expect(!page.contains("Log in with your PDA") && !page.contains("href=\"/login\""))
        #expect(await world.send("GET", "/connections").text.contains("Log in with your PDA"))
        let logIn = await world.send("GET", "/operator/login?token=x").text
        #expect(!logIn.contains("href=\"/login\""), "\(logIn)")
    }

    @Test func aBodyThatDoesNotComeIsNotWaitedFor() async throws {
        let route = HostRoute(.post, "/api/v1/echo", .anybody, body: .json) { .json(.object(try $0.object())) }
        let listen = ListenAddress(host: "127.0.0.1", port: 1)
        let responder = HostResponder(
            RouteTable([route]),
            names: HostNames(publicURL: nil, listen: listen),
            visitors: nil,
            clock: ImpatientClock()
        )
        let headers = [
            HTTPHeader("Host", "127.0.0.1:1"), HTTPHeader("Content-Type", "application/json"),
            HTTPHeader("Content-Length", "2"),
        ]
        let request = IncomingRequest(
            method: "POST",
            target: "/api/v1/echo",
            headers: HTTPHeaders(headers),
            peer: "192.0.2.1"
        ) { _ in
            // Until it is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw CancellationError()
        }
        let (answer, isRead) = await responder.answer(request)
        // What is left of the body may come as long as it likes: the connection ends.
        #expect(answer.status == 408 && answer.code == "body-slow" && !isRead)
    }
}

extension WebSecurityTests {
    /// Sessions last for hours; who is taken from 'operators' is out at once.
    @Test func whoIsNoOperatorAnyMoreIsNobody() async throws {
        let plugs = HostPlugs(HostPlugs.Content([], clients: [:], operators: ["ada", "grace"]))
        let world = try await WebWorld(plugs: plugs)
        let ada = try await world.browser(.operator, "ada")
        func status() async -> Int { await world.send("GET", "/operator", [cookie(ada)]).status }
        #expect(await status() == 200)
        plugs.replace(with: HostPlugs.Content([], clients: [:], operators: ["grace"]))
        #expect(await status() != 200)
    }
}
