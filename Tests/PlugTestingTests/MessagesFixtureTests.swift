import Foundation
import PlugTesting
import Testing

/// Fixtures of plugs that a program reads: what the program has written.
struct MessagesFixtureTests {
    private static let schema =
        #"{"type":"SCHEMA","stream":"book","schema":{"type":"object"},"key_properties":["id"],"bookmark_properties":["at"]}"#

    private static func record(_ id: Int, at: Int) -> String {
        #"{"type":"RECORD","stream":"book","record":{"id":\#(id),"at":\#(at),"price":1.10}}"#
    }
    private static func state(_ at: Int) -> String { #"{"type":"STATE","value":{"bookmarks":{"book":{"at":\#(at)}}}}"# }

    private static let lines = [schema, record(1, at: 1), record(2, at: 2), state(2), record(3, at: 3), state(3)]
    private static let golden = """
        {"data":{"_id":"shelf/books/1","id":1,"price":1.10},"endpoint":"shelf/books"}
        {"data":{"_id":"shelf/books/2","id":2,"price":1.10},"endpoint":"shelf/books"}
        {"data":{"_id":"shelf/books/3","id":3,"price":1.10},"endpoint":"shelf/books"}

        """

    private func plug(_ lines: [String], golden: String? = Self.golden) throws -> WrittenPlug {
        var fixtures = ["some.singer.jsonl": lines.joined(separator: "\n") + "\n"]
        fixtures["some.golden.jsonl"] = golden
        return try WrittenPlug(
            streams: "books: {tap_stream: book, endpoint: books, version: none, map: '{id, price}'}",
            exec: "{command: [tap-shelf]}",
            fixtures: fixtures
        )
    }

    /// The outcomes and messages of fixtures and of their cuts.
    private func outcomes(_ report: PlugTestReport, in plug: WrittenPlug) -> [String] {
        report.cases.filter { $0.kind != .coverage }
            .map { "\($0.name): \($0.outcome) \($0.message ?? "")".replacing("\(plug.folder)/", with: "") }
    }

    @Test func whatTheProgramHasWrittenIsReplayedAndCutAtEveryState() async throws {
        let plug = try plug(Self.lines)
        #expect(
            outcomes(try await plug.test(conformance: true), in: plug) == [
                "fixtures/some.singer.jsonl: ok 3 records", "fixtures/some.singer.jsonl: cut at every STATE: ok 2 cuts",
            ]
        )
    }

    @Test func theGoldenFileIsWrittenOnDemand() async throws {
        let plug = try plug(Self.lines, golden: nil)
        #expect(
            outcomes(try await plug.test(update: true), in: plug) == [
                "fixtures/some.singer.jsonl: updated wrote 3 records to fixtures/some.golden.jsonl"
            ]
        )
        let written = try String(contentsOfFile: "\(plug.folder)/fixtures/some.golden.jsonl", encoding: .utf8)
        #expect(written == Self.golden)
    }

    @Test func aLineThatIsNoMessageFailsTheFixture() async throws {
        let plug = try plug(Self.lines + ["Done!"])
        let outcomes = outcomes(try await plug.test(conformance: true), in: plug)
        #expect(outcomes.count == 2)
        #expect(outcomes.allSatisfy { $0.contains("failed") && $0.contains("line 7") }, "\(outcomes)")
    }

    @Test func anOutputWithoutAStateHasNoCuts() async throws {
        let plug = try plug(Self.lines.filter { !$0.contains("STATE") })
        #expect(
            outcomes(try await plug.test(conformance: true), in: plug).last
                == "fixtures/some.singer.jsonl: cut at every STATE: skipped it has no STATE: its records are kept as they arrive"
        )
    }
}
