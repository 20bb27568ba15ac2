import CurlTransport
import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

/// Consents of the built program, with real sockets on both sides of the browser.
@Suite(
    .enabled(if: BuiltProgram.path != nil, "the program 'plughost' is not beside the tests: build it first"),
    .fewAtATime
)
struct ConnectTests {
    @Test func aPersonConsentsAndRunsReadTheAccount() async throws {
        try await ConnectWorld.with { world async throws in
            let asking = try await world.ask(until: "Waiting", "--json")
            let back = try await world.decide(try asking.address())
            let page = try await world.open(back)
            #expect(page.status == 200)
            #expect(page.page.contains("<h1>Connected</h1>"))
            #expect(page.page.contains("ann"))
            #expect(page.headers.first("cache-control") == "no-store")
            #expect(page.headers.first("referrer-policy") == "no-referrer")
            #expect(page.headers.first("content-security-policy")?.hasPrefix("default-src 'none'") == true)
            let (ended, _) = try await asking.finish()
            #expect(ended.status == 0)
            let answer = try JSONValue(parsing: ended.output)
            #expect(answer["connection"]?.stringText == "ada")
            #expect(answer["who"]?.stringText == "ann")
            #expect(answer["scopes"]?.compactText == #"["read","write"]"#)
            #expect(answer["not_granted"]?.compactText == "[]")
            #expect(answer["refreshes"]?.bool == true)
            // The port is closed: nobody else can come.
            await #expect(throws: HTTPError.self) { try await world.open(back) }

            let shown = try await world.run("connection", "show", "ada")
            #expect(shown.output.contains("ann"))
            #expect(shown.output.contains("read, write"))
            let run = try await world.run(
                "run",
                world.folder + "/plug.yaml",
                "--connection",
                "ada",
                "--dry-run",
                "--pda",
                "https://ada.example",
                "--client-id",
                "client",
                "--client-secret",
                "@\(world.folder)/secret",
                "--allow-network",
                "source=127.0.0.0/8"
            )
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output.contains(#""name":"one""#))
            let removed = try await world.run("connection", "remove", "ada", "--erase", "--yes", "--json")
            #expect(
                try JSONValue(parsing: removed.output)["rows"]?["grants"]?.number?.int64 ?? 0 > 0,
                "\(removed.output)"
            )
        }
    }

    @Test func aPersonConsentsWithOAuth1AndRunsSign() async throws {
        try await ConnectWorld.with(grant: nil) { world async throws in
            let asking = try await world.ask(until: "Waiting", "--json")
            let back = try await world.decide(try asking.address())
            let start = String(try #require(back.split(separator: "?").first))
            let foreign = try await world.open(start + "?oauth_token=x&oauth_verifier=y")
            #expect(foreign.status == 400 && foreign.page.contains("does not belong to this request"))
            #expect(try await world.open(back).status == 200)
            let (ended, said) = try await asking.finish()
            #expect(ended.status == 0, "\(said)")
            let answer = try JSONValue(parsing: ended.output)
            #expect(answer["who"]?.stringText == "ann" && answer["refreshes"]?.bool == false)
            let run = try await world.run(
                "run",
                world.folder + "/plug.yaml",
                "--connection",
                "ada",
                "--dry-run",
                "--pda",
                "https://ada.example",
                "--client-id",
                "client",
                "--client-secret",
                "@\(world.folder)/secret",
                "--allow-network",
                "source=127.0.0.0/8"
            )
            #expect(run.status == 0 && run.output.contains(#""name":"one""#), "\(run.errors)")
            for secret in world.first.service.value.given {
                #expect(!(said + ended.output + run.errors + run.output).contains(secret))
            }
        }
    }

    @Test(arguments: [
        (OAuth1Service.Fault.answer(200, "oauth_token=a&oauth_token_secret=b"), Int32(65), "token-unreadable"),
        (.answer(401, ""), 78, "client-refused"), (.reset, 69, "token-unreachable"),
    ])
    func whatAServiceWithOAuth1DoesWrongIsToldBeforeTheBrowserLeaves(
        _ fault: OAuth1Service.Fault,
        _ status: Int32,
        _ code: String
    ) async throws {
        try await ConnectWorld.with(grant: nil) { world async throws in
            world.first.set { $0.faults = [fault] }
            let asking = try await world.ask(until: "error: [\(code)]")
            #expect(try await asking.finish().ended.status == status)
        }
    }

    /// A token endpoint has half a minute for its answer; a host that is told to end has less.
    @Test func aTokenEndpointThatHangsDoesNotHoldUpTheEndOfAHost() async throws {
        try await ConnectWorld.with { world async throws in
            let asking = try await world.ask(until: "Waiting")
            _ = try await world.open(try await world.decide(try asking.address()))
            #expect(try await asking.finish().ended.status == 0)
            let state = world.folder + "/state"
            let clients = URL(filePath: state + "/providers.yaml")
            try Data("consenting: {client_id: client, client_secret: s3cr3t}\n".utf8).write(to: clients)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: clients.path)
            let token = world.folder + "/token"
            try HandmadeToken.write(application: "consenting", of: "ada.example", to: token)
            let added = try await world.run(
                "connection",
                "add",
                "ada",
                world.folder + "/plug.yaml",
                "--pda",
                "https://ada.example",
                "--token-file",
                token
            )
            #expect(added.status == 0, "\(added)")
            world.server.set {
                $0.expireAccessTokens()
                $0.faults = [.hang]
            }
            let running = try BuiltProgram.start(
                [
                    "serve", world.folder + "/plug.yaml", "--listen", "127.0.0.1:0", "--state", state,
                    "--allow-network", "127.0.0.0/8",
                ],
                in: world.folder
            )
            await world.server.service.wait { $0.requests["refresh_token"] == 1 }
            let clock = ContinuousClock()
            let told = clock.now
            running.process.terminate()
            let ended = try await running.finish()
            // Two seconds on a machine that has nothing else to do.
            #expect(ended.status == 0 && clock.now - told < .seconds(15), "\(ended)")
            // Nobody knows what the service has made of the refresh token: the next run tries it, and it is good.
            let run = try await world.run(
                "run",
                world.folder + "/plug.yaml",
                "--connection",
                "ada",
                "--dry-run",
                "--pda",
                "https://ada.example",
                "--allow-network",
                "source=127.0.0.0/8"
            )
            #expect(run.status == 0 && run.output.contains(#""name":"one""#), "\(run.errors)")
            #expect(world.server.service.value.requests["refresh_token"] == 2)
        }
    }

