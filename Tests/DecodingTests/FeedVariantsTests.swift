import LosslessJSON
import Testing

@testable import Decoding

/// What feeds do that their standards do not say, and what they say that is easily forgotten.
struct FeedVariantsTests {
    private func entry(_ text: String) throws -> JSONValue {
        let records = try [3, 100_000].map { try Decoded(text.utf8, piece: $0, XMLRecords.feed()).records }
        #expect(records[0] == records[1])
        return try JSONValue(parsing: try #require(records[0].first))
    }

    private func members(_ text: String, _ names: [String]) throws -> [String?] {
        let entry = try entry(text)
        return names.map { entry[$0]?.stringText }
    }

    private func enclosures(_ text: String) throws -> [String?] {
        guard case .array(let all) = try entry(text)["enclosures"] else { return [] }
        return all.map { $0["url"]?.stringText }
    }

    @Test(arguments: [
        "<rss xmlns='http://backend.userland.com/RSS2'>", "<rss xmlns='http://cyber.law.harvard.edu/rss/rss.html'>",
        "<rss>",
    ])
    func membersAreInTheEntrysOwnNamespace(_ root: String) throws {
        let item =
            "<item><guid>g</guid><title>T</title><link>https://x.org/</link><pubDate>2 Jan 2024 00:00 GMT</pubDate></item>"
        #expect(
            try members("\(root)<channel>\(item)</channel></rss>", ["id", "title", "url", "published"])
                == ["g", "T", "https://x.org/", "2024-01-02T00:00:00Z"]
        )
    }

    @Test func anEntryOfAtomIsOneWithoutItsNamespace() throws {
        let text =
            "<feed><entry><id>i</id><title>T</title><link href='https://x.org/'/><updated>2024-01-02T00:00:00Z</updated></entry></feed>"
        #expect(
            try members(text, ["id", "title", "url", "updated"]) == [
                "i", "T", "https://x.org/", "2024-01-02T00:00:00Z",
            ]
        )
    }

    @Test func anEntryWithoutAnAuthorHasTheFeeds() throws {
        let feed = "<feed xmlns='http://www.w3.org/2005/Atom'><author><name>Of the feed</name></author>"
        #expect(try members(feed + "<entry><id>1</id></entry></feed>", ["author"]) == ["Of the feed"])
        #expect(try members(feed + "<entry><author><name>Ann</name></author></entry></feed>", ["author"]) == ["Ann"])
    }

    @Test func addressesAreWhole() throws {
        let text = """
            <feed xmlns='http://www.w3.org/2005/Atom' xml:base='https://x.org/a/b?c'>
            <entry xml:base='d/e'><id>1</id><link href='../f#g'/><link rel='enclosure' href='/m.mp3' xml:base='//y.org/'/></entry></feed>
            """
        #expect(try members(text, ["url"]) == ["https://x.org/a/f#g"])
        #expect(try enclosures(text) == ["https://y.org/m.mp3"])
    }

    @Test func renditionsInAGroupAreEnclosures() throws {
        let text = """
            <rss xmlns:m="http://search.yahoo.com/mrss/"><channel><item><m:group><m:content url="https://x.org/1"/>
            <m:content url="https://x.org/2"/></m:group><m:content url="https://x.org/1"/></item></channel></rss>
            """
        #expect(try enclosures(text) == ["https://x.org/1", "https://x.org/2"])
    }

    @Test(.timeLimit(.minutes(60))) func manyEnclosuresAreComparedOnce() throws {
        let all = (0..<120_000).map { "<m:content url=\"\($0)\"/>" }.joined()
        let text = "<rss xmlns:m=\"http://search.yahoo.com/mrss/\"><channel><item>\(all)</item></channel></rss>"
        let limits = DecodingLimits(record: 8 << 20)
        let record = try Decoded(text.utf8, piece: 65536, XMLRecords.feed(limits)).records[0]
        guard case .array(let all) = try JSONValue(parsing: record)["enclosures"] else {
            Issue.record("enclosures are a list")
            return
        }
        #expect(all.count == 120_000)
    }

    @Test(arguments: [
        ("Sat, 23 Mar 2019 16:51:00 CET", "2019-03-23T15:51:00Z"), ("Wed, Oct 09 2019", "2019-10-09T00:00:00Z"),
        ("2019-10-09 12:15:00 +0000", "2019-10-09T12:15:00Z"), ("2019-10-09", "2019-10-09T00:00:00Z"),
        ("2019-10-09T12:15Z", "2019-10-09T12:15:00Z"), ("2019-10-09T12:15:00+02:00", "2019-10-09T10:15:00Z"),
        ("2019-10", "2019-10-01T00:00:00Z"), ("20191009", "2019-10-09T00:00:00Z"),
        ("20191009T121500Z", "2019-10-09T12:15:00Z"),
        ("20191009T1215+0200", "2019-10-09T10:15:00Z"), ("1570623300", "2019-10-09T12:15:00Z"),
        ("20191009121500", "2019-10-09T12:15:00Z"),
        ("1570623300000", "2019-10-09T12:15:00Z"), ("2019/10/09 12:15", "2019-10-09T12:15:00Z"),
        ("09.10.2019 12:15", "2019-10-09T12:15:00Z"), ("Wed, 2019-10-09 12:15:00 CEST", "2019-10-09T10:15:00Z"),
        ("2019-10-09 12:15:00 CEST", "2019-10-09T10:15:00Z"), ("23/10/2019 9:05 pm", "2019-10-23T21:05:00Z"),
        ("2019-10-9T12:15:00", "2019-10-09T12:15:00Z"),
    ])
    func timesAreReadAsFeedsWriteThem(_ text: String, _ time: String) {
        #expect(FeedTime.normalised(text) == time)
    }

    @Test(arguments: [
        "soon", "10/09/2019", "32 Oct 2019", "2019", "2019-13-01", "12:15", "Wed, 9 Oct", "-", "2019-10-09T25:00:00Z",
        "T",
    ])
    func whatIsNoTimeIsNotGuessed(_ text: String) { #expect(FeedTime.normalised(text) == nil) }

    @Test func anEntryIsGivenWithoutATimeThatCannotBeRead() async throws {
        let item = { (id: Int, date: String) in "<item><guid>\(id)</guid><pubDate>\(date)</pubDate></item>" }
        let text =
            "<rss><channel>\n\(item(1, "2 Jan 2024 00:00 GMT"))\n\(item(2, "soon"))\n\(item(3, "later"))</channel></rss>"
        let decoder = AnswerDecoder(MemorySource(JSONBuffer(Array(text.utf8))), .feed)
        let block = try #require(await decoder.next())
        #expect(block.notes == [DecodingNote(kind: .unreadTime, count: 2, line: 3)])
        #expect(
            block.records.map { [$0["published"]?.value.stringText, $0["raw"]?.value["pubDate"]?.stringText] }
                == [["2024-01-02T00:00:00Z", "2 Jan 2024 00:00 GMT"], [nil, "soon"], [nil, "later"]]
        )
    }

    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"),
        ("../..", "http://a/"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g:h", "g:h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
    func relativeReferencesAreResolvedAsTheStandardShows(_ reference: String, _ expected: String) {
        #expect(RelativeReference.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
        #expect(RelativeReference.resolve(reference, against: nil) == reference)
    }
}
