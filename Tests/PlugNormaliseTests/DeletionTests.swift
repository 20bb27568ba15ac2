import LosslessJSON
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugNormalise

/// Records that say that a thing is gone.
struct DeletionTests {
    private func normalised(_ lines: [String], _ json: String) throws -> NormalisedPage {
        let text =
            "plug: demo\napi: 1\nversion: 1.0.0\nhosts: [api.example.org]\nhttp: {base: \"https://api.example.org\"}\nstreams:\n"
            + "  items:\n    endpoint: items\n    request: {path: /items}\n" + lines.map { "    \($0)\n" }.joined()
        let result = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
        #expect(result.diagnostics.filter { $0.severity == .error } == [])
        let stream = try #require(result.manifest?.streams.first)
        let records = try #require(try JSONDocument(bytes: Array(json.utf8)).root.elements)
        let page = FetchedPage(records: records, states: [:], origin: "https://api.example.org/items")
        return try #require(Normaliser(stream, config: .null)).normalise(page)
    }

    private func records(_ page: NormalisedPage) -> [String] {
        page.block.entries.map { String(decoding: page.block.bytes[$0.range], as: UTF8.self) }
    }

    @Test func aDeletionNamesWhatIsGone() throws {
        let page = try normalised(
            ["key: [.id]", "version: .at", "map: '{name}'", "fields: {name: string}", "deletes: {field: .gone}"],
            #"[{"id":1,"at":5,"name":"a"},{"id":1,"at":6,"gone":true},{"id":"x@y","at":7,"gone":1},{"id":2,"at":8,"gone":false}]"#
        )
        #expect(
            records(page) == [
                #"{"_id":"demo/items/1@5","name":"a"}"#,
                #"{"_id":"demo/items/1@6@deleted","deleted":true,"of":"demo/items/1"}"#,
                #"{"_id":"demo/items/x%40y@7@deleted","deleted":true,"of":"demo/items/x%40y"}"#,
                #"{"_id":"demo/items/2@8","name":null}"#,
            ]
        )
        #expect(page.deletions.count == 2 && page.dropped == 0 && page.deadLetters.isEmpty)
    }

    @Test func whatIsDroppedIsNoDeletion() throws {
        let page = try normalised(
            ["key: [.id]", "version: .at", "drop_if: .hidden", "deletes: {field: .gone}"],
            #"[{"id":1,"gone":true,"hidden":true},{"id":2,"gone":true}]"#
        )
        #expect(records(page) == [#"{"_id":"demo/items/2@@deleted","deleted":true,"of":"demo/items/2"}"#])
        #expect(page.deletions.count == 1 && page.dropped == 1)
    }

    @Test("a stream of tombstones has nothing but deletions")
    func tombstones() throws {
        let page = try normalised(
            ["key: [.item, .part]", "version: .at", "deletes: {field: true}"],
            #"[{"item":"a,b","part":2,"at":"2026-11-21"}]"#
        )
        #expect(
            records(page) == [
                #"{"_id":"demo/items/a%2Cb,2@2026-11-21@deleted","deleted":true,"of":"demo/items/a%2Cb,2"}"#
            ]
        )
    }

    @Test func aKeyThatLooksLikeADeletionIsAnother() throws {
        let page = try normalised(
            ["key: [.id]", "deletes: {field: .gone}"],
            #"[{"id":"1@deleted"},{"id":"1","gone":true}]"#
        )
        let identities = records(page).compactMap { try? JSONValue(parsing: Array($0.utf8))["_id"]?.stringText }
        #expect(identities == ["demo/items/1%40deleted", "demo/items/1@@deleted"])
    }

    @Test func aVersionThatLooksLikeADeletionIsAnother() throws {
        let page = try normalised(
            ["key: [.id]", "version: .status", "deletes: {field: .gone}"],
            #"[{"id":7,"status":"deleted"},{"id":7,"gone":true},{"id":7,"status":"1@deleted"},{"id":7,"status":1,"gone":true}]"#
        )
        let identities = records(page).compactMap { try? JSONValue(parsing: Array($0.utf8))["_id"]?.stringText }
        #expect(
            identities == [
                "demo/items/7@deleted", "demo/items/7@@deleted", "demo/items/7@1%40deleted", "demo/items/7@1@deleted",
            ]
        )
    }

    /// Deletions have no members that a cast could meet.
    @Test func deletionsSayNothingOfCasts() throws {
        let gone = (0..<30).map { #"{"id":\#($0),"at":1,"gone":true}"# }.joined(separator: ",")
        let page = try normalised(
            ["key: [.id]", "version: .at", "fields: {name: string}", "deletes: {field: .gone}"],
            "[\(gone)]"
        )
        #expect(page.findings.records == 0 && page.deletions.count == 30)
    }

    @Test func aProgramThatFailsMakesADeadLetter() throws {
        let page = try normalised(
            ["key: [.id]", "version: .at", "deletes: {field: '.gone.at'}"],
            #"[{"id":1,"gone":"x"},{"id":2},{"id":3}]"#
        )
        #expect(page.deadLetters.map(\.code) == ["deletes-failed"] && page.block.entries.count == 2)
    }
}
