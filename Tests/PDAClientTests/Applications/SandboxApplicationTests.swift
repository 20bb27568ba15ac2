import CurlTransport
import LosslessJSON
import PDAClient
import PlugCore
import TestKit
import Testing

/// Against the sandbox, over sockets.
@Suite(.fewAtATime)
struct SandboxApplicationTests {
    @Test func s34S35S38S40TheWholeLifeOfAPlug() async throws {
        try await Sandbox.withOwner { client, transport in
            let list = try await client.applications()
            #expect(list.undecodable.isEmpty)
            #expect(list.map(\.application.id) == ["acme-diary", "acme-steps"])
            #expect(list.map(\.application.kind.kind) == [.app, .dataPlug])
            #expect(list.map(\.application.json) == (try Sandbox.definitions().reversed()))
            #expect(list.map(\.state) == [.notConnected, .notConnected])

            let token = try await client.applicationToken("acme-steps")
            let setUp = try await client.setUp(application: "acme-steps")
            #expect(setUp.isSetUp)
            #expect(setUp.state == .fetching)
            let plug = PDA(client.origin, tokens: InMemoryTokens(token), transport: transport)
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
            let nobody = PDA(client.origin, tokens: InMemoryTokens(), transport: transport)
            #expect(await Self.code { _ = try await nobody.applications() } == .notAuthenticated)
        }
    }

    private static func code(_ body: () async throws -> Void) async -> PDAError.Code? {
        do { try await body() } catch { return (error as? PDAError)?.code }
        return nil
    }
}
