import Foundation
import PlugManifest
import PlugTesting
import Testing

/// Incremental reads as an author replays them: what is asked for, in which order, and what comes of it.
struct SinceFixtureTests {
    private static func head(_ name: String) -> String {
        """
        plug: \(name)
        api: 1
        version: 1.0.0
        hosts: [api.example.org]
        application:
          info: {name: S, headline: S, description: {text: S}, termsUrl: "https://u.example", dataUsePurpose: p, supportContact: s}
        http: {base: "https://api.example.org"}
        streams:
          visits:
            endpoint: visits
            key: .id
            version: none
            records: .visits

        """
    }

    private func test(_ name: String, _ stream: String, fixture: String, golden: String) async throws -> PlugTestReport
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixtures = folder.appending(path: "fixtures")
        try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
        try (Self.head(name) + stream).write(to: folder.appending(path: "plug.yaml"), atomically: true, encoding: .utf8)
        try fixture.write(to: fixtures.appending(path: "visits.json"), atomically: true, encoding: .utf8)
        try golden.write(to: fixtures.appending(path: "visits.golden.jsonl"), atomically: true, encoding: .utf8)
        return try await PlugTest.run(try PlugCopy.manifest(folder.path), folder: folder.path, update: false)
    }

    @Test func windowsAreAskedForInTheirOrder() async throws {
        let report = try await test(
            "windows",
            """
                request: {method: POST, path: "/visits/{{ since | time(\\"%Y\\") }}", json: {who: me}}
                page: {cursor: {from: .next, param: page}}
                since:
                  field: [.left, .came]
                  type: time
                  from: 2025-12-01
                  send: {json: {range.from: "%d.%m.%Y"}}
                  until: {query: {to: date}}
                  window: 20d
                  granule: 1d
                  settle: 1d

            """,
            fixture: """
                {"now": "2026-01-05T12:00:00Z", "exchanges": [
                  {"request": {"method": "POST", "url": "https://api.example.org/visits/2025?to=2025-12-20",
                    "body": {"who": "me", "range": {"from": "01.12.2025"}}},
                   "response": {"status": 200, "body": {"visits": [{"id": 1, "came": "2025-12-20 23:59:59"}], "next": "b"}}},
                  {"request": {"method": "POST", "url": "https://api.example.org/visits/2025?to=2025-12-20&page=b",
                    "body": {"who": "me", "range": {"from": "01.12.2025"}}},
                   "response": {"status": 200, "body": {"visits": [{"id": 2, "came": "2025-12-02 10:00:00", "left": null}], "next": null}}},
                  {"request": {"method": "POST", "url": "https://api.example.org/visits/2025?to=2026-01-04",
                    "body": {"who": "me", "range": {"from": "21.12.2025"}}},
                   "response": {"status": 200, "body": {"visits": [], "next": null}}}
                ]}
                """,
            golden: """
                {"data":{"_id":"windows/visits/1","came":"2025-12-20 23:59:59","id":1},"endpoint":"windows/visits"}
                {"data":{"_id":"windows/visits/2","came":"2025-12-02 10:00:00","id":2,"left":null},"endpoint":"windows/visits"}
                {"cursor":{"watermark":"2026-01-01T12:00:00Z"},"stream":"visits"}

                """
        )
        #expect(report.failures.map(\.message) == [])
        #expect(report.outcome == .ok)
    }

    @Test func aPassEndsWhereTheManifestEndsIt() async throws {
        let report = try await test(
            "ends",
            """
                request: {path: /visits}
                since:
                  field: .at
                  type: time
                  from: 2025-12-01
                  to: "2025-12-25"
                  send: {query: {from: date}}
                  until: {query: {to: date}}
                  window: 20d
                  granule: 1d

            """,
            fixture: """
                {"now": "2026-01-05T12:00:00Z", "exchanges": [
                  {"request": {"url": "https://api.example.org/visits?from=2025-12-01&to=2025-12-20"},
                   "response": {"status": 200, "body": {"visits": [{"id": 1, "at": "2025-12-20 23:59:59"}]}}},
                  {"request": {"url": "https://api.example.org/visits?from=2025-12-21&to=2025-12-25"},
                   "response": {"status": 200, "body": {"visits": [{"id": 2, "at": "2025-12-24 10:00:00"}]}}}
                ]}
                """,
            golden: """
                {"data":{"_id":"ends/visits/1","at":"2025-12-20 23:59:59","id":1},"endpoint":"ends/visits"}
                {"data":{"_id":"ends/visits/2","at":"2025-12-24 10:00:00","id":2},"endpoint":"ends/visits"}
                {"cursor":{"watermark":"2025-12-25T00:00:00Z"},"stream":"visits"}

                """
        )
        #expect(report.failures.map(\.message) == [])
        #expect(report.outcome == .ok)
    }

    @Test func theNewestFirstEndsAtTheStart() async throws {
        let report = try await test(
            "feed",
            """
                request: {path: /feed}
                page: {number: {param: page}}
                since: {field: .at, type: epoch, from: "2026-01-03", order: desc, stop: known}

            """,
            fixture: """
                {"now": "2026-01-05T12:00:00Z", "exchanges": [
                  {"request": {"url": "https://api.example.org/feed?page=1"},
                   "response": {"status": 200, "body": {"visits": [{"id": 4, "at": 1767571200}, {"id": 3, "at": "1767484800"}]}}},
                  {"request": {"url": "https://api.example.org/feed?page=2"},
                   "response": {"status": 200, "body": {"visits": [{"id": 2, "at": 1767398400}, {"id": 1, "at": 1767312000}]}}},
                  {"request": {"url": "https://api.example.org/feed?page=1"},
                   "response": {"status": 200, "body": {"visits": [{"id": 4, "at": 1767571200}, {"id": 3, "at": "1767484800"}]}}}
                ]}
                """,
            golden: """
                {"data":{"_id":"feed/visits/4","at":1767571200,"id":4},"endpoint":"feed/visits"}
                {"data":{"_id":"feed/visits/3","at":"1767484800","id":3},"endpoint":"feed/visits"}
                {"data":{"_id":"feed/visits/2","at":1767398400,"id":2},"endpoint":"feed/visits"}
                {"cursor":{"watermark":"2026-01-05T00:00:00Z"},"stream":"visits"}

                """
        )
        #expect(report.failures.map(\.message) == [])
        #expect(report.outcome == .ok)
    }
}
