import Connecting
import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugStorage
import TestKit
import Testing

/// Consents in the browser, with a service on real sockets.
@Suite(.fewAtATime)
struct SourceConnectingTests {
    private func grant(_ world: SourceWorld) async throws -> KeptGrant? {
        let id = GrantID(connection: ada, name: KeptGrant.consent)
        return try await world.store.grant(id).map { try KeptGrant($0.content) }
    }

    @Test func aPersonConsentsAndTheConnectionIsDue() async throws {
        try await SourceWorld.with { world in
            let step = try await world.connecting.begin(ada, in: world.browser) { "http://127.0.0.1:1/callback/\($0)" }
            guard case .browser(let url) = step else { throw SourceWorld.NoBrowser() }
            let query = url.query ?? ""
            for part in [
                "code_challenge_method=S256", "scope=read%20list", "redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2F",
            ] {
                #expect(query.contains(part))
            }
            // The answer is read by another process.
            let account = try await world.answer(world.back(from: url))
            #expect(account.who == "ann" && account.missing == [] && account.unchecked == nil)
            #expect(try await grant(world)?.grant.scopes == ["read", "list"])
            let setup = try await world.store.setup(of: ada)
            #expect(setup?.status == .active && setup?.dueAt == world.clock.now())
            #expect(try await world.store.audit(of: ada).map(\.what) == ["connected again", "made"])
        }
    }

    @Test func whatWasNotGrantedIsTold() async throws {
        try await SourceWorld.with { world in
            world.service.set { $0.scope = "list" }
            let account = try await world.answer(world.consented())
            #expect(account.missing == ["read"])
        }
    }

    @Test("an answer counts once, in the browser that asked, within ten minutes, at the provider's address")
    func onlyOnce() async throws {
        try await SourceWorld.with { world in
            let query = try await world.consented()
            let other = BrowserSession(id: Secret("another cookie"))
            #expect(await code { _ = try await world.answer(query, in: other) } == "consent-foreign")
            #expect(await code { _ = try await world.answer("code=1&state=x") } == "consent-foreign")
            #expect(await code { _ = try await world.answer("code=1") } == "consent-foreign")
            // That others have tried does no harm.
            #expect(try await world.answer(query).who == "ann")
            #expect(await code { _ = try await world.answer(query) } == "consent-used")
            #expect(world.service.service.value.requests["authorization_code"] == 1)

            let late = try await world.consented()
            world.clock.advance(.seconds(600))
            #expect(await code { _ = try await world.answer(late) } == "consent-expired")

            let elsewhere = try await world.consented()
            let mixed = await code {
                _ = try await world.connecting.answer(
                    elsewhere,
                    at: "http://127.0.0.1:1/callback/other",
                    in: world.browser
                )
            }
            #expect(mixed == "consent-issuer")
            #expect(await code { _ = try await world.answer(elsewhere) } == "consent-used")
            #expect(world.service.service.value.requests["authorization_code"] == 1)
        }
    }

    @Test func anotherIssuerDeniedAndErrorsAreTold() async throws {
        try await SourceWorld.with { world in
            world.service.set { $0.issuer = "https://evil.example" }
            let foreign = try await world.consented()
            #expect(await code { _ = try await world.answer(foreign) } == "consent-issuer")
            world.service.set { ($0.issuer, $0.consents) = (nil, false) }
            let denied = try await world.consented()
            #expect(await code { _ = try await world.answer(denied) } == "consent-denied")
            #expect(world.service.service.value.requests.isEmpty)
            #expect(try await world.status() == .reconnect)
            do { _ = try await world.answer(denied) } catch let error as PlugError {
                #expect(error.advice?.contains("plughost") == false)
            }
        }
    }

