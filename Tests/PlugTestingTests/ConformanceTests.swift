import PlugCore
import PlugTesting
import TestKit
import Testing

/// A good plug passes against a simulated service, and each mistake fails in the scenario that is meant for it.
struct ConformanceTests {
    private static let scenarios = [
        "two pages", "repeated page token", "empty stream", "record changed between pages",
        "killed after a page, and resumed", "second run", "Retry-After in seconds", "Retry-After as a date", "500 once",
        "500 again and again", "truncated JSON", "HTML with 200", "401, then a new token", "401 again and again",
        "no secret in output",
    ]

    @Test func aGoodPlugPassesInEveryScenario() async throws {
        let expected = Self.scenarios.map { PlugTestReport.Case("items: \($0)", .conformance, .ok) }
        #expect(try await ConformancePlug.cases() == expected)
    }

    @Test func aPlugWithoutFixturesIsTriedWithRecordsMadeOfItsPrograms() async throws {
        let expected = Self.scenarios.map { PlugTestReport.Case("items: \($0)", .conformance, .ok) }
        #expect(try await ConformancePlug.cases(fixture: nil) == expected)
    }

    @Test func aPlugThatAsksForItsFirstTokenItselfPassesToo() async throws {
        let expected = Self.scenarios.map { PlugTestReport.Case("items: \($0)", .conformance, .ok) }
        let cases = try await ConformancePlug.cases(
            [
                ("auth:\n", "config: {secret: {type: string, secret: true}}\nauth:\n"),
                (#"authorize: {url: "https://api.example.org/authorize"}"#, "grant: client_credentials"),
                (
                    "scopes: [read]",
                    #"client_id: me, client_secret: "{{ config.secret }}""#.replacing(", ", with: "\n    ")
                ),
            ],
            fixture: nil
        )
        #expect(cases == expected)
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        var name: String
        var changes: [(String, String)]
        var scenarios: [String]
        var testDescription: String { name }

        init(_ name: String, _ changes: [(String, String)], _ scenarios: [String]) {
            self.name = name
            self.changes = changes
            self.scenarios = scenarios
        }
    }

    private static let cursor = "page: {cursor: {from: .next, param: after}}"
    static let mistakes = [
        Mistake("a key that all records share", [("[.id]", #"['"all"']"#)], ["two pages"]),
        Mistake(
            "a key that counts on each page anew",
            [
                ("records: .items", "records: '.items | to_entries[] | .value + {n: .key}'"), ("[.id]", "[.n]"),
                ("version: .updated_at", "version: none"),
            ],
            ["two pages"]
        ),
        Mistake("the token of the first record", [("from: .next", "from: '.items[0].id'")], ["two pages"]),
        Mistake(
            "a short page ends, and nobody asks for a size",
            [("limit: 2", "sort: id"), (cursor, "page: {number: {param: page, size: 10}, stop: short}")],
            ["two pages"]
        ),
        Mistake(
            "a short page of a JSON body ends, and nobody asks for a size",
            [
                ("{path: /items, query: {limit: 2}}", "{method: POST, path: /items, json: {a: 1}}"),
                (cursor, "page: {number: {param: p.n, omit_first: true, size: 10}, in: json, stop: short}"),
            ],
            ["two pages"]
        ),
        Mistake("'more' the wrong way round", [("after}}", "after}, more: .next == null}")], ["two pages"]),
        Mistake(
            "an error on an empty list",
            [("records: .items", #"records: '.items | if length == 0 then error("none") else . end'"#)],
            ["empty stream"]
        ),
        Mistake(
            "a version that shows days only",
            [("version: .updated_at", "version: '.updated_at[0:10]'"), ("field: .updated_at", "field: .created_at")],
            ["record changed between pages"]
        ),
        Mistake("a constant version", [("version: .updated_at", #"version: '"1"'"#)], ["record changed between pages"]),
        Mistake("a since that no record has", [("field: .updated_at", "field: .updatedAt")], ["second run"]),
        Mistake("a since that is never sent", [(", send: {query: {since: time}}", "")], ["second run"]),
        Mistake("contents that depend on the bound", [("'{id,", "'{id, from: since,")], ["second run"]),
        Mistake(
            "429 is skipped",
            [("on: []", "on: [{status: 429, do: skip}]")],
            ["Retry-After in seconds", "Retry-After as a date"]
        ),
        Mistake(
            "500 is skipped",
            [("on: []", "on: [{status: 5xx, do: skip}]")],
            ["500 once", "500 again and again"]
        ),
        Mistake(
            "500 is a page",
            [("on: []", "on: [{status: 500, do: ok}]"), ("records: .items", "records: '.items // []'")],
            // An empty page that should have records is requested again.
            ["500 again and again"]
        ),
        Mistake(
            "500 is skipped if anything",
            [("on: []", "on: [{status: 500, if: 'true', do: skip}]")],
            ["500 once", "500 again and again"]
        ),
        Mistake(
            "what is no page is skipped",
            [("on: []", #"on: [{status: 200, if: 'type == "string"', do: skip}]"#)],
            ["truncated JSON", "HTML with 200"]
        ),
        Mistake("401 is no refresh", [("on: []", "on: [{status: 401, do: fail}]")], ["401, then a new token"]),
        Mistake(
            "401 is skipped",
            [("on: []", "on: [{status: 401, do: skip}]")],
            ["401, then a new token", "401 again and again"]
        ),
    ]

    @Test(arguments: mistakes)
    func aMistakeFailsInItsScenario(mistake: Mistake) async throws {
        let failed = try await ConformancePlug.cases(mistake.changes).filter { $0.outcome == .failed }
        #expect(failed.map(\.name) == mistake.scenarios.map { "items: \($0)" })
        #expect(failed.allSatisfy { $0.code == "conformance-failed" })
    }

    @Test func aFailureSaysWhereWhatWasExpectedWhatHappenedAndWhatToDo() async throws {
        let failed = try await ConformancePlug.cases([("on: []", "on: [{status: 401, do: fail}]")])
            .filter { $0.outcome == .failed }
        #expect(
            failed.map(\.message) == [
                """
                plug.yaml:12:8: scenario '401, then a new token'
                  expected: a new token after 401, the same request with it, and all records
                  happened: [source-refused] GET https://api.example.org/items was answered with 401
                help: remove the rule of 'on' for 401, or make it say 'do: reauth'; check 'auth'
                """
            ]
        )
    }

    @Test func aStatusThatTheManifestSkipsByItsNumberIsNoFailure() async throws {
        let cases = try await ConformancePlug.cases([("on: []", "on: [{status: [404, 500], do: skip}]")])
        let skipped = cases.filter { $0.outcome != .ok }
        #expect(skipped.map(\.name) == ["items: 500 once", "items: 500 again and again"])
        let reason = "not simulated: its manifest says that 500 is skipped, at plug.yaml:12:8"
        #expect(skipped.map(\.message) == [reason, reason])
    }

    @Test func whatCannotHappenIsLeftOut() async throws {
        let names = try await ConformancePlug.cases([
            ("  page: {cursor: {from: .next, param: after}}", "  version: none"), ("    version: .updated_at\n", ""),
        ]).map(\.name)
        #expect(names.contains("items: one page"))
        for absent in ["two pages", "repeated page token", "record changed between pages"] {
            #expect(!names.contains("items: \(absent)"))
        }
    }

    @Test(arguments: [
        // The size of a full page is unknown.
        (
            "page: {cursor: {from: .next, param: after}, more: '(.items | length) >= 200'}",
            "no answer can be made that makes 'page.more' true or false as needed"
        ),
        ("page: {next: '\"/items/\\(.id | tonumber + 1)\"'}", "its pages do not come to an end"),
    ])
    func pagesWhoseEndIsUnknownAreNotSimulated(page: String, reason: String) async throws {
        let changes = [("page: {cursor: {from: .next, param: after}}", page)]
        let isWhole = page.contains("tonumber")
        let cases = try await ConformancePlug.cases(
            changes + (isWhole ? [("    records: .items\n", "")] : []),
            fixture: nil
        )
        #expect(cases.map(\.outcome) == [.skipped])
        #expect(cases.first?.message == "not simulated: \(reason)")
    }

    @Test func whatCannotBeSimulatedIsNamed() async throws {
        let cases = try await ConformancePlug.cases(
            [
                ("    records: .items\n", "    decode: lines\n"), ("[.id]", "[.text]"),
                ("    page: {cursor: {from: .next, param: after}}\n", ""),
            ],
            fixture: nil
        )
        #expect(cases.map(\.outcome) == [.skipped])
        #expect(
            cases.first?.message
                == "not simulated: answers are made as JSON, JSONL, feeds and calendars only, and its answers are text"
        )
    }
}
