import LosslessJSON
import PDAClient
import PDASandbox
import PlugCore
import TestKit
import Testing

@testable import PlugHostCLI

/// A plug set up in a sandbox through the directory, all of it over sockets.
@Suite(.fewAtATime)
struct SandboxDirectoryTests {
    private static let password = Secret("a password of the tests")

    private static func definition(_ id: String) throws -> JSONValue {
        let text = """
            {"id":"\(id)","kind":{"url":"https://plug.example","kind":"DataPlug"},"info":{"version":"1.0.0",
            "published":true,"name":"\(id)","headline":"h","description":{"text":"t"},"termsUrl":"https://plug.example",
            "dataUsePurpose":"p","supportContact":"c","dataPreview":[],"graphics":{"banner":{"normal":""},
            "logo":{"normal":""},"screenshots":[]}},"developer":{"id":"d","name":"n","url":"https://plug.example",
            "country":"PT"},"permissions":{"rolesGranted":[{"role":"namespacewrite","detail":"\(id)"}]},
            "setup":{"kind":"Internal"},"status":{"kind":"Internal","compatibility":"1.0.0",
            "versionReleaseDate":"2026-11-21T00:00:00.000Z"}}
            """
        return try JSONValue(parsing: text)
    }

    /// Runs a sandbox whose folder knows `ids`, with another directory behind its own.
    private func withSandbox(
        _ ids: [String],
        upstream: String? = nil,
        _ body: @escaping @Sendable (PDA, String) async throws -> Void
    ) async throws {
        try await Program.withFolder { folder in
            let definitions = try ids.map(Self.definition)
            try SandboxKey.put(into: folder)
            let store = try await SandboxStore.open(stateFolder: folder)
            for definition in definitions { try await store.register(definition) }
            let directory = try await SandboxDirectory(folder: folder, upstream: upstream)
            try await directory.serve { address, directory in
                var options = try SandboxOptions(stateFolder: folder, owner: "bob", password: Self.password)
                options.directory = directory
                try await LoopbackPDA.with(options) { url in
                    try await LoopbackPDA.withOwner(of: url, Self.password) { try await body($0, address) }
                }
            }
        }
    }

    @Test func aPlugIsSetUpThroughTheDirectoryAndWrites() async throws {
        try await withSandbox(["steps"]) { client, _ in
            let before = try await client.applications()
            #expect(before.elements.map(\.application.id) == ["steps"])
            #expect(before.elements.map(\.isSetUp) == [false])
            let state = try await client.setUp(application: "steps")
            #expect([state.isSetUp, state.isEnabled, state.isActive] == [true, true, true])
            let token = try await client.applicationToken("steps")
            #expect(!token.reveal().isEmpty)
        }
    }

    @Test func applicationsOfADirectoryBehindItCanBeSetUpToo() async throws {
        try await withSandbox(["theirs"]) { _, address in
            try await self.withSandbox(["ours"], upstream: address) { client, _ in
                let all = try await client.applications()
                #expect(all.elements.map(\.application.id) == ["ours", "theirs"])
                let state = try await client.setUp(application: "theirs")
                #expect(state.isActive)
            }
        }
    }

    @Test func aDirectoryThatIsDownIsA500ForTheListAndNotAnEmptyOne() async throws {
        try await withSandbox(["ours"], upstream: "http://127.0.0.1:9") { client, _ in
            let own = try await client.setUp(application: "ours")
            #expect(own.isActive)
            let list = await #expect(throws: PDAError.self) { _ = try await client.applications() }
            #expect(list?.status == 500)
            let unknown = await #expect(throws: PDAError.self) { _ = try await client.setUp(application: "theirs") }
            #expect(unknown?.status == 400)
        }
    }
}
