import Foundation
import PlugManifest
import PlugTesting
import TestKit
import Testing

/// What a stream says of its records, as an author replays it.
struct RecordFixtureTests {
    private static let head = """
        plug: demo
        api: 1
        version: 1.0.0
        hosts: [api.example.org]
        application:
          info: {name: S, headline: S, description: {text: S}, termsUrl: "https://u.example", dataUsePurpose: p, supportContact: s}
        streams:
          items:
            endpoint: items
            request: {path: "https://api.example.org/items"}

        """

    private func test(
        _ lines: [String],
        body: String,
        before: String = "{}",
        golden: [String]
    ) async throws -> PlugTestReport {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixtures = folder.appending(path: "fixtures")
        try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
        let text = Self.head + lines.map { "    \($0)\n" }.joined()
        try text.write(to: folder.appending(path: "plug.yaml"), atomically: true, encoding: .utf8)
        let fixture = """
            {"now": "2026-01-05T12:00:00Z", "before": \(before), "exchanges": [
              {"request": {"url": "https://api.example.org/items"}, "response": {"status": 200, "body": \(body)}}
            ]}
            """
        try fixture.write(to: fixtures.appending(path: "items.json"), atomically: true, encoding: .utf8)
        let lines = golden.map { "{\"data\":\($0),\"endpoint\":\"demo/items\"}\n" }.joined()
        try lines.write(to: fixtures.appending(path: "items.golden.jsonl"), atomically: true, encoding: .utf8)
        return try await PlugTest.run(try PlugCopy.manifest(folder.path), folder: folder.path, update: false)
    }

    @Test func recordsAreExplodedFromListsInLists() async throws {
        let report = try await test(
            ["records: '.days[] as $d | $d.items[] | . + {day: $d.date}'", "key: [.day, .n]", "version: none"],
            body:
                #"{"days": [{"date": "2026-01-01", "items": [{"n": 1.0}, {"n": 2}]}, {"date": "2026-01-02", "items": []},"#
                + #" {"date": "2026-01-03", "items": [{"n": 1, "day": "replaced"}]}]}"#,
            golden: [
                #"{"_id":"demo/items/2026-01-01,1","day":"2026-01-01","n":1.0}"#,
                #"{"_id":"demo/items/2026-01-01,2","day":"2026-01-01","n":2}"#,
                #"{"_id":"demo/items/2026-01-03,1","day":"2026-01-03","n":1}"#,
            ]
        )
        #expect(report.failures.map(\.message) == [])
        #expect(report.outcome == .ok)
    }

    @Test func whatIsMissingIsReplayed() async throws {
        let report = try await test(
            ["key: .id", "version: .at", "deletes: {missing: true}"],
            body: #"[{"id": 1, "at": 5}]"#,
            before: #"{"items": ["demo/items/1@4", "demo/items/2@4", "demo/items/3"]}"#,
            golden: [
                #"{"_id":"demo/items/1@5","at":5,"id":1}"#,
                #"{"_id":"demo/items/2@4@deleted","deleted":true,"of":"demo/items/2"}"#,
                #"{"_id":"demo/items/3@@deleted","deleted":true,"of":"demo/items/3"}"#,
            ]
        )
        #expect(report.failures.map(\.message) == [])
    }

    @Test func whatWasThereBeforeIsForStreamsThatCompare() async throws {
        let keys = ["key: .id", "version: .at"]
        let report = try await test(keys, body: "[]", before: #"{"items": ["demo/items/1"]}"#, golden: [])
        #expect(report.failures.map(\.code) == ["fixture-invalid"])
        #expect(report.failures.first?.message?.contains("does not compare its passes") == true)
    }

    @Test func anObjectKeyedByNamesGivesARecordForEach() async throws {
        let report = try await test(
            ["records: '.users | to_entries[] | .value + {id: .key}'", "key: .id", "version: none"],
            body: #"{"users": {"bob": {"age": 12345678901234567890}, "ada": {"age": 36, "id": 7}}}"#,
            golden: [
                #"{"_id":"demo/items/bob","age":12345678901234567890,"id":"bob"}"#,
                #"{"_id":"demo/items/ada","age":36,"id":"ada"}"#,
            ]
        )
        #expect(report.failures.map(\.message) == [])
        #expect(report.outcome == .ok)
    }

    @Test func whatIsUnknownAndTheSourcesRecordAreReplayed() async throws {
        let lines = [
            "key: .id", "version: none", "unknown: drop", "raw: keep", "map: '{id, at: .paid, extra: 1}'",
            "fields: {id: any, at: {time: {format: '%d.%m.%Y %H:%M', zone: Europe/Berlin}}}",
            "tests: [{in: {id: 1, paid: 1.7.2026 00:30}, out: {id: 1, at: 2026-06-30T22:30:00Z, raw: {id: 1, paid: 1.7.2026 00:30}}}]",
        ]
        let report = try await test(
            lines,
            body: #"[{"paid": "25.10.2026 02:30", "id": 1.0}]"#,
            golden: [
                #"{"_id":"demo/items/1","at":"2026-10-25T00:30:00Z","id":1.0,"raw":{"id":1.0,"paid":"25.10.2026 02:30"}}"#
            ]
        )
        #expect(report.failures.map(\.message) == [])
        #expect(report.cases.count == 2)
    }

    @Test func differencesShowNothingThatIsSensitive() async throws {
        let lines = [
            "key: .email", "version: none",
            "fields: {email: {string, sensitive: true}, born: {date: {format: '%d.%m.%Y'}}}",
            "tests: [{in: {email: a@x.org, born: 1.2.2000}, out: {email: b@x.org, born: 2000-02-02}}]",
        ]
        let report = try await test(
            lines,
            body: #"[{"email": "c@x.org", "born": "01.02.2000"}]"#,
            golden: [#"{"_id":"demo/items/d@x.org","born":"2000-02-02","email":{"of":"d@x.org"}}"#]
        )
        let messages = report.failures.compactMap(\.message)
        #expect(messages.count == 2)
        #expect(messages.allSatisfy { !$0.contains("x.org") }, "\(messages)")
        #expect(
            messages[0].contains(
                "  .born: expected \"2000-02-02\", got \"2000-02-01\"\n  .email: expected <hidden>, got <hidden>"
            )
        )
        #expect(
            messages[1].contains(
                "  .data._id: expected <hidden>, got <hidden>\n  .data.born: expected \"2000-02-02\", got \"2000-02-01\"\n"
                    + "  .data.email: expected <hidden>, got <hidden>"
            )
        )
    }

    @Test func aMissingRecordIsNotShownInPart() async throws {
        let lines = ["identity: off", "fields: {email: {string, sensitive: true}}"]
        let report = try await test(lines, body: "[]", golden: [#"{"email":"d@x.org"}"#])
        let message = try #require(report.failures.first?.message)
        #expect(message.contains("the first missing record is <hidden>") && !message.contains("x.org"), "\(message)")
    }
}
