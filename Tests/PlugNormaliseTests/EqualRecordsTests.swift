import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugManifest
@testable import PlugNormalise

/// Records of one answer with equal keys, of which each counts (`equal: count`).
struct EqualRecordsTests {
    private static func normaliser(_ key: String = "[.d, .s]", _ more: String...) throws -> Normaliser {
        let result = StreamBench.read(["key: \(key)", "version: none", "equal: count"] + more)
        let stream = try #require(result.manifest?.streams.first)
        return try #require(Normaliser(stream, config: .null))
    }

    private static func page(_ json: String, preceding: Int = 0) throws -> FetchedPage {
        let document = try JSONDocument(bytes: Array(json.utf8))
        var page = FetchedPage(records: try #require(document.root.elements), states: [:], origin: "https://api")
        page.preceding = preceding
        return page
    }

    private static func identities(_ page: NormalisedPage) -> [String] {
        page.block.entries.map { entry in
            String(decoding: page.block.identities[entry.identity], as: UTF8.self)
                .replacing("demo/items/", with: "")
        }
    }

    private static let rows = #"[{"d":"1","s":5},{"d":"1","s":6},{"d":"1","s":5},{"d":"2","s":5},{"d":"1","s":5}]"#

    @Test func eachOfSeveralEqualRowsIsARecord() throws {
        let normaliser = try Self.normaliser()
        let page = try Self.page(Self.rows)
        let expected = ["1,5", "1,6", "1,5,2", "2,5", "1,5,3"]
        #expect(Self.identities(try normaliser.normalise(page)) == expected)
        // Whoever reads it, and however often.
        #expect(Self.identities(try normaliser.normalise(page)) == expected)
    }

    @Test func theCountGoesOnThroughTheBlocksOfAnAnswerAndNoFurther() throws {
        let normaliser = try Self.normaliser()
        var answer = AnswerRecords()
        func read(_ json: String, after preceding: Int) throws -> [String] {
            Self.identities(try normaliser.normalise(Self.page(json, preceding: preceding), among: &answer))
        }
        #expect(try read(#"[{"d":"1","s":5},{"d":"1","s":5}]"#, after: 0) == ["1,5", "1,5,2"])
        #expect(try read(#"[{"d":"1","s":5},{"d":"2","s":5}]"#, after: 2) == ["1,5,3", "2,5"])
        // The next answer, or the same one from its start after an interruption.
        #expect(try read(#"[{"d":"1","s":5},{"d":"1","s":5}]"#, after: 0) == ["1,5", "1,5,2"])
        #expect(try read(#"[{"d":"1","s":5},{"d":"2","s":5}]"#, after: 2) == ["1,5,3", "2,5"])
    }

    @Test func aKeyCannotLookLikeANumberedOne() throws {
        let one = try Self.normaliser(".k")
        let page = try Self.page(#"[{"k":"a"},{"k":"a,2"},{"k":"a"},{"k":"a%2C2"}]"#)
        #expect(Self.identities(try one.normalise(page)) == ["a", "a%2C2", "a,2", "a%252C2"])
    }

    @Test func theNumberStandsBeforeTheVersion() throws {
        let result = StreamBench.read(["key: .k", "version: .v", "equal: count"])
        let stream = try #require(result.manifest?.streams.first)
        let normaliser = try #require(Normaliser(stream, config: .null))
        let page = try Self.page(#"[{"k":"a","v":1},{"k":"a","v":1},{"k":"a"}]"#)
        #expect(Self.identities(try normaliser.normalise(page)) == ["a@1", "a,2@1", "a,3"])
    }

    @Test func whatIsDroppedBeforeIsNotCountedAndWhatFailsLaterIs() throws {
        let normaliser = try Self.normaliser(".k", "drop_if: .x", "map: '{k, n: (.n // 1 | tonumber)}'")
        let page = try Self.page(
            #"[{"k":"a","x":true},{"k":"a"},{"k":"a","n":"-"},{"k":"a"},{"k":"b"},{"k":"b"}]"#
        )
        let normalised = try normaliser.normalise(page)
        #expect(Self.identities(normalised) == ["a", "a,3", "b", "b,2"])
        #expect(normalised.deadLetters.map(\.identity) == ["demo/items/a,2"])
    }

    @Test func withoutItEqualRowsAreOneRecord() throws {
        let bench = try StreamBench(["key: [.d, .s]", "version: none"])
        #expect(Self.identities(try bench.normalise(Self.rows)) == ["1,5", "1,6", "1,5", "2,5", "1,5"])
    }

    @Test func moreKeysThanCanBeToldApartAreAnError() throws {
        let normaliser = try Self.normaliser()
        var answer = AnswerRecords(EqualRecords(limit: 3))
        #expect(try normaliser.normalise(Self.page(Self.rows), among: &answer).block.entries.count == 5)
        var small = AnswerRecords(EqualRecords(limit: 2))
        let error = #expect(throws: PlugError.self) { try normaliser.normalise(Self.page(Self.rows), among: &small) }
        #expect(error?.code == "equal-limit" && error?.exit == .data && error?.reach == .stream)
        #expect(error?.message.hasPrefix("plug.yaml:12:5: the answer from https://api has more than") == true)
    }

    @Test func whatIsLookedAtOnceMoreIsCountedOnce() {
        var equal = EqualRecords()
        let key = Array("a".utf8)[...]
        let first = [equal.number(of: key), equal.number(of: key)]
        equal.undo()
        let second = [equal.number(of: key), equal.number(of: key)]
        #expect(first == [1, 2] && second == [1, 2])
    }
}
