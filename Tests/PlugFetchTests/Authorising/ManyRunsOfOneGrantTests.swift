import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugManifest
import PlugStorage
import TestKit
import Testing

/// The whole way over real sockets, to a service that ends a consent whose refresh token is shown twice.
@Suite(.fewAtATime)
struct ManyRunsOfOneGrantTests {
    /// Every so many-th is not a run, but a host that keeps the grant alive.
    @Test(arguments: [65, 8]) func sixtyFourRunsOfOneGrantMakeOneRefresh(host every: Int) async throws {
        let server = try OAuthServer()
        defer { server.stop() }
        server.set { $0.needsProofKey = false }
        let grants = try await GrantBench()
        // The consent of this service, which is another one than the bench's own.
        grants.wire.service.change { wire in server.set { $0 = wire } }
        var grant = try grants.consented()
        grants.wire.service.change { wire in server.set { $0 = wire } }
        (grant.expires, grant.obtained) = (1, 0)
        _ = try await grants.keep(grant)
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        let base = "http://\(server.authority)"
        let bench = try Bench(
            "auth: {oauth2: {authorize: {url: \"\(base)/authorize\"}, token: {url: \"\(base)/token\"}, "
                + "refresh: {keep_alive: 30d}}}\n"
                + "http: {base: \"\(base)\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /items}}}\n",
            hosts: "[\"\(server.authority)\"]"
        )
        var options = FetchOptions()
        options.grants = grants.store
        options.connection = GrantBench.connection
        options.clients = ["test": ClientIdentity(id: "client", secret: Secret("s3cr3t"))]
        let manifest = bench.manifest
        let ids = await withTaskGroup(of: Int.self) { [options] group in
            for number in 1...64 {
                group.addTask {
                    do {
                        let fetcher = try DeclarativeFetcher(
                            manifest: manifest,
                            config: JSONObject(),
                            transport: transport,
                            options: options
                        )
                        if number.isMultiple(of: every) {
                            guard case .fresh = try await fetcher.renewUnusedGrant() else { return 0 }
                            return 2
                        }
                        return try await fetcher.withReader(of: "things", from: MemoryStates()) { reader in
                            try await reader.next()?.records.count ?? 0
                        }
                    } catch {
                        Issue.record("\(error)")
                        return 0
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        await transport.shutDown()
        #expect(ids == Array(repeating: 2, count: 64))
        #expect(server.service.value.requests["refresh_token"] == 1)
        #expect(server.service.value.liveRefreshTokens == 1)
    }
}
