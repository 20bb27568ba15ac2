import CurlTransport
import Foundation
import LosslessJSON
import TestKit
import Testing

/// Services that call a host.
extension ServeTests {
    private static let webhook = """
        check: {stream: items, who: .id}
        webhook: {verify: {token: {header: X-Secret}}, answer: .challenge // query.challenge}

        """

    @Test func aCallOfTheServiceIsASyncAndNothingElseIs() async throws {
        let source = Source()
        try await PlainWorld.with(source: source.answer) { world in
            let path = world.folder + "/plug.yaml"
            let manifest = try String(contentsOfFile: path, encoding: .utf8)
            try (manifest + Self.webhook).write(toFile: path, atomically: true, encoding: .utf8)
            let configuration = world.folder + "/plughost.yaml"
            let providers = "providers: {plain: {client_id: hook, client_secret: s3cr3t}}\n"
            #expect(
                FileManager.default.createFile(
                    atPath: configuration,
                    contents: Data(providers.utf8),
                    attributes: [.posixPermissions: 0o600]
                )
            )
            try await add("ada", world)
            let ended = try await serving(world, ["--config", configuration]) { _, host in
                try await withTransport { transport in
                    await source.asked.wait { $0 == ["ada"] }
                    while try await connection("show", "ada", of: world)?["last_success"]?.isNull == true {}
                    let bell = "\(host)/plugs/plain/webhook"
                    let json = ("Content-Type", "application/json")
                    // A handshake, in a body or in the query.
                    for (method, query, body) in [
                        ("POST", "", #"{"challenge":"abc"}"#), ("GET", "?challenge=abc", nil),
                    ] {
                        let shaken = try await send(
                            transport,
                            method,
                            bell + query,
                            body == nil ? [] : [json],
                            body: body
                        )
                        #expect(shaken.status == 200 && shaken.text == "abc", "\(shaken)")
                        #expect(shaken.headers.first("Content-Type") == "text/plain; charset=utf-8")
                        #expect(shaken.headers.first("X-Content-Type-Options") == "nosniff")
                    }
                    let wrong = [json, ("X-Secret", "other")]
                    for _ in 0..<3 { #expect(try await send(transport, "POST", bell, wrong, body: "{}").status == 401) }
                    #expect(try await send(transport, "POST", bell, [json], body: "{}").status == 401)
                    #expect(try await send(transport, "POST", "\(host)/plugs/none/webhook", body: "{}").status == 404)
                    #expect(try await send(transport, "PUT", bell, body: "{}").status == 405)
                    let right = [json, ("X-Secret", "s3cr3t")]
                    let mebibyte = String(repeating: " ", count: (1 << 20) - 2) + "{}"
                    let large = try await send(transport, "POST", bell, right, body: mebibyte + " ")
                    #expect(large.status == 413 && large.text.contains("body-large"), "\(large)")
                    #expect(source.asked.value == ["ada"])
                    // The service's own, as large as may be; a burst is one run.
                    for body in [mebibyte, "{}", "{}"] {
                        #expect(try await send(transport, "POST", bell, right, body: body).status == 200)
                    }
                    await source.asked.wait { $0 == ["ada", "ada"] }
                }
            }
            #expect(source.asked.value == ["ada", "ada"])
            #expect(
                ended.errors.contains("plain: its service reports something new: 1 connections are due now")
            )
            #expect(ended.errors.contains("plain: refused 1 calls of its webhook"), "\(ended)")
            #expect(!ended.errors.contains("refused 2 calls"), "\(ended)")
        }
    }
}
