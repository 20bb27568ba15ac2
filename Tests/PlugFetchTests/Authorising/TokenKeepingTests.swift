import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugStorage
import Synchronization
import TestKit
import Testing

/// What a service gives only once is kept, whatever else goes wrong.
struct TokenKeepingTests {
    /// A disk on which some writes of grants fail, by their number from 1.
    final class FullDisk: ForwardingStore {
        let store: any PlugStore
        private let state = Mutex((count: 0, fails: { (_: Int) in false } as @Sendable (Int) -> Bool))

        init(_ store: any PlugStore, fails: @escaping @Sendable (Int) -> Bool) {
            self.store = store
            state.withLock { $0.fails = fails }
        }

        /// Makes room.
        func empty() { state.withLock { $0.fails = { _ in false } } }

        func writing<Value: Sendable>(_ name: String, _ call: () async throws -> Value) async throws -> Value {
            let fails = state.withLock { state in
                state.count += 1
                return state.fails(state.count)
            }
            if fails { throw PlugError("store-failed", exit: .tryLater, "the disk is full") }
            return try await call()
        }
    }

    /// Writes down when somebody takes the right to renew.
    struct WatchedRight: ForwardingStore {
        let store: any PlugStore
        let log: @Sendable (String) -> Void

        func lockGrant(_ id: GrantID) async throws -> ConnectionLease? {
            log("right")
            return try await store.lockGrant(id)
        }
    }

    private func expiredConsent(_ oauth: String = GrantBench.consent) async throws -> GrantBench {
        let bench = try await GrantBench(oauth)
        try await bench.connect()
        bench.bench.clock.advance(.seconds(3600))
        return bench
    }

    // MARK: - A disk

    @Test func aDiskThatIsFullForSomeSecondsLosesNoRefreshToken() async throws {
        var bench = try await expiredConsent()
        // The first write is the mark that the refresh token is shown.
        bench.bench.options.grants = FullDisk(bench.store) { 2...5 ~= $0 }
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.wire.tokenRequests == 1)
        #expect(
            bench.bench.clock.waits == [
                .milliseconds(200), .milliseconds(400), .milliseconds(800), .milliseconds(1600),
            ]
        )
        #expect(bench.wire.service.value.liveRefreshTokens == 1)
    }

    @Test(arguments: [3600, 3600 - 200])
    func anAnswerThatCannotBeKeptIsKeptBeforeAnythingElseIsAsked(seconds: Int) async throws {
        var bench = try await GrantBench()
        try await bench.connect()
        bench.bench.clock.advance(.seconds(seconds))
        let disk = FullDisk(bench.store) { $0 > 1 }
        bench.bench.options.grants = disk
        let fetcher = try bench.bench.fetcher(bench.wire)
        for _ in 0..<2 {
            // Ahead of the token's end, too: it is no harmless warning.
            let error = await #expect(throws: PlugError.self) { try await fetcher.readPage() }
            #expect(error?.code == "token-unkept" && error?.exit == .tryLater && error?.reach == .run)
        }
        #expect(bench.wire.paths == ["/token"])
        disk.empty()
        try await fetcher.readPage()
        #expect(bench.wire.paths == ["/token", "/items"])
        bench.bench.clock.advance(.seconds(3600))
        #expect(try await bench.read().ids == [1, 2])
    }

    @Test func beforeTheFirstRefreshTheVaultIsTried() async throws {
        let config = "config: {key: {type: string, secret: true}}\n"
        var bench = try await GrantBench(
            "grant: refresh_token, token: {url: \"https://api.test/token\"}, refresh: {token: \"{{ config.key }}\"}",
            config: config
        )
        let own = try #require(try bench.consented().refreshToken).reveal()
        bench.bench.config = ["key": .text(own)]
        bench.bench.options.grants = FullDisk(bench.store) { _ in true }
        #expect(try await bench.read().error?.code == "store-failed")
        #expect(bench.wire.tokenRequests == 0)
        // What is written tells the next run that the token was shown.
        bench.bench.options.grants = bench.store
        bench.wire.service.change { $0.faults = [.resetAfterGiving] }
        let error = try await bench.read().error
        #expect(error?.code == "connect-again" && error?.message.contains("without an answer that was kept") == true)
        let kept = try await bench.kept("oauth2.refresh_token")
        #expect(kept["refresh_token"] == .text(own) && kept["access_token"] == .null && kept["shown"] == .bool(true))
    }

    @Test func whoRenewsStandsInLineBeforeTakingTheRightTo() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        var limited = try Bench(
            "auth: {oauth2: {\(GrantBench.consent)}}\nhttp: {base: \"https://api.test\", limits: [{rate: 1/60s}]}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /items}}}\n"
        )
        let log = Mutex<[String]>([])
        limited.options = bench.bench.options
        limited.options.grants = WatchedRight(store: bench.store) { word in log.withLock { $0.append(word) } }
        let fetcher = try DeclarativeFetcher(
            manifest: limited.manifest,
            config: JSONObject(),
            transport: bench.wire,
            clock: bench.bench.clock,
            options: limited.options,
            observer: { event in
                switch event.kind {
                case .waiting: log.withLock { $0.append("wait") }
                case .answered(let method, _, _, _, _): log.withLock { $0.append(method) }
                default: break
                }
            }
        )
        try await fetcher.readPage()
        bench.bench.clock.advance(.seconds(3600))
        try await fetcher.readPage()
        bench.wire.service.change { $0.expireAccessTokens() }
        try await fetcher.readPage()
        // Whoever waits for the rate keeps nobody else from renewing.
        #expect(
            log.withLock { $0 } == [
                "GET", "right", "POST", "wait", "GET", "wait", "GET", "wait", "right", "POST", "wait", "GET",
            ]
        )
    }

    // MARK: - An answer

    @Test func whatIsNotNeededOfAnAnswerEndsNoGrant() async throws {
        let bench = try await expiredConsent("fields: {scope: '.scope | split(\" \")'}, " + GrantBench.consent)
        bench.wire.service.change { $0.namesScope = false }
        #expect(try await bench.read().ids == [1, 2])
        #expect(bench.bench.events.warnings == ["token-field-unread"])
        #expect(bench.wire.tokenRequests == 1 && bench.wire.service.value.liveRefreshTokens == 1)
    }

    @Test func aRefreshTokenIsKeptFromAnAnswerThatIsOtherwiseOfNoUse() async throws {
        var bench = try await expiredConsent("fields: {access_token: '.data | ascii_downcase'}, " + GrantBench.consent)
        let old = try await bench.kept()["refresh_token"]
        let error = try await bench.read().error
        #expect(error?.code == "token-unreadable" && error?.message.contains("access token") == true)
        #expect(bench.wire.tokenRequests == 1)
        #expect(try await bench.kept()["refresh_token"] != old)
        // Once the manifest is right, the plug goes on.
        try bench.change(to: GrantBench.consent)
        #expect(try await bench.read().ids == [1, 2])
    }
}
