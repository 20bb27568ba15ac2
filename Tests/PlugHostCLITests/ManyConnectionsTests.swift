import LosslessJSON
import PlugCore
import Testing

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
        ("", "holds no connection"), ("{", ":1: this is not a JSON object"), ("[]", ":1: this is not a JSON object"),
        (#"{"pda":"https://a.example","token_file":"t"}"#, ":1: 'connection' is missing"),
        (#"{"connection":"a","pda":"a.example/x","token_file":"t"}"#, ":1: 'a.example/x' is not the address of a PDA"),
        (#"{"connection":"a","pda":"https://a.example"}"#, ":1: 'token_file' is missing"),
        (#"{"connection":"a b","pda":"https://a.example","token_file":"t"}"#, ":1: 'a b' is not a name"),
        (
            #"{"connection":"a","pda":"https://a.example","token_file":"t","config":[]}"#,
            ":1: 'config' is not an object"
        ),
        (#"{"connection":"a","pda":"https://a.example","tokenfile":"t"}"#, "did you mean 'token_file'?"),
        (
            """

            {"connection":"a","pda":"https://a.example","token_file":"t"}
            {"connection":"a","pda":"https://b.example","token_file":"t"}
            """, ":3: the connection 'a' stands on line 2 too"
        ),
    ])
    func aFileWithAMistakeRunsNothing(_ lines: String, _ message: String) async throws {
        try await Program.withFolder { folder in
            let ended = try await run(lines, in: folder)
            #expect(ended.status == .configuration)
            #expect(ended.errors.contains(message), "\(ended.errors)")
        }
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
