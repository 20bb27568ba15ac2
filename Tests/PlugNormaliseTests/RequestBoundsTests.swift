import LosslessJSON
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugNormalise

/// `since` and `until` in `map` and `key`: the bounds of the request that gave the records.
struct RequestBoundsTests {
    private static func read(_ lines: [String], key: String = "[.id]") -> ManifestResult {
        let text =
            "plug: demo\napi: 1\nversion: 1.0.0\nhosts: [api.example.org]\nhttp: {base: \"https://api.example.org\"}\nstreams:\n"
            + "  days:\n    endpoint: days\n    request: {path: /days}\n    key: \(key)\n    version: .v\n"
            + lines.map { "    \($0)\n" }.joined()
        return ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
    }

    private static let since = "since: {field: .at, type: time, send: {query: {from: date}}}"

    private func records(_ bounds: FetchedPage.Bounds?, key: String = "[.id]") throws -> [String] {
        let result = Self.read([Self.since, "map: '{id, day: until, from: since}'"], key: key)
        #expect(result.diagnostics.filter { $0.severity == .error } == [])
        let stream = try #require(result.manifest?.streams.first)
        let document = try JSONDocument(bytes: Array(#"[{"id":1,"v":1}]"#.utf8))
        var page = FetchedPage(records: try #require(document.root.elements), states: [:], origin: "x")
        page.bounds = bounds
        let normalised = try #require(Normaliser(stream, config: .null)).normalise(page)
        return normalised.block.entries.map { String(decoding: normalised.block.bytes[$0.range], as: UTF8.self) }
    }

    @Test func mapSeesTheBoundsOfItsPage() throws {
        let bounds = FetchedPage.Bounds(lower: .text("2026-11-20"), upper: .text("2026-11-21"))
        #expect(try records(bounds) == [#"{"_id":"demo/days/1@1","day":"2026-11-21","from":"2026-11-20","id":1}"#])
        #expect(try records(nil) == [#"{"_id":"demo/days/1@1","day":null,"from":null,"id":1}"#])
    }

    @Test func rowsOfDifferentWindowsAreDifferentThings() throws {
        func identity(_ day: String) throws -> [String] {
            let bounds = FetchedPage.Bounds(lower: .text(day), upper: .text("2026-11-21"))
            return try records(bounds, key: "[.id, since]")
        }
        #expect(
            try identity("2026-11-19") == [
                #"{"_id":"demo/days/1,2026-11-19@1","day":"2026-11-21","from":"2026-11-19","id":1}"#
            ]
        )
        #expect(
            try identity("2026-11-20") == [
                #"{"_id":"demo/days/1,2026-11-20@1","day":"2026-11-21","from":"2026-11-20","id":1}"#
            ]
        )
    }

    @Test(
        arguments: [
            (["map: '{id, d: since}'"], "only a stream with 'since' has bounds"),
            ([since, "drop_if: '.at < since'"], "what can be used here: parent and config"),
        ]
    )
    func othersDoNot(lines: [String], help: String) {
        let errors = Self.read(lines).diagnostics.filter { $0.severity == .error }
        #expect(errors.map(\.code.text) == ["root-unavailable"])
        #expect(errors.first?.help == help || errors.first?.help == "what can be used here: config")
    }
}
