import Connecting
import Cryptography
import CurlTransport
import PlugCore
import TestKit
import Testing

/// Tokens of PDAs, with PDAs on real sockets.
@Suite(.fewAtATime)
struct PDATokenVerifierTests {
    private struct World {
        let pda: KeyHolder
        let clock: MovableClock
        let verifier: PDATokenVerifier
        var now: Int64 { clock.now() / 1_000_000 }

        func code(of token: Secret, pda: String? = nil) async -> String? {
            await ConnectingTests.code { _ = try await verifier.verify(token, plug: "my-plug", of: pda) }
        }
    }

    private func withWorld(_ policy: NetworkPolicy? = nil, _ body: (World) async throws -> Void) async throws {
        let pda = try KeyHolder()
        defer { pda.stop() }
        let policy = try policy ?? loopbackPolicy()
        let transport = try HTTPTransport(policy: policy)
        let clock = MovableClock()
        let verifier = PDATokenVerifier(transport, policy: policy, clock: clock)
        try await body(World(pda: pda, clock: clock, verifier: verifier))
        await transport.shutDown()
    }

    @Test func aTokenOfThePDAForThisPlugIsGood() async throws {
        try await withWorld { world in
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now - 5)
            let verified = try await world.verifier.verify(token, plug: "my-plug")
            #expect(verified.pda == "http://\(world.pda.issuer)")
            #expect(verified.subject == "1-ann" && verified.token == token)
            #expect(verified.issuedAt == world.now - 5 && verified.expires == world.now - 5 + 30 * 86_400)
            #expect(world.pda.state.value.asked == ["GET /publickey"])
            // The key is kept.
            _ = try await world.verifier.verify(token, plug: "my-plug", of: verified.pda)
            #expect(await world.code(of: token) == nil)
        }
    }

    @Test("what says itself that it is no good is refused without a request")
    func refusedAtOnce() async throws {
        try await withWorld { world in
            let (issuer, now) = (world.pda.issuer, world.now)
            func claims(_ more: String, iat: Int64? = nil, exp: Int64? = nil) throws -> Secret {
                try TestKeys.token(
                    #"{"iss":"\#(issuer)","sub":"1-ann","iat":\#(iat ?? now),"exp":\#(exp ?? now + 60)\#(more)}"#
                )
            }
            let payload =
                #"{"iss":"\#(issuer)","sub":"1-ann","iat":\#(now),"exp":\#(now + 60),"application":"my-plug"}"#
            let bare = Base64URL.encode(Array(payload.utf8))
            let application = #","application":"my-plug""#
            let expected: [(Secret, String)] = [
                (Secret(""), "pda-token-malformed"),
                (Secret("a.b"), "pda-token-malformed"),
                (Secret("e30.e30.!!"), "pda-token-malformed"),
                (Secret(String(repeating: "a", count: 8_193)), "pda-token-malformed"),
                (try TestKeys.token("[]"), "pda-token-malformed"),
                (try TestKeys.token(#"{"iss":"x","iat":1}"#), "pda-token-malformed"),
                (try TestKeys.token(payload, header: "[]"), "pda-token-malformed"),
                (try TestKeys.token(payload, header: #"{"alg":"HS256","typ":"JWT"}"#), "pda-token-algorithm"),
                (try TestKeys.token(payload, header: #"{"alg":"none"}"#), "pda-token-algorithm"),
                (try TestKeys.token(payload, header: #"{"typ":"JWT"}"#), "pda-token-algorithm"),
                (try TestKeys.token(payload, header: #"{"alg":"RS256","typ":"at+jwt"}"#), "pda-token-algorithm"),
                (try TestKeys.token(payload, header: #"{"alg":"RS256","crit":["b64"]}"#), "pda-token-algorithm"),
                (Secret("\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))).\(bare)."), "pda-token-algorithm"),
                (try claims(""), "pda-token-application"),
                (try claims(#","application":"other""#), "pda-token-application"),
                (try claims(application + #","accessScope":"owner""#), "pda-token-application"),
                (try claims(application, exp: now), "pda-token-expired"),
                (try TestKeys.token(payload.replacing(#","exp":\#(now + 60)"#, with: "")), "pda-token-expired"),
                (try claims(application, iat: now - 3 * 86_400), "pda-token-idle"),
                (try claims(application, iat: now + 301), "pda-token-early"),
            ]
            for (token, code) in expected { #expect(await world.code(of: token) == code) }
            for issuer in [
                "https://\(issuer)", "ann@\(issuer)", "\(issuer)/x", "\(issuer)?", "\(issuer)#a", "", " ", "a b",
                "a\\b",
                "\(issuer)/", "1.2.3", "host:0", "host:99999", "host:", "[::1", String(repeating: "a.", count: 200),
            ] {
                let token = try TestKeys.token(of: issuer, issuedAt: now)
                #expect(await world.code(of: token) == "pda-token-issuer", "\(issuer)")
            }
            #expect(world.pda.asked == 0)
        }
    }

    @Test func aChangedOrForeignTokenIsNotSignedByItsPDA() async throws {
        try await withWorld { world in
            let good = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now).reveal()
            let other = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now, by: TestKeys.second)
            #expect(await world.code(of: other) == "pda-token-signature")
            let parts = good.split(separator: ".")
            let elsewhere = try TestKeys.token(of: world.pda.issuer, subject: "1-eve", issuedAt: world.now).reveal()
            let mixed = "\(parts[0]).\(elsewhere.split(separator: ".")[1]).\(parts[2])"
            #expect(await world.code(of: Secret(mixed)) == "pda-token-signature")
            #expect(await world.code(of: Secret("\(parts[0]).\(parts[1]).")) == "pda-token-signature")
            // The PDA was asked once, though three did not fit.
            #expect(world.pda.asked == 1)
            #expect(await world.code(of: Secret(good), pda: "https://bob.example") == "pda-token-issuer")
        }
    }

    @Test func aNewKeyOfThePDAIsAskedForOnceAMinute() async throws {
        try await withWorld { world in
            let old = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            #expect(await world.code(of: old) == nil)
            world.pda.set { $0.body = TestKeys.second.publicKey.pem }
            let new = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now, by: TestKeys.second)
            #expect(await world.code(of: new) == "pda-token-signature")
            #expect(world.pda.asked == 1)
            world.clock.advance(.seconds(60))
            #expect(await world.code(of: new) == nil)
            #expect(await world.code(of: old) == "pda-token-signature")
            #expect(world.pda.asked == 2)
        }
    }

    @Test func aKeyServesAnHourAndADayWhereThePDAFails() async throws {
        try await withWorld { world in
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            #expect(await world.code(of: token) == nil)
            world.clock.advance(.seconds(3_599))
            #expect(await world.code(of: token) == nil)
            #expect(world.pda.asked == 1)
            world.pda.set { $0.status = 503 }
            world.clock.advance(.seconds(1))
            #expect(await world.code(of: token) == nil)
            #expect(world.pda.asked == 2)
            world.clock.advance(.seconds(86_400))
            #expect(await world.code(of: token) == "pda-key-unavailable")
        }
    }

    @Test(
        "an answer that is no key is told, and not asked for again within a minute",
        arguments: [
            (200, "<html>hello"), (200, ""), (404, "no"), (302, ""), (200, "TOO LONG"),
        ]
    )
    func noKey(_ status: Int, _ body: String) async throws {
        try await withWorld { world in
            let body = body == "TOO LONG" ? String(repeating: "a", count: 20_000) : body
            world.pda.set { ($0.status, $0.body) = (status, body) }
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            #expect(await world.code(of: token) == "pda-key-unavailable")
            let asked = world.pda.asked
            #expect(await world.code(of: token) == "pda-key-unavailable")
            #expect(world.pda.asked == asked)
            world.pda.set { $0 = KeyHolder.State() }
            world.clock.advance(.seconds(60))
            #expect(await world.code(of: token) == nil)
        }
    }

    @Test func aPDAInANetworkThatIsNotAllowedIsNotAsked() async throws {
        try await withWorld(NetworkPolicy()) { world in
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            #expect(await world.code(of: token) == "pda-key-refused")
            #expect(world.pda.asked == 0)
            let metadata = try TestKeys.token(of: "169.254.169.254", issuedAt: world.now)
            #expect(await world.code(of: metadata) == "pda-key-refused")
        }
    }

    @Test func manyAtOnceAskOnce() async throws {
        try await withWorld { world in
            let token = try TestKeys.token(of: world.pda.issuer, issuedAt: world.now)
            try await withThrowingTaskGroup { group in
                for _ in 0..<50 {
                    group.addTask { _ = try await world.verifier.verify(token, plug: "my-plug") }
                }
                try await group.waitForAll()
            }
            #expect(world.pda.asked == 1)
        }
    }
}
