import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import TestKit
import Testing

/// What may use up a refresh token, or lock an account, is done as rarely as it can be, however many streams there are.
struct TokenDoubtTests {
    private static let config = "config: {key: {type: string, secret: true}}\n"

    /// Reads a stream so often in one run, one after another.
    private func codes(_ bench: Bench, from wire: any HTTPSending, times: Int = 6) async throws -> [String?] {
        let fetcher = try bench.fetcher(wire)
        var codes: [String?] = []
        for _ in 0..<times {
            do {
                try await fetcher.readPage()
                codes.append(nil)
            } catch let error as PlugError { codes.append(error.code.text) }
        }
        return codes
    }

    @Test func aRefreshTokenInDoubtIsShownTwiceInARunAndOnceInLaterOnes() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { $0.faults = Array(repeating: .reset, count: 20) }
        let doubtful = Array(repeating: String?("token-doubtful"), count: 6)
        #expect(try await codes(bench.bench, from: bench.wire) == doubtful)
        #expect(bench.wire.tokenRequests == 2)
        #expect(try await codes(bench.bench, from: bench.wire) == doubtful)
        #expect(bench.wire.tokenRequests == 3)
        bench.wire.service.change { $0.faults = [] }
        #expect(try await bench.read().ids == [1, 2])
        #expect(try await bench.kept()["shown"] == nil)
    }

    @Test func aheadOfItsEndADoubtWaitsForTheEnd() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600 - 200))
        bench.wire.service.change { $0.faults = Array(repeating: .reset, count: 20) }
        for _ in 0..<4 {
            #expect(try await codes(bench.bench, from: bench.wire) == Array(repeating: nil, count: 6))
            bench.bench.clock.advance(.seconds(40))
        }
        #expect(bench.wire.tokenRequests == 1)
        #expect(bench.bench.events.warnings == ["renewal-failed"])
        bench.bench.clock.advance(.seconds(40))
        #expect(try await bench.read().error?.code == "token-doubtful")
        #expect(bench.wire.tokenRequests == 2)
    }

    @Test func whereRefreshTokensServeForEverThereIsNoDoubt() async throws {
        var service = OAuthService()
        service.rotates = false
        let bench = try await GrantBench("refresh: {rotates: false}, " + GrantBench.consent, service)
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { $0.faults = [.reset, .reset, .reset] }
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.tokenRequests == 4)
    }

    @Test func theNewestRefreshTokenStaysUntilThereIsAnotherOne() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        #expect(try await bench.read().ids == [1, 2])
        let newest = try await bench.kept()
        bench.bench.clock.advance(.seconds(3600))
        // A copy of the service does not know it yet, and then nobody answers.
        bench.wire.service.change { $0.faults = [.error("invalid_grant", status: 400), .reset, .reset] }
        #expect(try await bench.read().error?.code == "token-doubtful")
        let kept = try await bench.kept()
        #expect(kept["refresh_token"] == newest["refresh_token"] && kept["dead"] == nil)
        #expect(kept["previous_refresh_token"] == newest["previous_refresh_token"])
        #expect(try await bench.read().ids == [1, 2])
    }

    @Test func aWrongPasswordIsSentOnce() async throws {
        var bench = try Bench(
            Self.config + "auth: {login: {request: {path: /login, form: {p: \"{{ config.key }}\"}}, token: .t}}\n"
                + "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /things}}}\n"
        )
        bench.config = ["key": .text("wrong password")]
        let source = Script(.status(401, body: #"{"message":"no"}"#))
        #expect(
            try await codes(bench, from: source) == Array(repeating: "login-refused", count: 6)
        )
        #expect(source.sent.count == 1)
        // Another run is another try.
        #expect(try await codes(bench, from: source, times: 1) == ["login-refused"])
        #expect(source.sent.count == 2)
    }

    @Test func aWrongClientSecretIsSentOnceUntilSomebodyConnectsAgain() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        bench.wire.service.change { $0.faults = [.error("invalid_client", status: 401)] }
        let fetcher = try bench.bench.fetcher(bench.wire)
        for _ in 0..<6 {
            await #expect(throws: PlugError.self) { try await fetcher.readPage() }
        }
        #expect(bench.wire.tokenRequests == 1)
        try await bench.connect()
        try await fetcher.readPage()
        #expect(bench.wire.paths == ["/token", "/items"])
    }
}
