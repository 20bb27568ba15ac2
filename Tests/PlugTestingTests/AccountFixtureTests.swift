import PlugTesting
import Testing

/// Fixtures that ask whose account it is, and that compare headers.
struct AccountFixtureTests {
    private func test(check: String, who: String = ".login", accept: String = "text/x") async throws -> [String] {
        let exchange = { (path: String, body: String) in
            """
            {"request": {"url": "https://api.example.org\(path)", "headers": {"Accept": "text/x"}},
             "response": {"status": 200, "body": \(body)}}
            """
        }
        let plug = try WrittenPlug(
            streams: "books: {endpoint: books, request: {path: /books}, records: .items, key: .id, version: none}",
            http: "headers: {Accept: \(accept)}",
            check: "{request: {path: /me}, who: \(who)}",
            fixtures: [
                "me.json": """
                {"check": \(check), "exchanges": [\(exchange("/me", #"{"login": "ada"}"#)),
                 \(exchange("/books", #"{"items": []}"#))]}
                """, "me.golden.jsonl": "",
            ]
        )
        return try await plug.test().cases.filter { $0.kind == .fixture }
            .map { "\($0.outcome) \($0.message ?? "")".replacing("\(plug.folder)/", with: "") }
    }

    @Test func theAccountIsCompared() async throws {
        #expect(try await test(check: #""ada""#) == ["ok 0 records"])
        #expect(
            try await test(check: #""bob""#) == [
                "failed fixtures/me.json:1:11: expected the account 'bob', got 'ada'\n"
                    + "help: correct 'check' in the fixture, or 'check.who' in the manifest"
            ]
        )
        #expect(
            try await test(check: #""ada""#, who: ".logni") == [
                "failed fixtures/me.json:1:11: expected the account 'ada', got none\n"
                    + "help: correct 'check' in the fixture, or 'check.who' in the manifest"
            ]
        )
    }

    @Test func aHeaderThatAFixtureNamesIsCompared() async throws {
        let lines = try await test(check: #""ada""#, accept: "text/y")[0].split(separator: "\n")
        #expect(lines.first == "failed the plug requests GET https://api.example.org/me")
        #expect(lines.contains("    header Accept: expected 'text/x', asked 'text/y'"))
    }
}
