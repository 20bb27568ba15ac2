import LosslessJSON
import PlugCore
import PlugManifest
import PlugNormalise
import TestKit
import Testing

@testable import PlugRuntime

/// What a page comes to whose records do not fit, where it goes on with the answer of the page before.
struct StreamNormaliserTests {
    private static func normaliser() throws -> StreamNormaliser {
        let stream = try #require(try Bench(["key: [.id]", "version: none"]).manifest.streams.first)
        return StreamNormaliser(try #require(Normaliser(stream, config: .null)))
    }

    /// A page whose records are those of these parents: `+` fits, `-` does not.
    private static func page(_ parents: [(part: String, records: String)], preceding: Int) throws -> FetchedPage {
        let records = parents.map(\.records).joined().enumerated().map { at, mark in
            mark == "+" ? "{\"id\":\(at)}" : "{\"x\":1}"
        }
        let document = try JSONDocument(bytes: Array("[\(records.joined(separator: ","))]".utf8))
        var page = FetchedPage(records: document.root.elements ?? [], states: [:], origin: "here")
        for (part, records) in parents {
            page.states[part] = StreamState([])
            page.groups.append(.init(part: part, count: records.count))
        }
        page.preceding = preceding
        return page
    }

    @Test("the blocks of a parent's answer are judged together, and a block that does not fit leaves it out")
    func blocks() throws {
        var normaliser = try Self.normaliser()
        var first = try Self.page([("a", "++")], preceding: 0)
        #expect(try normaliser.normalise(&first).deadLetters.count == 0)
        var second = try Self.page([("a", "--")], preceding: 2)
        #expect(try normaliser.normalise(&second).deadLetters.count == 2 && !normaliser.hasMisfits)
        // Three of five; the other parent's record is another answer's.
        var third = try Self.page([("a", "-"), ("b", "+-")], preceding: 4)
        third.isOfSeveralAnswers = true
        let normalised = try normaliser.normalise(&third)
        #expect(normalised.block.entries.count == 1 && normalised.deadLetters.count == 1)
        #expect(normaliser.hasMisfits && third.states.keys.sorted() == ["b"])
    }

    @Test("what did not fit of several answers counts for none behind them")
    func severalAnswers() throws {
        var normaliser = try Self.normaliser()
        var merged = try Self.page([("a", "+-"), ("b", "+-"), ("c", "++")], preceding: 0)
        merged.isOfSeveralAnswers = true
        #expect(try normaliser.normalise(&merged).deadLetters.count == 2)
        // The answer of c goes on: one of three does not fit.
        var next = try Self.page([("c", "-")], preceding: 2)
        #expect(try normaliser.normalise(&next).deadLetters.count == 1 && !normaliser.hasMisfits)
    }
}
