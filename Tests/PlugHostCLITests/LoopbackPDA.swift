import CurlTransport
import PDAClient
import PDASandbox
import PlugCore
import TestKit

/// A sandbox on a socket, for as long as a test.
enum LoopbackPDA {
    /// Lends its address.
    static func with(
        _ options: SandboxOptions,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        var options = options
        options.passwordRounds = 16
        try SandboxKey.put(into: options.stateFolder)
        let sandbox = try await SandboxPDA(options)
        let (addresses, told) = AsyncStream.makeStream(of: SandboxAddress.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { told.finish() }
                try await sandbox.run { told.yield($0) }
            }
            for await address in addresses {
                defer { group.cancelAll() }
                try await body(address.url)
                break
            }
        }
    }

    /// Lends a client of the owner `bob`.
    static func withOwner(
        of url: String,
        _ password: Secret,
        _ body: (PDA) async throws -> Void
    ) async throws {
        var policy = NetworkPolicy()
        policy.trustedPDAs = [try HTTPURL(url).hostAndPort]
        let transport = try HTTPTransport(policy: policy)
        let client = PDA(url, tokens: InMemoryTokens(), transport: transport)
        do {
            try await client.logIn(username: "bob", password: password)
            try await body(client)
        } catch {
            await transport.shutDown()
            throw error
        }
        await transport.shutDown()
    }
}
