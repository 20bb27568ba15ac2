import Cryptography
import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import OAuth

/// The client against a service that keeps to the standards and misbehaves on request, over real sockets.
@Suite(.fewAtATime)
struct OAuthServerTests {
    /// A client, its service, and a transport that may dial loopback.
    private struct World {
        let server: OAuthServer
        let transport: HTTPTransport
        let clock = MovableClock(seconds: now / second)
        var client: ClientIdentity { ClientIdentity(id: "client", secret: Secret("s3cr3t")) }
        var tokens: TokenClient { TokenClient(over: transport, clock: clock) }

        func endpoint(_ encoding: TokenEndpoint.Encoding = .form) throws -> TokenEndpoint {
            TokenEndpoint(try HTTPURL("http://\(server.authority)/token"), encoding: encoding)
        }

        func ask(
            _ proof: TokenRequest.Proof,
            scope: String? = nil,
            by client: ClientIdentity? = nil,
            _ encoding: TokenEndpoint.Encoding = .form
        ) async throws -> TokenAnswer {
            let request = TokenRequest(proof, scope: scope, by: client ?? self.client, at: try endpoint(encoding))
            return try await tokens.token(request, TokenReading(asked: ["read"]))
        }

        func failure(_ proof: TokenRequest.Proof, by client: ClientIdentity? = nil) async throws -> TokenFailure? {
            do {
                _ = try await ask(proof, by: client)
                return nil
            } catch let failure as TokenFailure { return failure }
        }

        func begin(issuer: String? = nil) throws -> PendingConsent {
            let request = AuthorizationRequest(
                endpoint: try HTTPURL("http://\(server.authority)/authorize"),
                clientID: "client",
                redirectURI: "http://127.0.0.1:1/callback",
                scopes: ["read"]
            )
            return PendingConsent(request, issuer: issuer, now: clock.now())
        }

        /// The query that the person's browser comes back with.
        func visit(_ consent: PendingConsent) async throws -> String {
            let answer = try await transport.send(HTTPRequest(url: consent.url.description, side: .source))
            #expect(answer.status == 302)
            let location = try #require(answer.headers.first("location"))
            return String(try #require(location.split(separator: "?", maxSplits: 1).last))
        }

        func me(_ answer: TokenAnswer) async throws -> Int {
            let header = HTTPHeader("Authorization", "Bearer \(answer.accessToken.reveal())")
            let url = "http://\(server.authority)/me"
            return try await transport.send(HTTPRequest(url: url, headers: [header], side: .source)).status
        }
    }

    private func withService(
        _ change: (inout OAuthService) -> Void = { _ in },
        _ body: (World) async throws -> Void
    ) async throws {
        var service = OAuthService()
        change(&service)
        let server = try OAuthServer(service)
        defer { server.stop() }
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        do { try await body(World(server: server, transport: transport)) } catch {
            await transport.shutDown()
            throw error
        }
        await transport.shutDown()
    }

    @Test(arguments: [false, true]) func aConsentGivesTokensAndEachRefreshTheNext(rotates: Bool) async throws {
        try await withService({ $0.rotates = rotates }) { world async throws in
            var consent = try world.begin()
            let proof = try consent.answer(try await world.visit(consent), now: world.clock.now())
            let first = try await world.ask(proof)
            #expect(try await world.me(first) == 200)
            var grant = Grant(first, asked: ["read"], now: now)
            #expect(grant.scopes == ["read"])
            #expect(grant.expires == now + 3600 * second)
            let token = try #require(grant.refreshToken)
            grant = grant.renewed(by: try await world.ask(.refreshToken(token)), now: now)
            #expect((grant.refreshToken == token) == !rotates)
            #expect(world.server.service.value.liveRefreshTokens == 1)
            // The code is good once, and so is a token that was rotated.
            #expect(try await world.failure(proof)?.kind == .dead)
            if rotates {
                #expect(try await world.failure(.refreshToken(token))?.kind == .dead)
                #expect(world.server.service.value.liveRefreshTokens == 0)
                #expect(try await world.me(first) == 401)
            }
        }
    }

    @Test func aStolenCodeIsWorthNothingWithoutItsKey() async throws {
        try await withService { world async throws in
            var consent = try world.begin()
            guard
                case .code(let code, let redirectURI, _) = try consent.answer(try await world.visit(consent), now: now)
            else { return }
            let thief = TokenRequest.Proof.code(code, redirectURI: redirectURI, verifier: ProofKey().verifier)
            #expect(try await world.failure(thief)?.kind == .dead)
        }
    }

    @Test func aPersonWhoSaysNoIsHeard() async throws {
        try await withService({ $0.consents = false }) { world async throws in
            var consent = try world.begin()
            let query = try await world.visit(consent)
            #expect(throws: ConsentFailure(.denied)) { try consent.answer(query, now: now) }
        }
    }

    @Test func anotherServicesAnswerIsNotTaken() async throws {
        try await withService({ $0.issuer = "https://evil.example" }) { world async throws in
            var consent = try world.begin()
            let query = try await world.visit(consent)
            #expect(throws: ConsentFailure(.otherIssuer)) { try consent.answer(query, now: now) }
        }
    }

