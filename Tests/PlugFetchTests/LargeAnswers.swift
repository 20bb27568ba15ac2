import CurlTransport
import TestKit
import Testing

@testable import PlugFetch

/// A bench whose source has answers that go to a disk, and shows at its end that none is left there.
enum LargeAnswers {
    static func bench(_ keys: String, port: Int = 80, limit: String = "64MiB") throws -> Bench {
        try Bench(
            "http: {base: \"http://127.0.0.1:\(port)\", max_body: \(limit), retry: {tries: 2}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, \(keys)}}\n",
            hosts: "[\"127.0.0.1:\(port)\"]"
        )
    }

    static func with(
        _ answer: SourceServer.Answer,
        _ keys: String = "decode: csv",
        limit: String = "64MiB",
        _ body: (Bench, HTTPTransport, ScratchSpace) async throws -> Void
    ) async throws {
        try await with({ _, _ in answer }, keys, limit: limit) { bench, transport, space, _ in
            try await body(bench, transport, space)
        }
    }

    /// The same with a server whose requests are of interest.
    static func with(
        _ answer: @escaping @Sendable (SourceServer.Request, Int) -> SourceServer.Answer,
        _ keys: String,
        limit: String = "64MiB",
        _ body: (Bench, HTTPTransport, ScratchSpace, SourceServer) async throws -> Void
    ) async throws {
        let server = try SourceServer(answer)
        defer { server.stop() }
        let space = try ScratchSpace()
        defer { space.remove() }
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        var bench = try bench(keys, port: server.port, limit: limit)
        bench.options.scratchFolder = space.path
        do { try await body(bench, transport, space, server) } catch {
            await transport.shutDown()
            throw error
        }
        await transport.shutDown()
        #expect(space.names == [] && space.openModes == [])
    }
}
