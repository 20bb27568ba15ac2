import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import TestKit
import Testing

/// What is kept of a grant serves those whom it belongs to, whatever else changes.
struct GrantOwnerTests {
    private static let token = "token: {url: \"https://api.test/token\"}"
    private static let config = "config: {key: {type: string, secret: true}, who: {type: string}}\n"

    @Test func aNewScopeOfAPlugTakesANewAccessTokenAndKeepsTheRefreshToken() async throws {
        let own = "grant: refresh_token, \(Self.token), refresh: {token: \"{{ config.key }}\"}"
        var bench = try await GrantBench(own + ", scopes: [a]", config: Self.config)
        bench.bench.config = ["key": .text(try #require(try bench.consented().refreshToken).reveal())]
        #expect(try await bench.read().ids == [1, 2])
        // The configured token is used up; the only one that works is in the vault.
        try bench.change(to: own + ", scopes: [a, b]", config: Self.config)
        #expect(try await bench.read().ids == [1, 2])
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.service.value.requests["refresh_token"] == 2)
        #expect(bench.wire.service.value.liveRefreshTokens == 1)
        try bench.change(
            to: own.replacing("\"https://api.test/token\"", with: "\"https://api.test/token?v=2\"")
                + ", scopes: [a, b]",
            config: Self.config
        )
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.service.value.requests["refresh_token"] == 3)
    }

    @Test func anAnswerThatNamesNoScopesGrantsThoseThatWereAskedFor() async throws {
        var service = OAuthService()
        service.namesScope = false
        var bench = try await GrantBench(
            "grant: refresh_token, \(Self.token), refresh: {token: \"{{ config.key }}\"}, scopes: [a, b]",
            service,
            config: Self.config
        )
        bench.bench.config = ["key": .text(try #require(try bench.consented().refreshToken).reveal())]
        // The second try goes on from what the first one has kept.
        bench.wire.service.change { $0.faults = [.reset] }
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.bench.events.warnings == [])
        #expect(try await bench.kept("oauth2.refresh_token")["scopes"] == .array([.text("a"), .text("b")]))
    }

    @Test func aStatementForSomebodyElseGivesAnotherToken() async throws {
        var service = OAuthService()
        service.client = ("", nil)
        service.verifies = { $0.split(separator: ".").count == 3 }
        var bench = try await GrantBench(
            "grant: jwt_bearer, token: {url: \"https://api.test/token\", client: none, params: {client_id: ''}}, "
                + "jwt: {algorithm: HS256, key: \"{{ config.key }}\", claims: {sub: \"{{ config.who }}\", iat: 1}}",
            service,
            config: Self.config
        )
        bench.bench.options.clients = [:]
        for (who, key, count) in [("ann", "key-1", 1), ("ann", "key-1", 1), ("bob", "key-1", 2), ("bob", "key-2", 3)] {
            bench.bench.config = ["key": .text(key), "who": .text(who)]
            #expect(try await bench.read().ids == [1, 2])
            #expect(bench.wire.tokenRequests == count, "\(who) \(key)")
        }
    }

    @Test func whatIsSentForATokenBelongsToIt() async throws {
        var bench = try await GrantBench(
            "grant: client_credentials, token: {url: \"https://api.test/token\", headers: {X-Account: \"{{ config.who }}\"}}",
            config: Self.config
        )
        for (who, count) in [("a", 1), ("a", 1), ("b", 2)] {
            bench.bench.config = ["who": .text(who)]
            #expect(try await bench.read().ids == [1, 2])
            #expect(bench.wire.tokenRequests == count)
        }
        bench.wire.service.change { $0.client.secret = "changed" }
        bench.bench.options.clients = ["test": ClientIdentity(id: "client", secret: Secret("changed"))]
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.tokenRequests == 3)
    }

    @Test func aConsentAndAClientsOwnTokenAreTwoThings() async throws {
        var bench = try await GrantBench("grant: client_credentials, \(Self.token)")
        #expect(try await bench.read().ids == [1, 2])
        try bench.change(to: GrantBench.consent)
        #expect(try await bench.read().error?.code == "connect-first")
        try await bench.connect()
        let consent = try await bench.kept()
        #expect(try await bench.read().ids == [1, 2])
        try bench.change(to: "grant: client_credentials, \(Self.token), scopes: [x]")
        #expect(try await bench.read().ids == [1, 2])
        #expect(try await bench.kept() == consent)
    }

    @Test func aConsentIsOneClients() async throws {
        var bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        let clients = bench.bench.options.clients
        bench.bench.options.clients = ["test": ClientIdentity(id: "other", secret: Secret("s3cr3t"))]
        let error = try await bench.read().error
        #expect(error?.code == "connect-first" && error?.message.contains("another client") == true)
        #expect(bench.wire.tokenRequests == 0)
        // Nothing is lost for the client that it belongs to.
        bench.bench.options.clients = clients
        #expect(try await bench.read().ids == [1, 2])
    }
}
