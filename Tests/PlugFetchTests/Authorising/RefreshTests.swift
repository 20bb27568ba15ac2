import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugManifest
import TestKit
import Testing

/// Access tokens are renewed in time, once, and nothing is lost on the way.
struct RefreshTests {
    @Test func aTokenThatLivesIsUsedAndNobodyIsAsked() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.tokenRequests == 0)
    }

    @Test func aTokenIsRenewedBeforeItsEndAndTheNewRefreshTokenIsKept() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        let first = try await bench.kept()
        bench.bench.clock.advance(.seconds(3600 - 299))
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.paths == ["/token", "/items"])
        let second = try await bench.kept()
        #expect(second["refresh_token"] != first["refresh_token"] && second["refresh_token"] != nil)
        #expect(second["previous_refresh_token"] == first["refresh_token"])
        #expect(second["rotates"] == .bool(true) && second["shown"] == nil && second["dead"] == nil)
        // The next run goes on with it.
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.tokenRequests == 1)
    }

    @Test func withoutRotationTheRefreshTokenStays() async throws {
        var service = OAuthService()
        service.rotates = false
        let bench = try await GrantBench(GrantBench.consent, service)
        try await bench.connect()
        let first = try await bench.kept()
        for _ in 0..<3 {
            bench.bench.clock.advance(.seconds(3600))
            #expect(try await bench.read().ids == [1, 2])
        }
        let last = try await bench.kept()
        #expect(last["refresh_token"] == first["refresh_token"] && last["previous_refresh_token"] == nil)
        #expect(last["rotates"] == .bool(false) && bench.wire.tokenRequests == 3)
    }

    @Test func anAnswer401RenewsTheTokenOnceAndTheRequestIsSentOnceMore() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.wire.service.change { $0.expireAccessTokens() }
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.paths == ["/items", "/token", "/items"])
    }

    @Test func aSecond401EndsTheRunWith77() async throws {
        let bench = try await GrantBench(GrantBench.consent)
        try await bench.connect()
        bench.wire.service.change { $0.faults = [.body(#"{"access_token":"worthless","refresh_token":"r"}"#)] }
        bench.wire.service.change { $0.expireAccessTokens() }
        let reading = try await bench.read()
        #expect(reading.error?.code == "source-unauthorised" && reading.error?.exit == .authorisation)
        #expect(reading.error?.advice?.contains("renewed and is refused again") == true)
        #expect(bench.wire.paths == ["/items", "/token", "/items"])
    }

    @Test func withoutARefreshTokenA401SaysToConnectAgain() async throws {
        let bench = try await GrantBench()
        var grant = try bench.consented()
        grant.refreshToken = nil
        _ = try await bench.keep(grant)
        bench.wire.service.change { $0.expireAccessTokens() }
        let error = try await bench.read().error
        #expect(error?.exit == .authorisation && error?.advice?.contains("plughost connect") == true)
        #expect(bench.wire.paths == ["/items"])
    }

    @Test func aDeadGrantSaysToConnectAgainAndIsNotAskedForAnyMore() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.wire.service.change { $0.withdraw() }
        let error = try await bench.read().error
        #expect(error?.code == "connect-again" && error?.exit == .authorisation && error?.reach == .run)
        #expect(error?.advice?.contains("plughost connect") == true)
        #expect(try await bench.kept()["dead"] == .bool(true))
        let asked = bench.wire.paths.count
        #expect(try await bench.read().error?.code == "connect-again")
        #expect(bench.wire.paths.count == asked)
        // A new consent is all that it takes.
        try await bench.connect()
        #expect(try await bench.read().ids == [1, 2])
    }

    @Test func nobodyHasConsentedYet() async throws {
        let error = try await GrantBench().read().error
        #expect(error?.code == "connect-first" && error?.exit == .authorisation)
        #expect(error?.advice?.contains("plughost connect") == true)
    }

    @Test func aConsentThatCameMeanwhileCountsAndNotTheOldOne() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        let fetcher = try bench.bench.fetcher(bench.wire)
        try await fetcher.readPage()
        bench.wire.service.change { $0.withdraw() }
        try await bench.connect()
        try await fetcher.readPage()
        #expect(bench.wire.tokenRequests == 0)
        #expect(try await bench.kept()["dead"] == nil)
    }

    // MARK: - Nobody knows what became of a refresh

    @Test func aRefreshWithoutAnAnswerIsTriedOnceMore() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { $0.faults = [.reset] }
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.tokenRequests == 2)
    }

    @Test func aRefreshThatIsNeverAnsweredPassesAndKeepsTheGrant() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { $0.faults = [.reset, .reset] }
        let error = try await bench.read().error
        #expect(error?.code == "token-doubtful" && error?.exit == .tryLater)
        #expect(bench.wire.tokenRequests == 2)
        #expect(try await bench.read().ids == [1, 2])
    }

    @Test func aRotatedTokenWhoseAnswerWasLostIsUnavoidablyTheEndOfTheGrant() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { $0.faults = [.resetAfterGiving] }
        let error = try await bench.read().error
        #expect(error?.code == "connect-again" && error?.message.contains("without an answer that was kept") == true)
        #expect(bench.wire.service.value.liveRefreshTokens == 0)
    }

    @Test func theRefreshTokenBeforeIsTriedOnceWhereTheServiceHasForgottenTheNewest() async throws {
        let bench = try await GrantBench()
        let good = try bench.consented()
        var grant = good
        grant.refreshToken = Secret("never-kept-by-the-service")
        grant.expires = bench.bench.clock.now()
        let kept = KeptGrant(grant, of: GrantOwner(client: "client")).content.reveal()
        var content = try #require(try JSONValue(parsing: kept).object)
        content["previous_refresh_token"] = .text(try #require(good.refreshToken).reveal())
        _ = try await bench.store.keepGrant(
            Secret(JSONValue.object(content).compactText),
            as: GrantBench.id,
            replacing: nil
        )
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.tokenRequests == 2)
    }

    // MARK: - Answers that are none

    @Test(
        arguments: [
            (.page(status: 200), "token-unreadable", PlugCore.ExitStatus.data),
            (.error("invalid_client", status: 401), "client-refused", .configuration),
            (.error("invalid_scope", status: 200), "token-refused", .authorisation),
            (.status(404, retryAfter: nil), "token-address", .configuration),
        ] as [(OAuthService.Fault, String, PlugCore.ExitStatus)]
    )
    func whatIsNoTokenHasAClearCode(fault: OAuthService.Fault, code: String, exit: PlugCore.ExitStatus) async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { $0.faults = [fault, fault, fault] }
        let error = try await bench.read().error
        #expect(error?.code.text == code && error?.exit == exit, "\(error as Any)")
        #expect(try await bench.kept()["dead"] == nil)
        // It was not the grant's fault.
        bench.wire.service.change { $0.faults = [] }
        #expect(try await bench.read().ids == [1, 2])
    }

    @Test(arguments: ["0", "-1", "null", "\"soon\"", "\"3600\""])
    func anEndThatCannotBeIsNone(expires: String) async throws {
        var service = OAuthService()
        service.expiresIn = expires
        let bench = try await GrantBench(GrantBench.consent, service)
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        #expect(try await bench.read().ids == [1, 2])
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.tokenRequests == 1)
    }

    @Test func aServiceThatFailsIsWaitedFor() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { $0.faults = [.status(429, retryAfter: "7"), .status(503, retryAfter: "9")] }
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.bench.clock.waits == [.seconds(7), .seconds(9)])
    }

    @Test func aRenewalAheadOfTheEndThatFailsStopsNothing() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600 - 200))
        bench.wire.service.change { $0.faults = [.status(503, retryAfter: "3600")] }
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.bench.events.warnings == ["renewal-failed"])
        #expect(bench.wire.paths == ["/token", "/items"] && bench.bench.clock.waits == [])
    }

    @Test func lessThanWasAskedForIsToldOnce() async throws {
        var service = OAuthService()
        service.scope = "a"
        let bench = try await GrantBench("scopes: [a, b], " + GrantBench.consent, service)
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.bench.events.warnings == ["scope-missing"])
        #expect(bench.bench.events.messages.first?.hasSuffix("did not grant 'b'") == true)
    }

    // MARK: - Secrets

    @Test func noTokenIsInAnyMessage() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { service in
            service.faults = [
                .body(#"{"access_token":"new-token-1","refresh_token":"new-refresh-1","expires_in":3600}"#),
                .page(status: 400), .page(status: 400),
            ]
        }
        let error = try await bench.read().error
        let texts = bench.bench.events.all.map { "\($0)" } + ["\(error as Any)"]
        for secret in ["new-token-1", "new-refresh-1", "s3cr3t", "access", "refresh-"] {
            #expect(!texts.contains { $0.contains(secret) && secret.count > 7 }, "\(secret): \(texts)")
        }
    }

    @Test func aHostWithoutAClientSaysSo() async throws {
        var bench = try await GrantBench()
        bench.bench.options.clients = [:]
        let error = #expect(throws: PlugError.self) { _ = try bench.bench.fetcher(bench.wire) }
        #expect(error?.code == "client-missing" && error?.exit == .configuration)
        #expect(error?.message.contains("'test'") == true)
    }
}
