import PlugTesting
import TestKit
import Testing

/// Members of the manifest's programs that no fixture and no inline test has.
struct CoverageTests {
    private static let books = """
        books:
          endpoint: books
          request: {path: /books}
          records: .items
          key: .id
          version: .changed
          map: '{id, title: .titel, by: (.author // .editor), isbn: .ids.isbn}'
        """

    private static func fixture(_ items: String) -> [String: String] {
        let exchange = #"{"request": {"url": "https://api.example.org/books"}, "response": {"status": 200, "body": "#
        return ["books.json": #"{"exchanges": [\#(exchange)\#(items)}}]}"#]
    }

    @Test func aMemberThatNoObjectHasIsNamedWithTheOneThatIsMeant() async throws {
        let items = #"{"items": [{"id": 1, "changed": 1, "title": "A", "author": "B", "ids": null}]}"#
        let plug = try WrittenPlug(streams: Self.books, fixtures: Self.fixture(items))
        #expect(
            plug.messages(try await plug.test(), "member-unmet") == [
                "plug.yaml:15:23: no object in the tests has a member '.titel'\nhelp: did you mean '.title'?",
                "plug.yaml:15:47: no test reaches '.editor'\nhelp: add a fixture or an inline test that does",
                "plug.yaml:15:67: the source of '.isbn' is null in every test\n"
                    + "help: add a fixture or an inline test in which it is not",
            ]
        )
    }

    @Test func whatIsNotReachedIsAWarningAndFailsAStrictTest() async throws {
        let items = #"{"items": [{"id": 1, "changed": 1, "title": "A", "author": "B", "ids": null}]}"#
        let plug = try WrittenPlug(streams: Self.books, fixtures: Self.fixture(items))
        let outcomes = { (report: PlugTestReport) in report.cases.filter { $0.kind == .coverage }.map(\.outcome) }
        #expect(outcomes(try await plug.test()) == [.warning, .warning, .warning])
        #expect(outcomes(try await plug.test(isStrict: true)) == [.failed, .failed, .failed])
    }

    @Test func fixturesAndInlineTestsCountTogether() async throws {
        let items = """
            {"items": [{"id": 1, "changed": 1, "titel": "A", "author": null, "editor": "C", "ids": {"isbn": 1}}]}
            """
        let plug = try WrittenPlug(
            streams: Self.books.replacing(".ids.isbn", with: ".ids.ean")
                + "\n  tests: [{in: {id: 1, ids: {ean: 7}}, out: {id: 1, title: null, by: null, isbn: 7}}]",
            fixtures: Self.fixture(items)
        )
        #expect(plug.messages(try await plug.test(), "member-unmet") == [])
    }

    @Test func aStreamWithoutAFixtureIsNamedAndAProgramThatNeverRunsOnce() async throws {
        let plug = try WrittenPlug(
            streams: Self.books + """

                loans:
                  endpoint: loans
                  request: {path: /loans}
                  records: .loans.items
                  key: .id
                  version: none
                """,
            fixtures: Self.fixture(#"{"items": []}"#)
                .mapValues { $0.replacing(#"{"exchanges""#, with: #"{"stream": "books", "exchanges""#) }
        )
        let report = try await plug.test()
        #expect(
            plug.messages(report, "stream-untested") == [
                "plug.yaml:9:3: no fixture has a record of the stream 'books'\nhelp: record a conversation in fixtures/",
                "plug.yaml:16:3: no fixture reads the stream 'loans'\nhelp: record a conversation in fixtures/",
            ]
        )
        let lines = plug.messages(report, "member-unmet").map { $0.prefix { $0 != "\n" } }
        #expect(
            lines == [
                "plug.yaml:13:10: no test runs the program with '.id'",
                "plug.yaml:14:14: no test runs the program with '.changed'",
                "plug.yaml:15:12: no test runs the program with '.id'",
                "plug.yaml:19:14: no test runs the program with '.loans'",
                "plug.yaml:20:10: no test runs the program with '.id'",
            ]
        )
    }

    @Test func aStreamOfWhichFixturesHaveNoRecordIsNamed() async throws {
        let plug = try WrittenPlug(streams: Self.books, fixtures: Self.fixture(#"{"items": []}"#))
        #expect(
            plug.messages(try await plug.test(), "stream-untested") == [
                "plug.yaml:9:3: no fixture has a record of the stream 'books'\nhelp: record a conversation in fixtures/"
            ]
        )
    }

    @Test func withoutAnyTestOnlyTheStreamsAreNamed() async throws {
        let plug = try WrittenPlug(streams: Self.books)
        let report = try await plug.test()
        #expect(report.cases.map(\.code) == ["stream-untested"])
        #expect(report.outcome == .untested)
    }
}
