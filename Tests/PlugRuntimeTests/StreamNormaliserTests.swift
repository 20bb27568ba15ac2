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

    // MARK: - Entries of an archive

    private static func entryNormaliser() throws -> StreamNormaliser {
        let text = """
            plug: archived
            api: 1
            version: 1.0.0
            hosts: []
            config: {export: {type: file}}
            streams:
              items:
                endpoint: items
                archive: {file: "{{ config.export }}", entries: "*.json"}
                records: .[]
                key: [.id]
                version: none

            """
        let manifest = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest
        let stream = try #require(manifest?.streams.first)
        return StreamNormaliser(try #require(Normaliser(stream, config: .null)))
    }

    /// A page of entries, whose place before it is `before`.
    private static func page(
        _ entries: [(part: String, records: String)],
        broken: [Int] = [],
        preceding: Int = 0,
        before: UInt8
    ) throws -> FetchedPage {
        var page = try page(entries, preceding: preceding)
        page.isOfSeveralAnswers = entries.count > 1
        page.states = ["": StreamState([before + 1])]
        page.stateBefore = StreamState([before])
        for at in page.groups.indices {
            page.groups[at].origin = "entry \(page.groups[at].part)"
            let count = broken.isEmpty ? 0 : broken[at]
            page.groups[at].broken = count
            page.broken += (0..<count).map { .init(reason: "broken \($0)", record: Array("{}".utf8)) }
        }
        return page
    }

    @Test("an entry that does not fit holds back the place before it, and nothing else")
    func entries() throws {
        var normaliser = try Self.entryNormaliser()
        var first = try Self.page([("1", "++")], before: 0)
        #expect(try normaliser.normalise(&first).block.entries.count == 2 && first.states[""]?.bytes == [1])
        var second = try Self.page([("2", "---")], before: 1)
        #expect(try normaliser.normalise(&second).deadLetters == [] && second.states[""]?.bytes == [1])
        var third = try Self.page([("3", "+-"), ("4", "+")], before: 2)
        let normalised = try normaliser.normalise(&third)
        #expect(normalised.block.entries.count == 2 && normalised.deadLetters.count == 1)
        #expect(third.states[""]?.bytes == [1] && normaliser.hasMisfits)
        let error = try #require(normaliser.misfitError)
        #expect(error.message.contains("records from entry 2 do not fit the manifest"))
        #expect(error.message.hasSuffix("; 1 entry was left out; all others are delivered"))
        #expect(error.reach == .stream)
    }

    @Test("entries that are delivered together are judged together, and one by one if they do not fit")
    func mergedEntries() throws {
        var normaliser = try Self.entryNormaliser()
        var first = try Self.page([("1", "+++"), ("2", "--")], before: 0)
        #expect(try normaliser.normalise(&first).deadLetters.count == 2 && !normaliser.hasMisfits)
        let entries = [(part: "3", records: "+"), ("4", "--"), ("5", "+"), ("6", "++")]
        var second = try Self.page(entries, broken: [0, 2, 1, 2], before: 1)
        let normalised = try normaliser.normalise(&second)
        // Each broken record is judged with the entry that it is in.
        #expect(normalised.block.entries.count == 4 && normalised.deadLetters.count == 3)
        #expect(second.states[""]?.bytes == [1])
        #expect(normaliser.misfitError?.message.contains("entry 4") == true)
    }

    @Test("what follows of an entry that is left out waits with it")
    func restOfAnEntry() throws {
        var normaliser = try Self.entryNormaliser()
        var first = try Self.page([("1", "++")], before: 0)
        _ = try normaliser.normalise(&first)
        var second = try Self.page([("1", "-----")], preceding: 2, before: 1)
        #expect(try normaliser.normalise(&second).block.entries.isEmpty)
        var third = try Self.page([("1", "+++"), ("2", "+")], broken: [1, 0], preceding: 7, before: 2)
        let normalised = try normaliser.normalise(&third)
        #expect(normalised.block.entries.count == 1 && normalised.deadLetters == [])
        #expect(third.states[""]?.bytes == [1])
    }

    @Test("no number of entries that do not fit ends the stream")
    func manyEntries() throws {
        var normaliser = try Self.entryNormaliser()
        for at in UInt8(0)..<40 {
            var page = try Self.page([("\(at)", "-")], before: at)
            #expect(try normaliser.normalise(&page).deadLetters == [] && page.states[""]?.bytes == [0])
        }
        var last = try Self.page([("last", "+")], before: 40)
        #expect(try normaliser.normalise(&last).block.entries.count == 1)
        let message = try #require(normaliser.misfitError?.message)
        #expect(message.hasSuffix("; 40 entries were left out; all others are delivered"))
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
