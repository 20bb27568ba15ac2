import Foundation
import LosslessJSON
import PlugCore
import Testing

@testable import PlugHostCLI

struct ManyConnectionsTests {
    private static let plug = """
        plug: edits
        api: 1
        version: 1.0.0
        namespace: wiki
        hosts: [en.wikipedia.org]
        config: {user: {type: string}}
        streams:
          edits: {endpoint: edits, request: {path: "https://en.wikipedia.org/w"}, key: [.id], version: none}

        """

    private func run(_ lines: String, _ more: [String] = [], in folder: String) async throws -> Ended {
        try FilesHere.write(Self.plug, to: folder + "/plug.yaml")
        try FilesHere.write(lines, to: folder + "/people.jsonl")
        return await Program.run(
            ["run", folder + "/plug.yaml", "--connections", folder + "/people.jsonl", "--state", folder + "/state"]
                + more
        )
    }

    @Test(arguments: [
        ("", "has no connections"), ("{", ":1: this is not a JSON object"), ("[]", ":1: this is not a JSON object"),
        (#"{"pda":"https://a.example","token_file":"t"}"#, ":1: 'connection' is missing"),
        (#"{"connection":"a","pda":"a.example/x","token_file":"t"}"#, ":1: 'a.example/x' is not the address of a PDA"),
        (#"{"connection":"a","pda":"https://a.example"}"#, ":1: 'token_file' is missing"),
        (#"{"connection":"a b","pda":"https://a.example","token_file":"t"}"#, ":1: 'a b' is not a valid name"),
        (
            #"{"connection":"a","pda":"https://a.example","token_file":"t","config":[]}"#,
            ":1: 'config' is not an object"
        ),
        (#"{"connection":"a","pda":"https://a.example","tokenfile":"t"}"#, "did you mean 'token_file'?"),
        (
            """

            {"connection":"a","pda":"https://a.example","token_file":"t"}
            {"connection":"a","pda":"https://b.example","token_file":"t"}
            """, ":3: the connection 'a' is also on line 2"
        ),
    ])
    func aFileWithAMistakeRunsNothing(_ lines: String, _ message: String) async throws {
        try await Program.withFolder { folder in
            let ended = try await run(lines, in: folder)
            #expect(ended.status == .configuration)
            #expect(ended.errors.contains(message), "\(ended.errors)")
        }
    }

    @Test("all mistakes of a file are told together, and their places once")
    func allMistakes() async throws {
        try await Program.withFolder { folder in
            let ended = try await run(
                """
                {"connection":"a","pda":"https://a.example","token_file":"t","config":{"user":{"x":1}}}
                {"connection":"b","pda":"https://b.example","token_file":"t"}
                {
                {"connection":"b","pda":"https://a.example","token_file":"t"}
                """,
                in: folder
            )
            let file = folder + "/people.jsonl"
            #expect(ended.status == .configuration && ended.output == "")
            #expect(
                ended.errors == """
                    error: [connections-malformed] \(file) has 3 errors; nothing was run:
                      \(file):1: the value of 'user' is neither a single value nor a list of them
                      \(file):3: this is not a JSON object
                      \(file):4: the connection 'b' is also on line 2
                      help: write a line {"connection": "ada", "pda": "https://ada.example", "token_file": "ada.token", "config": {…}} for each

                    """
            )
        }
    }

    @Test("of very many mistakes twenty are told")
    func veryManyMistakes() async throws {
        try await Program.withFolder { folder in
            let ended = try await run(String(repeating: "[]\n", count: 10_000), in: folder)
            let lines = ended.errors.split(separator: "\n")
            #expect(lines.count == 23)
            #expect(lines[0].hasSuffix("people.jsonl has 10000 errors; nothing was run:"))
            #expect(lines[20].hasSuffix("people.jsonl:20: this is not a JSON object"))
            #expect(lines[21] == "  and 9980 more")
        }
    }

    /// What keeps all from running, and what a program is told of it.
    @Test(
        "an early error has the form of the connections' answer",
        arguments: [
            ("file", "edits", 0, "file-missing"), ("mistake", "edits", 0, "connections-malformed"),
            ("manifest", "PATH", 1, "manifest-missing"), ("option", "edits", 1, "unknown-config"),
            ("key", "edits", 1, "key-exposed"),
        ]
    )
    func earlyErrors(_ kind: String, _ plug: String, _ connections: Int, _ code: String) async throws {
        try await Program.withFolder { folder in
            let (manifest, people, state) = (folder + "/plug.yaml", folder + "/people.jsonl", folder + "/state")
            if kind != "manifest" { try FilesHere.write(Self.plug, to: manifest) }
            let line = #"{"connection":"a","pda":"https://a.example","token_file":"t"}"#
            if kind != "file" { try FilesHere.write(kind == "mistake" ? "{" : line, to: people) }
            if kind == "key" {
                try FilesHere.write("too open", to: folder + "/key")
                chmod(folder + "/key", 0o644)
            }
            let ended = await Program.run(
                ["run", manifest, "--connections", people, "--state", state, "--json"]
                    + (kind == "option" ? ["--config", "usr=ada"] : []),
                environment: kind == "key" ? ["PLUGHOST_KEY_FILE": folder + "/key"] : [:]
            )
            let report = try #require(ended.json.first)
            #expect(ended.json.count == 1 && ended.status != .done)
            let message = try #require(report["error"]?["message"]?.stringText)
            let name = plug == "PATH" ? manifest : plug
            let expected = """
                {"plug":"\(name)","outcome":"failed","seconds":0,\
                "error":{"code":"\(code)","message":\(JSONValue.text(message).compactText),"stream":null},\
                "connections":\(connections),"done":0,"partial":0,"failed":0,"interrupted":0,\
                "outbox":{"drained":0,"dead_letters":0,"waiting":0,"waiting_records":0},"streams":{},"failures":[]}
                """
            #expect(report.compactText == expected)
            let times = ended.errors.components(separatedBy: "[\(code)]").count - 1
            #expect(times == 1, "\(ended.errors)")
        }
    }

    @Test func aMessageNamesItsConnectionOnce() {
        let messages = ["the token has expired", "connection 'ada' has no token yet", "connection 'adam' has none"]
        #expect(
            messages.map { ManyRunsReport.named("ada", $0) } == [
                "connection 'ada': the token has expired", "connection 'ada' has no token yet",
                "connection 'ada': connection 'adam' has none",
            ]
        )
    }

    @Test func oneConnectionsTroubleIsNotAnotherOnes() async throws {
        try await Program.withFolder { folder in
            try FilesHere.write("", to: folder + "/empty")
            let ended = try await run(
                """
                {"connection":"ada","pda":"https://ada.example","token_file":"\(folder)/nowhere","config":{"user":"Ada"}}
                {"connection":"bob","pda":"https://bob.example","token_file":"\(folder)/empty","config":{"user":"Bob"}}
                {"connection":"eve","pda":"https://eve.example","token_file":"\(folder)/empty","config":{"usr":"Eve"}}
                """,
                ["--json", "--parallel", "1"],
                in: folder
            )
            #expect(ended.status == .configuration)
            let report = try JSONValue(parsing: Array(ended.output.utf8))
            #expect(report["connections"] == .integer(3) && report["failed"] == .integer(3))
            let failures = report["failures"]?.elements?.map { failure in
                "\(failure["connection"]?.stringText ?? "") \(failure["error"]?["code"]?.stringText ?? "")"
            }
            #expect(failures == ["ada file-missing", "bob token-empty", "eve unknown-config"])
            #expect(ended.errors.contains("connection 'bob': "), "\(ended.errors)")
            // Which line names the file.
            let messages = report["failures"]?.elements?.compactMap { $0["error"]?["message"]?.stringText } ?? []
            #expect(messages.map { $0.contains(":1: ") } == [true, false, false], "\(messages)")
            #expect(
                messages.map { $0.contains(":2: \(folder)/empty is empty") } == [false, true, false],
                "\(messages)"
            )
        }
    }

    @Test(arguments: [
        ["--pda", "https://a.example"], ["--connection", "a"], ["--dry-run"], ["--parallel", "0"], ["plug.yaml"],
    ])
    func whatContradictsItIsAUsageError(_ more: [String]) async throws {
        try await Program.withFolder { folder in
            let ended = try await run("{}", more, in: folder)
            #expect(ended.status == .usage)
        }
    }
}
