import Foundation
import LosslessJSON
import PlugCore
import PlugHostCLI
import PlugStorage
import TestKit
import Testing

/// `connection add`, `pause`, `resume` and `run`.
struct ConnectionSetupTests {
    private let clock = MovableClock(seconds: 1_763_700_000)

    /// A folder with a plug that asks for a name and a key, and a token of its PDA.
    private func with(_ body: (String) async throws -> Void) async throws {
        try await Program.withFolder { folder in
            try Data(
                """
                plug: plain
                api: 1
                version: 1.0.0
                hosts: [a.example]
                config: {user: {type: string}, key: {type: string, secret: true}, lang: {type: string, default: en}}
                http: {base: "https://a.example"}
                streams:
                  items: {endpoint: items, request: {path: /items}, records: .items, key: [.id], version: none}

                """.utf8
            ).write(to: URL(filePath: folder + "/plug.yaml"))
            let claims = #"{"iss":"ada.example","iat":1763690000,"exp":1773690000,"application":"plain"}"#
            let token = [#"{"alg":"RS256"}"#, claims, "s"].map { Base64URL.encode(Array($0.utf8)) }.joined(
                separator: "."
            )
            try Data(token.utf8).write(to: URL(filePath: folder + "/token"))
            try Data("s3cret".utf8).write(to: URL(filePath: folder + "/key"))
            for name in ["token", "key"] {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/" + name)
            }
            try await body(folder)
        }
    }

    private func add(_ folder: String, _ more: [String]) async -> Ended {
        let arguments = ["connection", "add", "ada", folder + "/plug.yaml", "--state", folder + "/state", "--json"]
        return await Program.run(arguments + more, clock: clock)
    }

    private func answers(_ folder: String) -> [String] {
        [
            "--config", "user=Ada", "--config", "key=@\(folder)/key", "--pda", "https://ada.example", "--token-file",
            folder + "/token",
        ]
    }

