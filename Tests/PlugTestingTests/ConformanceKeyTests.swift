import PlugTesting
import Testing

@testable import PlugTesting

/// Simulated records differ in what a key reads, whatever way it reads it; a key that is the same for all records still fails.
struct ConformanceKeyTests {
    private static let hash = "'. | tojson | sha256'"
    private static let parts = "'{symbol, day: .day} | tojson | sha256'"

    /// The cases of a stream with a key.
    ///
    /// - Parameter records: The elements of a recorded list; `nil` without a fixture.
    private func cases(
        _ key: String,
        stream: String = "records: .items",
        records: String? = nil
    ) async throws -> [PlugTestReport.Case] {
        let manifest = """
            plug: demo
            api: 1
            version: 1.0.0
            hosts: [api.example.org]
            http: {base: "https://api.example.org"}
            streams:
              items:
                endpoint: items
                request: {path: /i}
                key: \(key)
                version: none
                \(stream)

            """
        let fixture = records.map {
            """
            {"exchanges": [{"request": {"url": "https://api.example.org/i"},
              "response": {"status": 200, "body": {"items": \($0)}}}]}
            """
        }
        return try await ConformancePlug.cases(of: manifest, fixture: fixture)
    }

    @Test(arguments: [hash, parts, "'.symbol = \"a\" | tojson | sha256'", "'del(.id?) | tojson | sha256'"])
    func recordsMadeOfProgramsDifferInTheirKeys(key: String) async throws {
        let cases = try await cases(key)
        #expect(cases.filter { $0.outcome != .ok } == [])
        #expect(cases.first?.name == "items: one page")
    }

    @Test func soDoRecordsOnSeveralPages() async throws {
        let cases = try await cases(
            Self.hash,
            stream: "records: '.items // []'\n    page: {number: {param: page, size: 50, size_param: per_page}}"
        )
        #expect(cases.filter { $0.outcome != .ok } == [])
        #expect(cases.first?.name == "items: two pages")
    }

    @Test func soDoRecordedOnesWithoutTextsAndNumbers() async throws {
        let cases = try await cases(Self.hash, records: #"[{"gone": true}, {"gone": false}]"#)
        #expect(cases.filter { $0.outcome != .ok } == [])
        #expect(cases.first?.name == "items: one page")
    }

    @Test func aKeyThatReadsNothingOfAMadeRecordIsNotJudged() async throws {
        let cases = try await cases(
            "'[.[\"a\"][\"b\"]?] | tojson | sha256'",
            stream: "records: .items\n    map: '{id}'"
        )
        #expect(cases.map(\.outcome) == [.skipped])
        #expect(cases.first?.message == "not simulated: no record can be made that 'key' tells from another one")
    }

    @Test(arguments: ["'\"all\" | sha256'", "'[\"a.b\"] | tojson | sha256'", "'.id | type'", "'.items | length'"])
    func aKeyThatAllRecordsShareFails(key: String) async throws {
        for records in [nil, #"[{"id": "a1", "items": []}, {"id": "a2", "items": []}]"#] {
            let failed = try await cases(key, records: records).filter { $0.outcome == .failed }
            #expect(failed.map(\.name) == ["items: one page"])
            #expect(failed.first?.message?.contains("help: choose a 'key' that no two records share") == true)
        }
    }

    @Test(arguments: [
        ("{symbol, day: .day}", ["symbol", "day"]), (#".["the name"]"#, ["the", "name", "the name"]), (".", []),
    ])
    func theWordsOfAKeyAreRead(source: String, words: [String]) { #expect(ProgramWords.of(source) == words) }

    @Test(arguments: [(".", true), ("[.id]", true), ("list.id", false), (#"["all"]"#, false), ("f(.)", true)])
    func aDotIsTheInputOrNot(source: String, reads: Bool) { #expect(ProgramWords.readsItsInput(source) == reads) }

    @Test func aDayTellsRecordsApartWhateverTheirCursorIs() async throws {
        let days = #"[{"day": "2026-01-05", "modified": 1767571200, "steps": 5}]"#
        let stream = "records: .items\n    since: {field: .modified, type: epoch, send: {query: {s: epoch}}}"
        for page in ["", "\n    page: {number: {param: page, size: 50, size_param: n}}"] {
            let cases = try await cases(".day", stream: stream + page, records: days)
            #expect(cases.filter { $0.outcome != .ok } == [])
        }
    }

    @Test func aCursorInATextIsFoundAgainThoughTheBoundBesideItChanges() async throws {
        func exchange(_ cursor: String, _ id: Int, _ next: String) -> String {
            """
            {"request": {"method": "POST", "url": "https://api.example.org/q",
              "body": "<q><from>2026-01-01T00:00:00Z</from><key>a b c d e f</key><cursor>\(cursor)</cursor></q>"},
             "response": {"status": 200, "bodyText":
              "<r><i><id>\(id)</id><at>2026-01-0\(id)T00:00:00Z</at><next>\(next)</next></i></r>"}}
            """
        }
        let manifest = """
            plug: demo
            api: 1
            version: 1.0.0
            hosts: [api.example.org]
            http: {base: "https://api.example.org"}
            config: {key: {type: string, secret: true}}
            streams:
              items:
                endpoint: items
                request:
                  method: POST
                  path: /q
                  text: '<q><from>{{ since }}</from><key>{{ config.key }}</key><cursor>{{ page.cursor // "" }}</cursor></q>'
                decode: {xml: {records: /r/i}}
                page: {cursor: {from: '.last.next | select(. != "")'}}
                since: {field: .at, type: time, from: "2026-01-01"}
                key: .id
                version: none

            """
        let fixture = """
            {"config": {"key": "a b c d e f"}, "exchanges": [
              \(exchange("", 1, "x1")), \(exchange("x1", 2, "x2")), \(exchange("x2", 3, ""))
            ]}
            """
        let cases = try await ConformancePlug.cases(of: manifest, fixture: fixture)
        #expect(cases.filter { $0.outcome == .failed } == [])
        #expect(cases.contains { $0.name == "items: second run" && $0.outcome == .ok })
    }
}
