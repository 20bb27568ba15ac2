import CurlTransport
import Foundation
import LosslessJSON
import PDAClient
import PDASandbox
import PlugCore
import TestKit
import Testing

/// A sandbox on a socket, for as long as a test.
enum Sandbox {
    static let password = Secret("correct horse % + battery")

    /// Definitions as the documentation has them, with a status that the sandbox can check alone.
    static func definitions() throws -> [JSONValue] {
        try [Examples.plug, Examples.app].map { example in
            // Nobody answers at the examples' `statusUrl`, and the sandbox really asks.
            var definition = try #require(try JSONValue(parsing: example)["application"]?.object)
            var status = try #require(definition["status"]?.object)
            status["kind"] = .text("Internal")
            definition["status"] = .object(status)
            return .object(definition)
        }
    }

    /// Gives the owner's client, logged in, and what sends its requests.
    static func withOwner(
        _ body: @escaping @Sendable (PDA, HTTPTransport) async throws -> Void
    ) async throws {
        let folder = NSTemporaryDirectory() + "client-tests-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SandboxKey.put(into: folder)
        var options = try SandboxOptions(stateFolder: folder, owner: "bob", password: password)
        options.applications = try definitions()
        options.passwordRounds = 16
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
                policy.trustedPDAs = ["127.0.0.1:\(address.port)"]
                let transport = try HTTPTransport(policy: policy)
                let result: Result<Void, any Error>
                do {
                    let client = PDA(address.url, tokens: InMemoryTokens(), transport: transport)
                    try await client.logIn(username: "bob", password: password)
                    try await body(client, transport)
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
}

/// The error that a body ends with, `nil` where it does not.
func pdaError(_ body: () async throws -> Void) async -> PDAError? {
    do { try await body() } catch { return error as? PDAError }
    return nil
}