    @Test func aConnectionIsMadePausedResumedAndMadeDue() async throws {
        try await with { folder in
            func json(_ status: String, due: Bool = true) -> JSONValue {
                .members(
                    ("connection", .text("ada")),
                    ("plug", .text("plain")),
                    ("pda", .text("https://ada.example")),
                    ("status", .text(status)),
                    ("due", due ? .text("2025-11-21T04:40:00Z") : .null)
                )
            }
            let added = await add(folder, answers(folder))
            #expect(added.status == .done && added.json == [json("active")], "\(added)")
            let state = ["ada", "--json", "--state", folder + "/state"]
            for (command, answer) in [
                ("pause", json("paused", due: false)), ("run", json("active")), ("pause", json("paused", due: false)),
                ("resume", json("active")),
            ] {
                let ended = await Program.run(["connection", command] + state, clock: clock)
                #expect(ended.status == .done && ended.json == [answer], "\(command): \(ended)")
            }
            // Another set-up needs neither PDA nor token.
            let again = await add(folder, ["--config", "user=Eve", "--config", "key=@\(folder)/key", "--paused"])
            #expect(again.status == .done && again.json == [json("paused", due: false)], "\(again)")
            let store = try await SQLiteStore.open(folder: folder + "/state", access: .read, clock: clock)
            let setup = try #require(try await store.setup(of: ConnectionID("ada")))
            #expect(
                setup.content.reveal()
                    == #"{"config":{"user":"Eve","key":"s3cret"},"streams":null,"from":null,"every":null,"cron":null,"zone":null}"#
            )
            #expect(
                try await store.audit(of: ConnectionID("ada")).map(\.what)
                    == ["set up", "resumed", "paused", "run now", "paused", "added"]
            )
            await store.close()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/state")
            for file in files {
                let bytes = try Data(contentsOf: URL(filePath: folder + "/state/" + file))
                #expect(bytes.range(of: Data("s3cret".utf8)) == nil, "\(file)")
            }
        }
    }

    @Test func aTokenOfAnotherPDAIsKeptOnlyIfThatIsAcceptedAndThatIsRemembered() async throws {
        try await with { folder in
            var elsewhere = answers(folder)
            elsewhere[5] = "https://eve.example"
            let refused = await add(folder, elsewhere)
            #expect(refused.status == .authorisation && refused.errors.contains("token-issuer"), "\(refused)")
            let accepted = await add(folder, elsewhere + ["--accept-foreign-token"])
            #expect(accepted.status == .done && accepted.errors.contains("warning: [token-issuer]"), "\(accepted)")
            let store = try await SQLiteStore.open(folder: folder + "/state", access: .read, clock: clock)
            let setup = try #require(try await store.setup(of: ConnectionID("ada")))
            #expect(setup.content.reveal().hasSuffix(#""zone":null,"foreign_token":true}"#))
            await store.close()
        }
    }

    @Test func aPlugThatThisHostCannotRunGetsNoConnectionAndOneWithoutConsentWaits() async throws {
        try await with { folder in
            func add(_ plug: String, _ name: String) async throws -> Ended {
                try Data("plug: plain\napi: 1\nversion: 1.0.0\n\(plug)\n".utf8)
                    .write(to: URL(filePath: folder + "/other.yaml"))
                return await Program.run(
                    [
                        "connection", "add", name, folder + "/other.yaml", "--pda", "https://ada.example",
                        "--token-file",
                        folder + "/token", "--state", folder + "/state",
                    ],
                    clock: clock
                )
            }
            let items = "{endpoint: items, request: {path: /items}, records: .items, key: [.id], version: none}"
            let consent = """
                hosts: [a.example]
                http: {base: "https://a.example"}
                auth: {oauth2: {authorize: {url: "https://a.example/a"}, token: {url: "https://a.example/t"}}}
                streams: {items: \(items)}
                """
            let export = """
                hosts: []
                config: {export: {type: file}}
                streams:
                  items: {endpoint: items, archive: {file: "{{ config.export }}", entries: "*.json"}, records: .i, key: [.id], version: none}
                """
            let program = """
                hosts: [a.example]
                exec: {command: [no-such-tap]}
                streams: {items: {endpoint: items, key: [.id], version: none}}
                """
            for (plug, code) in [
                (consent, "client-missing"), (export, "plug-needs-file"), (program, "program-not-found"),
            ] {
                let refused = try await add(plug, "one")
                #expect(refused.status == .configuration && refused.errors.contains("[\(code)]"), "\(code): \(refused)")
            }
            try FileManager.default.createDirectory(atPath: folder + "/state", withIntermediateDirectories: true)
            try FilesHere.write("plain: {client_id: me, client_secret: s}\n", to: folder + "/state/providers.yaml")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: folder + "/state/providers.yaml"
            )
            let waiting = try await add(consent, "one")
            #expect(waiting.status == .done && waiting.output.contains("one waits until it is connected"), "\(waiting)")
        }
    }

    @Test func mistakesAreToldBeforeAnythingIsKept() async throws {
        try await with { folder in
            let good = answers(folder)
            let cases: [(arguments: [String], code: String)] = [
                (Array(good.dropFirst(2)), "config-missing"), (Array(good.dropLast(2)), "token-file-missing"),
                (Array(good.dropLast(4)), "pda-missing"), (good + ["--stream", "itms"], "unknown-stream"),
                (good + ["--every", "5s"], "bad-interval"), (good + ["--cron", "* * *"], "bad-cron"),
                (good + ["--cron", "@daily", "--zone", "Mars/Base"], "zone-unknown"),
            ]
            for (arguments, code) in cases {
                let ended = await add(folder, arguments)
                #expect(ended.errors.contains(#""code":"\#(code)""#), "\(code): \(ended)")
            }
            let none = await Program.run(["connection", "pause", "ada", "--state", folder + "/state"])
            #expect(none.errors.contains("[connection-unknown]"), "\(none)")
        }
    }
}