    @Test func whatDoesNotBelongHereEndsNothing() async throws {
        try await ConnectWorld.with { world async throws in
            let asking = try await world.ask(until: "Waiting")
            let back = try await world.decide(try asking.address())
            let start = String(try #require(back.split(separator: "?").first))
            for query in ["", "?code=x&state=y", "?error=access_denied&state=y"] {
                let page = try await world.open(start + query)
                #expect(page.status == 400)
                #expect(page.page.contains("does not belong to this request"))
            }
            let other = try await world.open(start.replacing("/callback", with: "/favicon.ico"))
            #expect(other.status == 404)
            // The right one, at the same time as its copy: one of them counts.
            async let first = world.open(back)
            async let second = world.open(back)
            let pages = [try? await first, try? await second].compactMap { $0?.status }.sorted()
            #expect(pages.first == 200)
            #expect(try await asking.finish().ended.status == 0)
            #expect(world.server.service.value.requests == ["authorization_code": 1])
        }
    }

    @Test func aPersonWhoSaysNoIsToldSo() async throws {
        try await ConnectWorld.with(service: { $0.consents = false }) { world async throws in
            let asking = try await world.ask(until: "Waiting")
            let page = try await world.open(try await world.decide(try asking.address()))
            #expect(page.status == 400)
            #expect(page.page.contains("Access was denied"))
            let (ended, said) = try await asking.finish()
            #expect(ended.status == 77)
            #expect(said.contains("error: [consent-denied]"))
        }
    }

    @Test func controlCEndsTheWaitingAndKeepsNothing() async throws {
        try await ConnectWorld.with { world async throws in
            let asking = try await world.ask(until: "Waiting")
            asking.running.process.interrupt()
            #expect(try await asking.finish().ended.status == 130)
            #expect(world.server.service.value.requests == [:])
        }
    }

    @Test func aTokenEndpointThatAnswersAPageIsTold() async throws {
        try await ConnectWorld.with(service: { $0.faults = [.page(status: 200)] }) { world async throws in
            let asking = try await world.ask(until: "Waiting")
            let back = try await world.decide(try asking.address())
            let page = try await world.open(back)
            #expect(page.status == 400)
            let (ended, said) = try await asking.finish()
            #expect(ended.status == 65)
            #expect(said.contains("error: [token-unreadable]"))
            let code = try #require(back.split(separator: "code=").last?.prefix { $0 != "&" })
            #expect(!said.contains(code) && !page.page.contains(code))
        }
    }

    @Test func whatWasNotGrantedIsSaid() async throws {
        try await ConnectWorld.with(service: { $0.scope = "read" }) { world async throws in
            let asking = try await world.ask(until: "Waiting")
            _ = try await world.open(try await world.decide(try asking.address()))
            let (ended, said) = try await asking.finish()
            #expect(ended.status == 0)
            #expect(said.contains("warning: not granted: 'write'"))
        }
    }

    @Test func theAddressOfABrowserElsewhereIsPasted() async throws {
        try await ConnectWorld.with { world async throws in
            let asking = try await world.ask(until: "paste it here", "--paste")
            let back = try await world.decide(try asking.address())
            // The line of another window comes first, and ends nothing.
            try asking.input.fileHandleForWriting.write(contentsOf: Data(("ls -l\n" + back + "\n").utf8))
            let (ended, said) = try await asking.finish()
            #expect(ended.status == 0, "\(said)")
            #expect(said.contains("This is not the address that the browser came back to."))
            #expect(ended.output == "connected ada as ann; granted: read, write\n")
        }
    }

    private static let device = "grant: device_code\n    device: {url: \"http://AUTHORITY/device\"}"

    @Test(arguments: [
        (["authorization_pending"], Int32(0), "connected ada as ann"), (["access_denied"], 77, "consent-denied"),
        (["expired_token"], 77, "consent-expired"),
    ])
    func aDeviceShowsACodeAndWaits(errors: [String], status: Int32, words: String) async throws {
        func prepare(_ service: inout OAuthService) { (service.deviceErrors, service.deviceInterval) = (errors, 1) }
        try await ConnectWorld.with(grant: Self.device, service: prepare) { world async throws in
            let asking = try await world.ask(until: "Waiting")
            #expect(asking.said.contains("WDJB-MJHT"))
            let (ended, said) = try await asking.finish()
            #expect(ended.status == status)
            #expect((ended.output + said).contains(words))
        }
    }
}