    @Test func aClientProvesItselfWhereTheServiceWantsIt() async throws {
        try await withService({ $0.wantsBasic = true }) { world async throws in
            let basic = ClientIdentity(id: "client", secret: Secret("s3cr3t"), place: .basic)
            #expect(try await world.me(try await world.ask(.client, by: basic)) == 200)
            #expect(try await world.failure(.client)?.kind == .wrongClient)
        }
        try await withService({ $0.client = ("public", nil) }) { world async throws in
            #expect(try await world.me(try await world.ask(.client, by: ClientIdentity(id: "public"))) == 200)
            let wrong = ClientIdentity(id: "other")
            #expect(try await world.failure(.client, by: wrong)?.kind == .wrongClient)
        }
    }

    @Test(arguments: [TokenEndpoint.Encoding.form, .json, .query])
    func parametersArriveInEveryEncoding(_ encoding: TokenEndpoint.Encoding) async throws {
        try await withService({ $0.answersWithForms = true }) { world async throws in
            let answer = try await world.ask(.client, scope: "a b", encoding)
            #expect(answer.scopes == ["a", "b"])
            #expect(answer.expires == now + 3600 * second)
        }
    }

    @Test func aSignedStatementGivesAToken() async throws {
        let key = ECPrivateKey()
        let verifies: @Sendable (String) -> Bool = { assertion in
            let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else { return false }
            return key.publicKey.isSignature(signature, of: Array("\(parts[0]).\(parts[1])".utf8))
        }
        try await withService({ $0.verifies = verifies }) { world async throws in
            let assertion = JWTAssertion(claims: ["iss": .text("me")], lifetime: .seconds(60))
            let signed = try assertion.signed(with: AssertionKey(.es256, Secret(key.pem)), now: now)
            #expect(try await world.me(try await world.ask(.assertion(signed))) == 200)
            #expect(try await world.failure(.assertion(Secret("a.b.c")))?.kind == .dead)
        }
    }

    @Test func aDeviceIsAskedUntilThePersonHasDecided() async throws {
        try await withService({ $0.deviceErrors = ["authorization_pending", "slow_down", "authorization_pending"] }) {
            world async throws in
            let address = TokenEndpoint(try HTTPURL("http://\(world.server.authority)/device"))
            let device = try await world.tokens.deviceCode(DeviceRequest(scope: "read", by: world.client, at: address))
            #expect(device.userCode == "WDJB-MJHT")
            var polling = DevicePolling(device)
            var (step, waits) = (polling.begin(now: world.clock.now()), [Duration]())
            var answer: TokenAnswer?
            let endpoint = try world.endpoint()
            while answer == nil, case .wait(let wait) = step {
                waits.append(wait)
                try await world.clock.sleep(for: wait)
                do throws(TokenFailure) {
                    let request = TokenRequest(.deviceCode(device.deviceCode), by: world.client, at: endpoint)
                    answer = try await world.tokens.token(request, TokenReading())
                } catch { step = polling.next(after: error, now: world.clock.now()) }
            }
            #expect(waits == [.seconds(5), .seconds(5), .seconds(10), .seconds(10)])
            #expect(try await world.me(try #require(answer)) == 200)
        }
    }

    @Test func everyFaultIsWhatItIs() async throws {
        try await withService { world async throws in
            let lost = HTTPError.Code.connectionLost
            let faults: [(OAuthService.Fault, (TokenFailure?) -> Bool)] = [
                (.page(status: 200), { $0?.kind == .unreadable }), (.page(status: 400), { $0?.kind == .refused }),
                (.error("invalid_grant", status: 200), { $0?.kind == .dead }),
                (.error("temporarily_unavailable", status: 200), { $0?.kind == .passing(after: nil) }),
                (.status(503, retryAfter: "7"), { $0?.kind == .passing(after: .seconds(7)) }),
                (.body(#"{"access_token":"x","scope":"other"}"#), { $0 == nil }),
                (
                    .reset,
                    {
                        if case .unreachable(let error) = $0?.kind {
                            error.code == lost && error.mayHaveArrived
                        } else {
                            false
                        }
                    }
                ),
            ]
            world.server.set { $0.faults = faults.map(\.0) }
            for (fault, isRight) in faults {
                let failure = try await world.failure(.client)
                #expect(isRight(failure), "\(fault): \(failure as Any)")
            }
            // Nothing was asked twice.
            #expect(world.server.service.value.requests == ["client_credentials": faults.count])
        }
    }

    @Test func aRotatedTokenWhoseAnswerIsLostIsDead() async throws {
        try await withService { world async throws in
            var consent = try world.begin()
            let proof = try consent.answer(try await world.visit(consent), now: now)
            let token = try #require(try await world.ask(proof).refreshToken)
            world.server.set { $0.faults = [.resetAfterGiving] }
            guard case .unreachable(let error) = try await world.failure(.refreshToken(token))?.kind else {
                Issue.record("there was an answer")
                return
            }
            #expect(error.mayHaveArrived)
            #expect(try await world.failure(.refreshToken(token))?.kind == .dead)
        }
    }
}
