import CurlTransport
import Foundation
import LosslessJSON
import TestKit
import Testing

/// A PDA whose directory is the host: its own flow from end to end, between two processes.
extension ServeTests {
    /// What an owner reads of the plug before they let it in.
    private static let application = """
        released: 2026-01-01
        application:
          info:
            name: Plain
            headline: Items of a service
            description: {text: It writes items.}
            termsUrl: https://plain.example.org/terms
            dataUsePurpose: It reads nothing.
            supportContact: help@plain.example.org
          developer: {id: plain, name: Plain, url: https://plain.example.org, country: UK}

        """

    /// The owner of a sandbox.
    private struct Owner {
        let pda: String
        let token: String
        let tests: ServeTests
        let transport: HTTPTransport

        func get(_ path: String) async throws -> JSONValue {
            let headers = [("X-Auth-Token", token), ("Cache-Control", "no-cache")]
            let answer = try await tests.send(transport, "GET", "\(pda)/api/v2.6/\(path)", headers)
            #expect(answer.status == 200, "\(path): \(answer)")
            return try JSONValue(parsing: answer.text)
        }

        /// How the plug stands, as apps tell it to its owner.
        func state() async throws -> String { Self.state(try await get("applications/plain")) }

        static func state(_ object: JSONValue) -> String {
            guard object["enabled"]?.bool == true else { return "not connected" }
            guard object["active"]?.bool == true else { return "failing" }
            return object["mostRecentData"] == nil ? "fetching" : "connected"
        }

        /// What the plug has written.
        func items() async throws -> [String] {
            try await get("data/plain/items?orderBy=id").elements?.compactMap { $0["data"]?["id"]?.stringText } ?? []
        }
    }

    private func owner(_ sandbox: JSONValue, _ transport: HTTPTransport) async throws -> Owner {
        let pda = try #require(sandbox["url"]?.stringText)
        let file = try #require(sandbox["password_file"]?.stringText)
        let password = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let name = try #require(sandbox["owner"]?.stringText)
        let headers = [("username", name), ("password", password)]
        let answer = try await send(transport, "GET", "\(pda)/users/access_token", headers)
        let token = try #require(try JSONValue(parsing: answer.text)["accessToken"]?.stringText)
        return Owner(pda: pda, token: token, tests: self, transport: transport)
    }

    @Test func aPDASetsAPlugUpSeesItConnectedAndDisablesIt() async throws {
        let items = Watched(["a"])
        let asked = Watched(0)
        try await PlainWorld.with { _ in
            asked.change { $0 += 1 }
            return .whole(200, #"{"items":[\#(items.value.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#)
        } _: { world in
            let path = world.folder + "/plug.yaml"
            let manifest = try String(contentsOfFile: path, encoding: .utf8)
            try (manifest + Self.application).write(toFile: path, atomically: true, encoding: .utf8)
            _ = try await serving(world) { _, host in
                try await BuiltProgram.withSandbox(
                    world.folder + "/sandbox",
                    in: world.folder,
                    more: ["--directory-upstream", host]
                ) { _, sandbox in
                    try await withTransport { transport in
                        try await flow(host, owner(sandbox, transport), world, items, asked)
                    }
                }
            }
        }
    }

    private func flow(
        _ host: String,
        _ owner: Owner,
        _ world: PlainWorld,
        _ items: Watched<[String]>,
        _ asked: Watched<Int>
    ) async throws {
        // The PDA knows the plug from the host, with addresses that lead there.
        let listed = try await owner.get("applications").elements?.first { $0["application"]?["id"] == .text("plain") }
        let definition = try #require(listed?["application"])
        #expect(definition["kind"]?["url"] == .text("\(host)/plugs/plain"))
        #expect(definition["setup"]?["url"] == .text("\(host)/plugs/plain/setup"))
        #expect(definition["status"]?["statusUrl"] == .text("\(host)/plugs/plain/api/status"))
        #expect(try await owner.state() == "not connected")
        // Set up and not connected yet: the status check of the PDA says so.
        #expect(Owner.state(try await owner.get("applications/plain/setup")) == "failing")
        let token = try #require(try await owner.get("applications/plain/access-token")["accessToken"]?.stringText)
        let status = "\(host)/plugs/plain/api/status"
        #expect(try await send(owner.transport, "GET", status, [("X-Auth-Token", token)]).status == 403)
        // The connection is made with the token that the plug's set-up address is opened with.
        let key = try await program(["apikey", "add", "setup", "--scope", "connections:write"], world)
        let new = #"{"connection":"ada","plug":"plain","pda":"\#(owner.pda)","token":"\#(token)","every":"1d"}"#
        let bearer = [("Authorization", "Bearer \(key)"), ("Content-Type", "application/json")]
        let made = try await send(owner.transport, "POST", "\(host)/api/v1/connections", bearer, body: new)
        #expect(made.status == 201, "\(made)")
        while try await owner.items() != ["a"] {}
        #expect(try await owner.state() == "connected")
        // What is new comes when the PDA asks for it, at either address.
        for (path, all) in [("/plugs/plain/api/tickle", ["a", "b"]), ("/api/tickle", ["a", "b", "c"])] {
            items.change { $0 = all }
            while try await connection("show", "ada", of: world)?["state"] == .text("running") {}
            let tickled = try await send(owner.transport, "POST", host + path, [("X-Auth-Token", token)])
            #expect(tickled.status == 200 && tickled.text == #"{"message":"Tickled"}"#, "\(tickled)")
            while try await owner.items() != all {}
        }
        #expect(try await send(owner.transport, "POST", "\(host)/api/tickle").status == 401)
        // Disabled: the host learns it from the PDA's first refusal, and writes no more.
        _ = try await owner.get("applications/plain/disable")
        #expect(try await owner.state() == "not connected")
        items.change { $0 = ["a", "b", "c", "d"] }
        _ = try await send(owner.transport, "POST", "\(host)/api/tickle", [("X-Auth-Token", token)])
        while try await connection("show", "ada", of: world)?["status"] != .text("disabled") {}
        let count = asked.value
        #expect(try await send(owner.transport, "POST", "\(host)/api/tickle", [("X-Auth-Token", token)]).status == 403)
        #expect(try await owner.items() == ["a", "b", "c"])
        #expect(asked.value == count)
        // Set up again: the fresh token of the status check lets the plug go on.
        #expect(Owner.state(try await owner.get("applications/plain/setup")) == "connected")
        while try await owner.items() != ["a", "b", "c", "d"] {}
        #expect(try await connection("show", "ada", of: world)?["status"] == .text("active"))
    }
}
