import Foundation
import PlugTesting

/// A small plug with a fixture, into which tests write mistakes.
enum ConformancePlug {
    static let manifest = """
        plug: demo
        api: 1
        version: 1.0.0
        hosts: [api.example.org]
        auth:
          oauth2:
            authorize: {url: "https://api.example.org/authorize"}
            token: {url: "https://api.example.org/token"}
            scopes: [read]
        http:
          base: https://api.example.org
          on: []
        streams:
          items:
            endpoint: items
            request: {path: /items, query: {limit: 2}}
            records: .items
            page: {cursor: {from: .next, param: after}}
            since: {field: .updated_at, type: time, send: {query: {since: time}}}
            key: [.id]
            version: .updated_at
            map: '{id, title: .name, updatedAt: .updated_at}'
            fields: {updatedAt: time}

        """

    private static func item(_ number: Int) -> String {
        """
        {"id": "a\(number)", "name": "Number \(number)", "rank": \(number), "created_at": "2025-11-0\(number)T10:00:00Z",
         "updated_at": "2025-12-0\(number)T10:00:00Z"}
        """
    }

    private static let fixture = """
        {"exchanges": [
          {"request": {"url": "https://api.example.org/items?limit=2"},
           "response": {"status": 200, "body": {"items": [\(item(1)), \(item(2))], "next": "p2"}}},
          {"request": {"url": "https://api.example.org/items?limit=2&after=p2"},
           "response": {"status": 200, "body": {"items": [\(item(3))], "next": null}}}
        ]}
        """

    /// The cases of kind `conformance` after texts of the manifest were replaced, which must be there.
    static func cases(
        _ changes: [(String, String)] = [],
        fixture: String? = fixture
    ) async throws -> [PlugTestReport.Case] {
        struct Absent: Error {}
        var text = manifest
        for (old, new) in changes {
            guard text.contains(old) else { throw Absent() }
            text = text.replacing(old, with: new)
        }
        return try await cases(of: text, fixture: fixture)
    }

    /// The cases of kind `conformance` of a manifest.
    static func cases(of text: String, fixture: String?) async throws -> [PlugTestReport.Case] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plug-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let fixtures = folder.appending(path: "fixtures")
        try FileManager.default.createDirectory(at: fixtures, withIntermediateDirectories: true)
        try text.write(to: folder.appending(path: "plug.yaml"), atomically: true, encoding: .utf8)
        if let fixture {
            try fixture.write(to: fixtures.appending(path: "items.json"), atomically: true, encoding: .utf8)
        }
        let report = try await PlugTest.run(
            try PlugCopy.manifest(folder.path),
            folder: folder.path,
            conformance: true
        )
        return report.cases.filter { $0.kind == .conformance }.map { one in
            var one = one
            one.message = one.message?.replacing("\(folder.path)/", with: "")
            return one
        }
    }
}
