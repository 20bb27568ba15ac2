import CurlTransport
import Foundation
import LosslessJSON
import TestKit
import Testing

/// Erasing a connection takes back what its person has granted, from the shell and over the API.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct ErasingConsentsTests {
    /// A connection `ada` whose person has consented, on a host that has the client.
    private func withConsent(_ body: (ConnectWorld) async throws -> Void) async throws {
        let lines =
            "authorize: {url: \"http://AUTHORITY/authorize\"}\n    revoke: {url: \"http://AUTHORITY/revoke\"}"
        try await ConnectWorld.with(grant: lines) { world in
            let asking = try await world.ask(until: "Waiting")
            _ = try await world.open(world.decide(try asking.address()))
            #expect(try await asking.finish().ended.status == 0)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(world.folder)/secret")
            let file = "\(world.folder)/state/plughost.yaml"
            let text = """
                plugs: ["\(world.folder)/plug.yaml"]
                providers: {consenting: {client_id: client, client_secret: {file: "\(world.folder)/secret"}}}

                """
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            try await body(world)
        }
    }

    @Test func theShellTakesTheConsentBack() async throws {
        try await withConsent { world in
            #expect(world.server.service.value.liveRefreshTokens == 1)
            let ended = try await world.run(
                "connection",
                "remove",
                "ada",
                "--erase",
                "--yes",
                "--json",
                "--allow-network",
                "source=127.0.0.0/8"
            )
            let receipt = try JSONValue(parsing: ended.output)
            #expect(receipt["consent"]?["status"] == .text("revoked"), "\(ended)")
            #expect(world.server.service.value.liveRefreshTokens == 0)
        }
    }

    /// What the service says keeps nothing from being erased, and the person is told what is left to do.
    @Test func aServiceThatCannotBeAskedIsToldInTheReceipt() async throws {
        try await withConsent { world in
            let ended = try await world.run("connection", "remove", "ada", "--erase", "--yes")
            #expect(
                ended.status == 0 && ended.output.contains("consent   The consent was deleted here, but"),
                "\(ended)"
            )
            #expect(ended.output.contains("Revoke it on the service's own page."))
            #expect(world.server.service.value.liveRefreshTokens == 1)
            let shown = try await world.run("connection", "list", "--json")
            #expect(!shown.output.contains("ada"))
        }
    }

    @Test func theAPITakesTheConsentBack() async throws {
        try await withConsent { world in
            let tests = ServeTests()
            let ended = try await tests.serving("consenting", in: world.folder) { _, host in
                let key = try await tests.program(
                    ["apikey", "add", "k", "--scope", "connections:erase"],
                    in: world.folder
                )
                let bearer = [("Authorization", "Bearer \(key)")]
                let erased = try await tests.send(
                    world.transport,
                    "DELETE",
                    "\(host)/api/v1/connections/ada",
                    bearer,
                    side: .source
                )
                #expect(erased.status == 200, "\(erased)")
                let receipt = try JSONValue(parsing: erased.text)
                #expect(
                    receipt["consent"]?.compactText
                        == #"{"status":"revoked","text":"The service has revoked the consent."}"#
                )
                #expect(world.server.service.value.liveRefreshTokens == 0)
            }
            #expect(ended.status == 0, "\(ended)")
        }
    }
}