    @Test(
        "what is wrong with the service's answer is told, and nothing is kept",
        arguments: [
            (OAuthService.Fault.page(status: 200), "token-unreadable"),
            (.page(status: 502), "token-unavailable"),
            (.error("invalid_client", status: 401), "client-refused"),
            (.error("invalid_grant", status: 400), "token-refused"),
            (.body(#"{"error":"x"}"#), "token-refused"),
            (.body(#"{"access_token":""}"#), "token-unreadable"),
            (.reset, "token-unreachable"),
            (.resetAfterGiving, "token-unreachable"),
            (.body(#"{"access_token":"of-no-use"}"#), "source-unauthorised"),
        ]
    )
    func faults(_ fault: OAuthService.Fault, _ expected: String) async throws {
        try await SourceWorld.with { world in
            let query = try await world.consented()
            world.service.set { $0.faults = [fault] }
            #expect(await code { _ = try await world.answer(query) } == expected)
            #expect(try await grant(world) == nil)
            #expect(try await world.status() == .reconnect)
            // The person begins again.
            #expect(try await world.answer(world.consented()).who == "ann")
        }
    }

    /// The service has the code, and nobody knows what it did with it: the person is told, in bounded time, and begins again.
    @Test func aServiceThatHangsHoldsNobodyUp() async throws {
        try await SourceWorld.with { world in
            let query = try await world.consented()
            world.service.set { $0.faults = [.hang] }
            var connecting = world.connecting
            connecting.exchangeLimit = .milliseconds(200)
            do {
                _ = try await connecting.answer(query, at: SourceWorld.callback, in: world.browser)
                Issue.record("it answered")
            } catch let error as PlugError {
                #expect(error.code.text == "token-unreachable" && error.exit == .unreachable)
                #expect(error.message.contains(world.service.authority), "\(error)")
                let advice = "the service has trouble: begin again in some minutes, from the connection's page"
                #expect(error.advice == advice, "\(error)")
            }
            #expect(try await grant(world) == nil)
            #expect(try await world.status() == .reconnect)
            #expect(try await world.answer(world.consented()).who == "ann")
        }
    }

    /// A page for people where tokens should be is quoted nowhere as a whole, and no secret of the exchange with it.
    @Test func aPageInPlaceOfTokensIsToldWithoutWhatWasSent() async throws {
        try await SourceWorld.with { world in
            let query = try await world.consented()
            world.service.set { $0.faults = [.page(status: 200)] }
            do { _ = try await world.answer(query) } catch let error as PlugError {
                let text = "\(error)"
                #expect(error.code.text == "token-unreadable" && text.contains(world.service.authority), "\(text)")
                #expect(!text.contains("s3cr3t") && !text.contains("<title>"), "\(text)")
            }
        }
    }

    @Test("times of every kind are understood", arguments: [#""3600""#, nil, "0", "-1"])
    func expiries(_ expiresIn: String?) async throws {
        try await SourceWorld.with { world in
            world.service.set { $0.expiresIn = expiresIn }
            let account = try await world.answer(world.consented())
            #expect(account.who == "ann")
            let status = try await world.status()
            #expect(status == .active)
        }
    }

    @Test func anotherAccountIsRefusedAndTheFirstOneStays() async throws {
        try await SourceWorld.with { world in
            _ = try await world.answer(world.consented())
            let before = try await grant(world)
            let id = GrantID(connection: ada, name: "account")
            try await KeptAccount.keep(label: "bob", of: ada, in: world.store)
            #expect(try await world.store.grant(id) != nil)
            let query = try await world.consented()
            let error = await #expect(throws: PlugError.self) { _ = try await world.answer(query) }
            #expect(error?.code.text == "account-other")
            #expect(error?.message.contains("bob") == true && error?.message.contains("ann") == true)
            #expect(try await grant(world) == before)
            #expect(try await KeptAccount.label(of: ada, in: world.store) == "bob")
        }
    }

    @Test func whoPausedAConnectionFindsItPaused() async throws {
        try await SourceWorld.with { world in
            let change = AuditEntry(at: 1, who: "person", what: "paused")
            _ = try await world.store.changeSetup(of: ada, status: .paused, dueAt: nil, change)
            _ = try await world.answer(world.consented())
            #expect(try await world.status() == .paused)
        }
    }

    // MARK: - Devices

    @Test func aDeviceIsAskedAboutByTheHostAlsoAfterARestart() async throws {
        try await SourceWorld.with(SourceWorld.device) { world in
            world.service.set { $0.deviceErrors = ["authorization_pending", "slow_down", "authorization_pending"] }
            let step = try await world.connecting.begin(ada, in: world.browser) { $0 }
            guard case .device(let begun) = step else { throw SourceWorld.NoBrowser() }
            #expect(begun.userCode == "WDJB-MJHT" && begun.address?.description == "http://127.0.0.1/device")
            let device = "urn:ietf:params:oauth:grant-type:device_code"
            // After 5, 5, 10 and 10 seconds; never sooner.
            for (wait, asked) in [(5, 1), (5, 2), (10, 3), (10, 4)] {
                world.clock.advance(.seconds(wait - 1))
                #expect(try await world.connecting.pollDueDevices() == 0)
                world.clock.advance(.seconds(1))
                let running = try #require(try await world.connecting.device(begun.id, in: world.browser))
                #expect(running.end == nil && running.userCode == begun.userCode)
                #expect(try await world.connecting.pollDueDevices() == 1)
                #expect(world.service.service.value.requests[device] == asked)
            }
            let ended = try #require(try await world.connecting.device(begun.id, in: world.browser))
            #expect(ended.end?.who == "ann" && ended.end?.code == nil)
            #expect(try await world.status() == .active)
            let other = BrowserSession(id: Secret("another cookie"))
            #expect(try await world.connecting.device(begun.id, in: other) == nil)
            world.clock.advance(.seconds(60))
            #expect(try await world.connecting.pollDueDevices() == 0)
        }
    }

    @Test(
        "the end of a code is told",
        arguments: [
            ("access_denied", "consent-denied"), ("expired_token", "consent-expired"),
            ("invalid_grant", "token-refused"),
        ]
    )
    func deviceEnds(_ fault: String, _ expected: String) async throws {
        try await SourceWorld.with(SourceWorld.device) { world in
            world.service.set { $0.deviceErrors = [fault] }
            let step = try await world.connecting.begin(ada, in: world.browser) { $0 }
            guard case .device(let begun) = step else { throw SourceWorld.NoBrowser() }
            world.clock.advance(.seconds(5))
            #expect(try await world.connecting.pollDueDevices() == 1)
            let end = try await world.connecting.device(begun.id, in: world.browser)?.end
            #expect(end?.code == expected && end?.message != nil && end?.advice?.contains("plughost connect") == false)
            #expect(try await world.status() == .reconnect)
        }
    }

    // MARK: - Forms

    @Test func aFormAsksWhatTheManifestAsksAndShowsNoSecret() async throws {
        let answers = JSONObject([("key", .text("k-1")), ("region", .text("us"))])
        try await SourceWorld.with(SourceWorld.key, config: SourceWorld.keyConfig, answers: answers) { world in
            let form = try await world.connecting.form(of: ada)
            #expect(form.fields.map(\.name) == ["key", "region"])
            #expect(form.fields.map(\.title) == ["Key", "region"])
            #expect(form.fields.map(\.isSecret) == [true, false])
            #expect(form.fields.map(\.isRequired) == [true, false])
            #expect(form.fields.map(\.value) == [nil, "us"])
            #expect(form.fields[1].choices == ["eu", "us"])
            #expect(!"\(form.fields)".contains("k-1"))
        }
    }

    @Test func aKeyIsCheckedBeforeItIsKept() async throws {
        try await SourceWorld.with(SourceWorld.key, config: SourceWorld.keyConfig) { world in
            world.service.set { $0.live["good"] = "" }
            #expect(
                await code { _ = try await world.connecting.fill([("key", "bad")], of: ada) } == "source-unauthorised"
            )
            #expect(try await world.status() == .reconnect)
            #expect(try await world.connecting.form(of: ada).fields[0].isAnswered == false)
            let wrong = await #expect(throws: SourceForm.Problems.self) {
                _ = try await world.connecting.fill([("key", ""), ("region", "mars")], of: ada)
            }
            #expect(wrong?.all.map(\.name) == ["key", "region"])
            #expect(wrong?.all.map(\.message) == ["is missing", "should be one of eu and us"])
            let account = try await world.connecting.fill([("key", "good"), ("region", "us")], of: ada)
            #expect(account?.who == "ann" && account?.isChecked == true)
            #expect(try await world.status() == .active)
            // A secret that is left empty stays.
            #expect(try await world.connecting.fill([("key", ""), ("region", "eu")], of: ada)?.who == "ann")
            #expect(try await world.connecting.form(of: ada).fields.map(\.isAnswered) == [true, true])
        }
    }
}
