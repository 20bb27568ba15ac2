import Foundation
import HTTPTransport
import LosslessJSON
import PDAClient
import PDAWire
import PlugCore
import SandboxPDA
import Testing

/// Against the sandbox, over sockets.
struct SandboxApplicationTests {
    /// Definitions as the documentation has them, with a status that the sandbox can check alone: nobody answers at
    /// their `statusUrl`.
    private static func definitions() throws -> [JSONValue] {
        try [Examples.plug, Examples.app].map { example in
            var definition = try #require(try JSONValue(parsing: example)["application"]?.object)
            var status = try #require(definition["status"]?.object)
            status["kind"] = .text("Internal")
            definition["status"] = .object(status)
            return .object(definition)
        }
    }

    private static func withOwner(
        _ body: @escaping @Sendable (PDAClient, HTTPTransport) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "client-tests-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let password = Secret("correct horse % + battery")
        let options = try SandboxOptions(
            stateFolder: folder,
            owner: "bob",
            password: password,
            applications: try definitions()
        )
        let pda = try await SandboxPDA(options)
        let (addresses, told) = AsyncStream.makeStream(of: SandboxAddress.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { told.finish() }
                try await pda.run { told.yield($0) }
            }
            for await address in addresses {
                defer { group.cancelAll() }
                var policy = NetworkPolicy()
                policy.trustedPDA = "127.0.0.1:\(address.port)"
                let transport = try HTTPTransport(policy: policy)
                let result: Result<Void, any Error>
                do {
                    let tokens = InMemoryTokens(try await token(of: password, at: address, over: transport))
                    try await body(PDAClient(pda: address.url, tokens: tokens, transport: transport), transport)
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                await transport.shutDown()
                try result.get()
                break
            }
            try await group.waitForAll()
        }
    }

    private static func token(
        of password: Secret,
        at address: SandboxAddress,
        over transport: HTTPTransport
    ) async throws -> Secret {
        let client = PDAClient(pda: address.url, tokens: InMemoryTokens(), transport: transport)
        let headers = [
            HTTPHeader("username", "bob"), HTTPHeader("password", PercentEncoding.segment(password.reveal())),
        ]
        let answer = try await client.request(PDARequest(PDARoute.ownerToken, headers: headers)).value()
        return Secret(try #require(answer["accessToken"]?.stringText))
    }

    @Test func s34S35S38S40TheWholeLifeOfAPlug() async throws {
        try await Self.withOwner { client, transport in
            let list = try await client.applications()
            #expect(list.undecodable.isEmpty)
            #expect(list.map(\.application.id) == ["acme-diary", "acme-steps"])
            #expect(list.map(\.application.kind.kind) == [.app, .dataPlug])
            #expect(list.map(\.application.json) == (try Self.definitions().reversed()))
            #expect(list.map(\.state) == [.notConnected, .notConnected])

            let token = try await client.applicationToken("acme-steps")
            let setUp = try await client.setUp(application: "acme-steps")
            #expect(setUp.isSetUp)
            #expect(setUp.state == .fetching)
            let plug = PDAClient(pda: client.origin, tokens: InMemoryTokens(token), transport: transport)
            let record = PDARequest("/api/v2.6/data/acme-steps/daily", method: "POST", parameters: .integer(1))
            _ = try await plug.request(record).value()
            let now = try await client.application("acme-steps", cached: false)
            #expect(now.state == .connected)
            #expect(now.mostRecentData?.timestamp != nil)

            let disabled = try await client.disable(application: "acme-steps")
            #expect(disabled.isSetUp)
            #expect(!disabled.isEnabled)
            #expect(!disabled.isActive)
            #expect(disabled.needsUpdating == nil)
            #expect(disabled.state == .notConnected)
            #expect(await Self.code { _ = try await plug.request(record).value() } == .forbidden)
            #expect(await Self.code { _ = try await plug.applications() } == .forbidden)
            #expect(await Self.code { _ = try await plug.applicationToken("acme-steps") } == .forbidden)

            #expect(await Self.code { _ = try await client.application("nope") } == .notFound)
            #expect(await Self.code { _ = try await client.applicationToken("nope") } == .notFound)
            #expect(await Self.code { _ = try await client.setUp(application: "nope") } == .refused)
            #expect(await Self.code { _ = try await client.disable(application: "nope") } == .refused)
            let nobody = PDAClient(pda: client.origin, tokens: InMemoryTokens(), transport: transport)
            #expect(await Self.code { _ = try await nobody.applications() } == .notAuthenticated)
        }
    }

    private static func code(_ body: () async throws -> Void) async -> PDAError.Code? {
        do { try await body() } catch { return (error as? PDAError)?.code }
        return nil
    }
}
