import PlugTesting
import Testing

/// Fixtures that must end with an error: `fails`.
struct FailingFixtureTests {
    private func test(_ fails: String, status: Int = 403) async throws -> [String] {
        let plug = try WrittenPlug(
            streams: "books: {endpoint: books, request: {path: /books}, records: .items, key: .id, version: none}",
            http: "error: .fault.text, on: [{status: 403, if: .fault.dead, do: fail, as: authorisation}]",
            fixtures: [
                "dead.json": """
                {"fails": \(fails),
                 "exchanges": [{"request": {"url": "https://api.example.org/books"},
                                "response": {"status": \(status), "body": {"items": [], "fault": {"dead": true, "text": "Gone."}}}}]}
                """,
                "dead.golden.jsonl": "",
            ]
        )
        let report = try await plug.test()
        // What the service says is met, so that 'http.error' and 'on' are tested, too.
        if status == 403 { #expect(plug.messages(report, "member-unmet").allSatisfy { $0.contains("no test runs") }) }
        return report.cases.filter { $0.kind == .fixture }.map { one in
            "\(one.outcome) \(one.message ?? "")".replacing("\(plug.folder)/", with: "")
        }
    }

    @Test func theErrorAndTheServicesWordsAreCompared() async throws {
        #expect(try await test(#"{"code": "source-unauthorised", "says": "Gone."}"#) == ["ok 0 records"])
        #expect(try await test(#"{"code": "source-unauthorised"}"#) == ["ok 0 records"])
    }

    @Test func anotherErrorFailsTheTest() async throws {
        let end = "GET https://api.example.org/books was answered with 403; it says: Gone."
        #expect(
            try await test(#"{"code": "source-refused"}"#) == [
                "failed fixtures/dead.json:1:11: expected the error [source-refused], but reading ended with "
                    + "[source-unauthorised] \(end)\nhelp: correct 'fails' or the manifest"
            ]
        )
        #expect(
            try await test(#"{"code": "source-unauthorised", "says": "Dead."}"#) == [
                "failed fixtures/dead.json:1:11: expected the error [source-unauthorised] with 'Dead.', but reading ended "
                    + "with [source-unauthorised] \(end)\nhelp: correct 'fails' or the manifest"
            ]
        )
    }

    @Test func anErrorThatDoesNotComeFailsTheTest() async throws {
        #expect(
            try await test(#"{"code": "source-unauthorised"}"#, status: 200) == [
                "failed fixtures/dead.json:1:11: expected the error [source-unauthorised], but reading ended without an error\n"
                    + "help: remove 'fails', or correct the answers"
            ]
        )
    }
}

/// What a test says of a record that does not fit.
struct MisfitTests {
    @Test func theRecordIsShownShortenedWithThePlaceOfTheProgram() async throws {
        let records = """
            [{"id": 1, "at": "2026-01-01T00:00:00Z"}, {"id": 2, "at": "2026-01-01T00:00:00Z"}, \
            {"id": 3, "at": "soon", "note": "a text that is longer than it is shown", "tags": [1, 2, 3, 4]}]
            """
        let plug = try WrittenPlug(
            streams: "books: {endpoint: books, request: {path: /books}, key: .id, version: none, fields: {at: time}}",
            fixtures: [
                "odd.json": """
                {"exchanges": [{"request": {"url": "https://api.example.org/books"},
                                "response": {"status": 200, "body": \(records)}}]}
                """
            ]
        )
        #expect(
            plug.messages(try await plug.test(), "fixture-misfit") == [
                """
                stream 'books': plug.yaml:9:87: a record of https://api.example.org/books would become a dead letter: \
                [cast-failed] 'at' is a string that is not a time (of the form "aaaa"); say how it is written, as in \
                'at: {time: {format: "%d %b %Y"}}' (shelf/books/3)
                the record: {"id":3,"at":"soon","note":"a text that is longer t…","tags":[1,2,3,"…"]}
                help: correct the manifest, or drop such records with 'drop_if'
                """
            ]
        )
    }
}
