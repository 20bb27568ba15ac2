import Connecting
import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugStorage
import Syncing
import TestKit
import Testing

/// Consents with OAuth 1.0a in the browser, with a service on real sockets that verifies signatures.
@Suite(.fewAtATime)
struct OAuth1ConnectingTests {
    private func grant(_ world: SourceWorld) async throws -> KeptGrant? {
        let id = GrantID(connection: ada, name: KeptGrant.consent)
        return try await world.store.grant(id).map { try KeptGrant($0.content) }
    }

    @Test func aPersonConsentsAndTheConnectionIsDue() async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world in
            let query = try await world.consented()
            // The answer is read by another process.
            let account = try await world.answer(query)
            #expect(account.who == "ann" && account.missing == [] && account.unchecked == nil)
            let service = world.first.service.value
            #expect(service.signed == ["/request": 1, "/access": 1, "/me": 1] && service.refusals == [])
            let kept = try #require(try await grant(world))
            #expect(kept.grant.tokenSecret != nil && kept.grant.refreshToken == nil && kept.grant.expires == nil)
            let setup = try await world.store.setup(of: ada)
            #expect(setup?.status == .active && setup?.dueAt == world.clock.now())
            #expect(await code { _ = try await world.answer(query) } == "consent-used")
            #expect(world.first.service.value.signed["/access"] == 1)
        }
    }

    @Test func aRunReadsTheAccountUntilTheServiceRefuses() async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world in
            #expect(await code { try await read(world) } == "connect-first")
            _ = try await world.answer(world.consented())
            #expect(await code { try await read(world) } == nil)
            #expect(world.first.service.value.signed["/items"] == 1)
            world.first.set { $0.withdraw() }
            do {
                try await read(world)
                Issue.record("it was read")
            } catch let error as PlugError {
                #expect(error.code.text == "source-unauthorised" && error.advice?.hasPrefix("connect again") == true)
                for secret in world.first.service.value.given { #expect(!"\(error)".contains(secret)) }
            }
            // With another consumer it is another's consent.
            let other = ["my-plug": ClientIdentity(id: "other", secret: Secret("s3cr3t"), place: .body)]
            #expect(await code { try await read(world, clients: other) } == "connect-first")
        }
    }

    private func read(_ world: SourceWorld, clients: [String: ClientIdentity]? = nil) async throws {
        let content = world.plugs.current
        // The clock's chance is always the same, and a nonce is good for one request in a second.
        world.clock.advance(.seconds(1))
        var options = FetchOptions()
        (options.connection, options.grants) = (ada, world.store)
        options.clients = clients ?? content.clients
        let fetcher = try DeclarativeFetcher(
            manifest: content.manifest(of: "my-plug", for: ada),
            config: JSONObject(),
            transport: world.transport,
            clock: world.clock,
            options: options
        )
        try await fetcher.withReader(of: "items", from: NoStates()) { reader in
            while try await reader.next() != nil {}
        }
    }

    private struct NoStates: StreamStates {
        func state(of part: String) async throws -> StreamState? { nil }
    }

    @Test func answersCountOnceInTheBrowserThatAskedWithinTenMinutesAtTheProvidersAddress() async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world in
            let query = try await world.consented()
            let other = BrowserSession(id: Secret("another cookie"))
            #expect(await code { _ = try await world.answer(query, in: other) } == "consent-foreign")
            #expect(await code { _ = try await world.answer("oauth_token=x&oauth_verifier=y") } == "consent-foreign")
            #expect(await code { _ = try await world.answer("oauth_verifier=y") } == "consent-foreign")
            let elsewhere = await code {
                let address = "http://127.0.0.1:1/callback/other"
                _ = try await world.connecting.answer(query, at: address, in: world.browser)
            }
            #expect(elsewhere == "consent-foreign")
            // That others have tried does no harm.
            #expect(try await world.answer(query).who == "ann")
            let late = try await world.consented()
            world.clock.advance(.seconds(600))
            #expect(await code { _ = try await world.answer(late) } == "consent-expired")
            #expect(world.first.service.value.signed["/access"] == 1)
        }
    }

    @Test(arguments: [OAuth1Service.Denial.denied, .problem, .bare])
    func whoSaysNoIsTold(_ denial: OAuth1Service.Denial) async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world in
            world.first.set { $0.denial = denial }
            let denied = try await world.consented()
            #expect(try await world.connecting.waiting(denied, at: SourceWorld.callback, in: world.browser)?.id == ada)
            let expected = if case .bare = denial { "consent-failed" } else { "consent-denied" }
            #expect(await code { _ = try await world.answer(denied) } == expected)
            let kept = try await grant(world)
            #expect(try await world.status() == .reconnect && kept == nil)
            world.first.set { $0.denial = nil }
            #expect(try await world.answer(world.consented()).who == "ann")
        }
    }

    @Test(
        "what is wrong with the service's first answer is told, and nothing is begun",
        arguments: [
            (OAuth1Service.Fault.answer(200, "oauth_token=a&oauth_token_secret=b"), "token-unreadable"),
            (.answer(401, ""), "client-refused"), (.answer(404, ""), "token-address"),
            (.answer(503, ""), "token-unavailable"), (.reset, "token-unreachable"),
        ]
    )
    func first(_ fault: OAuth1Service.Fault, _ expected: String) async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world async throws in
            world.first.set { $0.faults = [fault] }
            #expect(await code { _ = try await world.consented() } == expected)
            #expect(try await world.answer(world.consented()).who == "ann")
        }
    }

    @Test(
        "what is wrong with the answer to a verifier is told, and nothing is kept",
        arguments: [
            (OAuth1Service.Fault.answer(200, "oauth_token=a"), "token-unreadable"),
            (.answer(401, "oauth_problem=token_expired"), "token-refused"), (.answer(502, ""), "token-unavailable"),
            (.answer(200, "oauth_token=of-no-use&oauth_token_secret=b"), "source-unauthorised"),
        ]
    )
    func last(_ fault: OAuth1Service.Fault, _ expected: String) async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world in
            let query = try await world.consented()
            world.first.set { $0.faults = [fault] }
            #expect(await code { _ = try await world.answer(query) } == expected)
            let kept = try await grant(world)
            #expect(try await world.status() == .reconnect && kept == nil)
        }
    }

    @Test func temporaryCredentialsAreGoodForOneConsent() async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world async throws in
            let same = "oauth_token=a&oauth_token_secret=b&oauth_callback_confirmed=true"
            world.first.set { $0.faults = [.answer(200, same), .answer(200, same)] }
            func begin() async throws {
                _ = try await world.connecting.begin(ada, in: world.browser) { _ in SourceWorld.callback }
            }
            try await begin()
            #expect(await code { try await begin() } == "token-unreadable")
        }
    }

    @Test func aServiceThatHangsHoldsNobodyUp() async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world in
            let query = try await world.consented()
            world.first.set { $0.faults = [.hang] }
            var connecting = world.connecting
            connecting.exchangeLimit = .milliseconds(200)
            let hung = connecting
            let told = await code { _ = try await hung.answer(query, at: SourceWorld.callback, in: world.browser) }
            #expect(told == "token-unreachable")
        }
    }

    @Test func disconnectingForgetsTheTokenAndTheAccountStays() async throws {
        try await SourceWorld.with(SourceWorld.oauth1) { world in
            _ = try await world.answer(world.consented())
            let disconnecting = Disconnecting(world.store, world.plugs, world.throttling, clock: world.clock)
            #expect(try await disconnecting.disconnect(ada) == .unsupported)
            let kept = try #require(try await grant(world))
            #expect(kept.isDead && kept.grant.accessToken == nil && kept.grant.tokenSecret == nil)
            #expect(await code { try await read(world) } == "connect-again")
            #expect(try await world.answer(world.consented()).who == "ann")
        }
    }
}
