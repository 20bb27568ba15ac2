import Connecting
import CurlTransport
import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugHostWeb

/// How people connect plugs, page by page, with a PDA and a service on real sockets.
@Suite(.fewAtATime)
struct ConnectTests {
    @Test func aPersonConnectsAnAccountFromThePlugsPage() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            #expect(await browser.get("/").text.contains("href=\"/plugs/code\""))
            let plug = await browser.get("/plugs/code")
            for part in ["&lt;b&gt;code&lt;/b&gt;", "Things &amp; more", "href=\"/plugs/code/connect\"", "<li>Items"] {
                #expect(plug.text.contains(part), "\(part)")
            }
            #expect(!plug.text.contains("<b>code</b>"))
            _ = await browser.get("/plugs/code/connect")
            let left = await browser.submit("/plugs/code/connect", [("pda", world.pda.authority)])
            let setup = PercentEncoding.segment("\(WebWorld.origin)/plugs/code/setup")
            let declined = PercentEncoding.segment("\(WebWorld.origin)/plugs/code/declined")
            #expect(
                left.header("Location") == "\(world.home)/#/hatlogin?name=code&redirect=\(setup)&fallback=\(declined)"
            )
            let token = try world.token()
            let entered = await browser.get("/plugs/code/setup?token=\(token)")
            let source = try #require(entered.header("Location"))
            #expect(entered.status == 303 && source.hasPrefix("/connections/code-") && source.hasSuffix("/source"))
            let form = await browser.get(source)
            #expect(form.status == 200 && form.text.contains("name=\"streams\" value=\"items\" checked"))
            #expect(form.header("Content-Security-Policy")?.contains("form-action 'self' https: http:;") == true)
            let callback = try await world.consent(browser, at: source)
            let answered = await browser.get(callback)
            let outcome = try #require(answered.header("Location"))
            #expect(answered.status == 303 && outcome.hasPrefix("/outcomes/"))
            let end = await browser.get(outcome)
            #expect(end.status == 200 && end.text.contains("It reads the account of <b>ann</b>."))
            let id = ConnectionID(String(source.split(separator: "/")[1]))
            let kept = try await world.web.store.setup(of: id)
            #expect(kept?.status == .active && kept?.dueAt == world.web.clock.now())
            #expect(try await world.web.store.keptToken(of: id)?.token.reveal() == token)
            #expect(try await world.web.store.connection(id)?.pda == world.home)
            #expect(await browser.get("/connections").text.contains("· ann"))
            // Neither pages nor addresses that are shown have a secret in them.
            let code = try #require(callback.split(separator: "code=").last?.prefix { $0 != "&" })
            for text in await browser.seen where !text.hasPrefix(world.service.authority) {
                #expect(!text.contains(token) && !text.contains(String(code)))
            }
        }
    }

    @Test(
        "without streams or with a day that is none, the form is shown again",
        arguments: [
            ([("config.x", "1"), ("from", "")], "Choose at least one."),
            ([("streams", "items"), ("from", "2026-13-01")], "is not a date."),
        ]
    )
    func formsAreShownAgain(_ fields: [(String, String)], _ expected: String) async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let source = try await world.logIn(browser)
            _ = await browser.get(source)
            let again = await browser.submit(source, fields.map { (name: $0.0, value: $0.1) })
            #expect(again.status == 422 && again.text.contains(expected), "\(again.text)")
        }
    }

    @Test func whatWasChosenIsKept() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let source = try await world.logIn(browser)
            _ = await browser.get(source)
            let left = await browser.submit(source, [("streams", "more"), ("from", "2026-01-31")])
            #expect(left.header("Location")?.hasPrefix("http://\(world.service.authority)/authorize?") == true)
            let id = ConnectionID(String(source.split(separator: "/")[1]))
            let content = try #require(try await world.web.store.setup(of: id)?.content.reveal())
            #expect(
                content == #"{"config":{},"streams":["more"],"from":"2026-01-31","every":null,"cron":null,"zone":null}"#
            )
        }
    }

    // MARK: What goes wrong

    @Test func whoDeclinesAtThePDAIsToldAndCanGoOn() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            _ = await browser.get("/plugs/code/connect")
            _ = await browser.submit("/plugs/code/connect", [("pda", world.pda.authority)])
            let declined = await browser.get("/plugs/code/declined?error=access_denied")
            #expect(declined.status == 200 && declined.text.contains("did not let &lt;b&gt;code&lt;/b&gt; in"))
            #expect(declined.text.contains("action=\"/plugs/code/connect\""))
            let bare = await browser.get("/plugs/code/setup?error=access_denied")
            #expect(bare.status == 303 && bare.header("Location") == "/plugs/code/declined")
        }
    }

    @Test func whatIsNoPDAIsSaidBesideTheField() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            _ = await browser.get("/plugs/code/connect")
            let wrong = await browser.submit("/plugs/code/connect", [("pda", "<my pda>/x")])
            #expect(wrong.status == 422 && wrong.text.contains("id=\"pda-problem\" role=\"alert\""))
            #expect(wrong.text.contains("value=\"&lt;my pda&gt;/x\"") && !wrong.text.contains("<my"))
        }
    }

    /// The outcome that a callback leads to.
    private func outcome(_ browser: TestBrowser, _ callback: String) async throws -> HostAnswer {
        let left = await browser.get(callback)
        #expect(left.status == 303)
        let path = try #require(left.header("Location"))
        #expect(path.hasPrefix("/outcomes/"))
        return await browser.get(path)
    }

    @Test func aTokenOfAnotherPDAThanWasNamedIsRefused() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            _ = await browser.get("/plugs/code/connect")
            _ = await browser.submit("/plugs/code/connect", [("pda", world.pda.authority)])
            // A name that leads nowhere is found out before the browser is sent there.
            for name in ["nosuch.invalid", "127.0.0.1:1"] {
                _ = await world.person().get("/plugs/code/connect")
                let lost = world.person()
                _ = await lost.get("/plugs/code/connect")
                let page = await lost.submit("/plugs/code/connect", [("pda", name)])
                #expect(page.status == 422 && page.text.contains("does not answer as a PDA does"), "\(page.text)")
                #expect(page.header("Location") == nil)
            }
            let other = try world.token(issuer: "other.example.org")
            let end = try await outcome(browser, "/plugs/code/setup?token=\(other)")
            #expect(end.status == 422 && end.text.contains("pda-token-issuer"))
            #expect(end.text.contains("href=\"/plugs/code/connect\""))
            #expect(try await world.web.store.connections(at: world.home) == [])
        }
    }

    @Test func whoCancelsAtTheServiceIsToldAndCanGoOn() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let source = try await world.logIn(browser)
            world.service.set { $0.consents = false }
            let end = try await outcome(browser, world.consent(browser, at: source))
            #expect(end.status == 403 && end.title == "You did not let &lt;b&gt;code&lt;/b&gt; in")
            #expect(end.text.contains("href=\"\(source)\""))
            world.service.set { $0.consents = true }
            #expect(try await outcome(browser, world.consent(browser, at: source)).status == 200)
        }
    }

    @Test func answersCountOnceInTheBrowserThatAskedWithinTenMinutes() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let source = try await world.logIn(browser)
            let callback = try await world.consent(browser, at: source)
            let foreign = try await outcome(world.person(), callback)
            #expect(foreign.status == 400 && foreign.text.contains("consent-foreign"))
            #expect(try await outcome(browser, callback).status == 200)
            let replayed = try await outcome(browser, callback)
            #expect(replayed.status == 410 && replayed.text.contains("consent-used"))
            let late = try await world.consent(browser, at: source)
            world.web.clock.advance(.seconds(600))
            let expired = try await outcome(browser, late)
            #expect(expired.status == 410 && expired.title == "That took too long")
            let bare = try await outcome(browser, "/oauth/callback/code")
            #expect(bare.status == 400 && bare.text.contains("href=\"/connections\""))
        }
    }

    @Test func aServiceWithOAuth1IsConnectedAndToldOfLikeOthers() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            #expect(await browser.get("/plugs/first").text.contains("You log in at the service itself."))
            let source = try await world.logIn(browser, "first")
            let callback = try await world.consent(browser, at: source)
            #expect(callback.hasPrefix("/oauth/callback/first?oauth_token="))
            let foreign = try await outcome(world.person(), callback)
            #expect(foreign.status == 400 && foreign.text.contains("consent-foreign"))
            let end = try await outcome(browser, callback)
            #expect(end.status == 200 && end.text.contains("It reads the account of <b>ann</b>."), "\(end.text)")
            let replayed = try await outcome(browser, callback)
            #expect(replayed.status == 410 && replayed.text.contains("consent-used"))
            let late = try await world.consent(browser, at: source)
            world.web.clock.advance(.seconds(600))
            #expect(try await outcome(browser, late).title == "That took too long")
            for denial in [OAuth1Service.Denial.denied, .problem] {
                world.first.set { $0.denial = denial }
                let denied = try await outcome(browser, world.consent(browser, at: source))
                #expect(denied.status == 403 && denied.text.contains("href=\"\(source)\""), "\(denied.text)")
            }
            world.first.set { ($0.denial, $0.faults) = (nil, [.answer(401, "")]) }
            _ = await browser.get(source)
            let refused = await browser.submit(source, [("streams", "items")])
            #expect(refused.status == 422 && refused.text.contains("was not connected"), "\(refused.text)")
            for text in await browser.seen where !text.hasPrefix(world.first.authority) {
                for secret in world.first.service.value.given { #expect(!text.contains(secret)) }
            }
        }
    }

    @Test func anotherAccountIsRefusedAndNamed() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let name = try await world.connected(browser)
            try await KeptAccount.keep(label: "bob <i>", of: ConnectionID(name), in: world.web.store)
            let end = try await outcome(browser, world.consent(browser, at: "/connections/\(name)/source"))
            #expect(end.status == 409 && end.title == "This is another account")
            #expect(end.text.contains("bob &lt;i&gt;") && end.text.contains("ann"))
        }
    }

    @Test(arguments: [
        (OAuthService.Fault.page(status: 502), 502), (.error("invalid_grant", status: 400), 422), (.reset, 502),
    ])
    func whatTheServiceDoesWrongIsTold(_ fault: OAuthService.Fault, _ status: Int) async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let source = try await world.logIn(browser)
            let callback = try await world.consent(browser, at: source)
            world.service.set { $0.faults = [fault] }
            let end = try await outcome(browser, callback)
            #expect(end.status == status && end.text.contains("href=\"\(source)\""), "\(end.text)")
            #expect(!end.text.contains("plughost connect"))
        }
    }

    // MARK: The PDA's own way

    @Test func aPDAThatBringsATokenIsAskedAboutFirst() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let token = try world.token()
            let left = await browser.get("/plugs/code/setup?token=\(token)")
            let arrival = try #require(left.header("Location"))
            #expect(left.status == 303 && arrival.hasPrefix("/arrivals/"))
            let page = await browser.get(arrival)
            #expect(page.text.contains("<b>\(world.home)</b> wants to connect"))
            #expect(try await world.web.store.connections(at: world.home) == [])
            // Somebody who was led here does not see it, and cannot agree to it.
            let other = world.person()
            #expect(await other.get(arrival).status == 410)
            _ = await other.get("/login")
            #expect(await other.submit(arrival, []).status == 410)
            let agreed = await browser.submit(arrival, [])
            let source = try #require(agreed.header("Location"))
            #expect(agreed.status == 303 && source.hasSuffix("/source"))
            #expect(await browser.get(source).status == 200)
            // Once.
            #expect(await browser.submit(arrival, []).status == 410)
            // Whoever is logged in with this PDA need not agree again, and finds what was begun.
            let again = await browser.get("/plugs/code/setup?token=\(try world.token())")
            #expect(again.header("Location") == source)
            #expect(try await world.web.store.connections(at: world.home).count == 1)
        }
    }

    @Test func aTokenThatIsNoneLeadsToAPageThatSaysSo() async throws {
        try await PersonWorld.with { world in
            for token in ["x", try world.token("other")] {
                let end = try await outcome(world.person(), "/plugs/code/setup?token=\(token)")
                #expect(end.status == 422 && end.text.contains("pda-token-"))
            }
            let browser = world.person()
            let unknown = await browser.get("/plugs/none%2F/setup?token=\(try world.token("none"))")
            #expect(unknown.status == 303 && unknown.header("Location") == "/plugs/none%2F")
            #expect(await browser.get("/plugs/none%2F").status == 404)
        }
    }

    // MARK: Other ways

    @Test func aCodeForAnotherDeviceIsShownUntilItIsTyped() async throws {
        try await PersonWorld.with { world in
            let browser = world.person()
            let source = try await world.logIn(browser, "device")
            _ = await browser.get(source)
            let left = await browser.submit(source, [("streams", "items")])
            let path = try #require(left.header("Location"))
            let page = await browser.get(path)
            #expect(page.status == 200 && page.text.contains("WDJB-MJHT"))
            #expect(page.text.contains("<meta http-equiv=\"refresh\" content=\"5\">"))
            #expect(await world.person().get(path).status == 401)
            world.web.clock.advance(.seconds(5))
            #expect(try await world.web.connecting.pollDueDevices() == 1)
            let end = await browser.get(path)
            #expect(end.status == 200 && end.text.contains("<b>ann</b>") && !end.text.contains("http-equiv"))
            #expect(await browser.get("\(source.dropLast("source".count))devices/x").status == 410)
        }
    }

    @Test func aKeyIsAskedForAndCheckedAndNeverShown() async throws {
        try await PersonWorld.with { world in
            world.service.set { $0.live["good"] = "" }
            let browser = world.person()
            let source = try await world.logIn(browser, "key")
            let form = await browser.get(source)
            #expect(form.text.contains("<label for=\"config.key\">Your key</label>"))
            #expect(form.text.contains("type=\"password\""))
            let all = [(name: "streams", value: "items"), (name: "config.region", value: "us")]
            let missing = await browser.submit(source, all + [("config.key", "")])
            #expect(missing.status == 422 && missing.text.contains("id=\"config.key-problem\""))
            #expect(missing.text.contains("value=\"us\" selected"))
            let wrong = await browser.submit(source, all + [("config.key", "bad-key")])
            #expect(
                wrong.status == 422 && wrong.text.contains("The service refused the log-in or the key.")
                    && !wrong.text.contains("bad-key")
            )
            let right = await browser.submit(source, all + [("config.key", "good")])
            #expect(await browser.get(try #require(right.header("Location"))).text.contains("<b>ann</b>"))
            #expect(!(await browser.get(source).text.contains("good")))
        }
    }
}
