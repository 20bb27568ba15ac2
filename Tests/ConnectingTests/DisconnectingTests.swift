import Connecting
import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugStorage
import TestKit
import Testing

/// What a person has granted is taken back.
@Suite(.fewAtATime)
struct DisconnectingTests {
    private static let revocable =
        "oauth2: {authorize: {url: \"URL/authorize\"}, token: {url: \"URL/token\"}, revoke: {url: \"URL/revoke\"}}"

    private func disconnecting(_ world: SourceWorld) -> Disconnecting {
        Disconnecting(world.store, world.plugs, world.throttling, clock: world.clock)
    }

    private func kept(_ world: SourceWorld) async throws -> KeptGrant? {
        let id = GrantID(connection: ada, name: KeptGrant.consent)
        return try await world.store.grant(id).map { try KeptGrant($0.content) }
    }

    @Test func theServiceTakesTheConsentBackAndNothingOfItIsKept() async throws {
        try await SourceWorld.with(Self.revocable) { world in
            _ = try await world.answer(world.consented())
            #expect(world.service.service.value.liveRefreshTokens == 1)
            #expect(try await disconnecting(world).disconnect(ada) == .revoked)
            #expect(world.service.service.value.liveRefreshTokens == 0 && world.service.service.value.live.isEmpty)
            let kept = try #require(try await kept(world))
            #expect(kept.isDead && kept.grant.accessToken == nil && kept.grant.refreshToken == nil)
            #expect(try await world.status() == .reconnect)
            #expect(try await world.store.audit(of: ada).first?.what == "disconnected")
            #expect(try await disconnecting(world).disconnect(ada) == .nothing)
            // The person comes back, with the same account.
            #expect(try await world.answer(world.consented()).who == "ann")
            #expect(try await world.status() == .active)
        }
    }

    @Test func aServiceThatRefusesOrIsGoneKeepsNobody() async throws {
        try await SourceWorld.with(Self.revocable) { world in
            _ = try await world.answer(world.consented())
            world.service.set { $0.client = ("client", "changed") }
            #expect(try await disconnecting(world).disconnect(ada) == .failed("\(world.service.authority): status 401"))
            #expect(try await kept(world)?.isDead == true)
        }
        try await SourceWorld.with(Self.revocable) { world in
            _ = try await world.answer(world.consented())
            world.service.stop()
            await world.transport.shutDown()
            let revocation = try await disconnecting(world).disconnect(ada)
            #expect(revocation.word == "failed" && revocation.sentence.contains("own page"))
            #expect(try await kept(world)?.isDead == true)
        }
    }

    @Test func aPlugThatDoesNotSayHowIsForgottenHere() async throws {
        try await SourceWorld.with { world in
            _ = try await world.answer(world.consented())
            #expect(try await disconnecting(world).disconnect(ada) == .unsupported)
            #expect(try await kept(world)?.grant.refreshToken == nil)
            #expect(world.service.service.value.liveRefreshTokens == 1)
        }
    }

    @Test func erasingTakesTheConsentBackFirst() async throws {
        try await SourceWorld.with(Self.revocable) { world in
            _ = try await world.answer(world.consented())
            let lease = try await world.store.lease(ada)
            #expect(await code { _ = try await disconnecting(world).erase(ada) } == "state-locked")
            #expect(world.service.service.value.liveRefreshTokens == 1)
            lease.end()
            let (receipt, consent) = try await disconnecting(world).erase(ada)
            #expect(consent == .revoked && receipt?.connection == ada)
            #expect(try await world.store.connection(ada) == nil)
            let again = try await disconnecting(world).erase(ada)
            #expect(again.receipt == nil && again.consent == .nothing)
        }
    }
}
