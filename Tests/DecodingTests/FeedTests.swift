import LosslessJSON
import Testing

@testable import Decoding

struct FeedTests {
    /// The common members of each entry, as compact JSON.
    private func read(_ bytes: some Collection<UInt8>) throws -> [String] {
        let all = try [3, 100_000].map { try Decoded(bytes, piece: $0, XMLRecords.feed()).records }
        #expect(all[0] == all[1])
        return try all[0].map { record in
            var object = try #require(try JSONValue(parsing: record).object)
            #expect(object["raw"] != nil)
            object["raw"] = nil
            return JSONValue.object(object).compactText
        }
    }

    private func fault(_ text: String) -> DecodingFault? {
        do { _ = try Decoded(text.utf8, piece: 5, XMLRecords.feed()) } catch { return error as? DecodingFault }
        return nil
    }

    @Test func anItemOfRSSIsAnEntry() throws {
        let text = """
            <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
              xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"><channel>
            <title>Channel</title><link>https://x.org/</link>
            <item><title> One &amp; only </title><link>https://x.org/1</link><guid isPermaLink="false">abc</guid>
            <pubDate>Sat, 07 Sep 2002 00:00:01 EST</pubDate><d:creator>Ann</d:creator><description>&lt;p&gt;short</description>
            <content:encoded><![CDATA[<p>long</p>]]></content:encoded><category>a</category><category>b</category><d:subject>c</d:subject>
            <enclosure url="https://x.org/1.mp3" length="12" type="audio/mpeg"/><media:content url="https://x.org/1.jpg" fileSize="7"/></item>
            <item><guid>https://x.org/2</guid><pubDate>7 sept 02 10:00 GMT</pubDate></item></channel></rss>
            """
        #expect(
            try read(text.utf8) == [
                #"{"id":"abc","title":"One & only","url":"https://x.org/1","published":"2002-09-07T05:00:01Z","updated":null,"#
                    + #""author":"Ann","content":"<p>long</p>","summary":"<p>short","categories":["a","b","c"],"enclosures":"#
                    + #"[{"url":"https://x.org/1.mp3","type":"audio/mpeg","length":"12"},{"url":"https://x.org/1.jpg","type":null,"length":"7"}]}"#,
                #"{"id":"https://x.org/2","title":null,"url":"https://x.org/2","published":"2002-09-07T10:00:00Z","updated":null,"#
                    + #""author":null,"content":null,"summary":null,"categories":[],"enclosures":[]}"#,
            ]
        )
    }

    @Test func anEntryOfAtomIsAnEntry() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title><author><name>Of the feed</name></author>
            <entry><id>urn:1</id><title type="html">A &lt;b&gt;</title><updated>2003-12-13T18:30:02+01:00</updated>
            <link rel="self" href="https://x.org/s"/><link href="https://x.org/1"/><link rel="enclosure" href="https://x.org/m"/>
            <author><name>Ann</name><email>a@x.org</email></author><category term="t"/><summary>S</summary>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p class="a&amp;b">x &lt; <br/></p></div></content></entry></feed>
            """
        #expect(
            try read(text.utf8) == [
                #"{"id":"urn:1","title":"A <b>","url":"https://x.org/1","published":null,"updated":"2003-12-13T17:30:02Z","#
                    + #""author":"Ann","content":"<p class=\"a&amp;b\">x &lt; <br/></p>","summary":"S","categories":["t"],"#
                    + #""enclosures":[{"url":"https://x.org/m","type":null,"length":null}]}"#
            ]
        )
    }

    @Test func itemsOfRDFStandBesideTheChannel() throws {
        let text = """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
              xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="c"><title>C</title></channel>
            <item rdf:about="urn:i"><title>T</title><link>https://x.org/i</link><dc:date>2004-01-02</dc:date></item></rdf:RDF>
            """
        #expect(
            try read(text.utf8) == [
                #"{"id":"urn:i","title":"T","url":"https://x.org/i","published":"2004-01-02T00:00:00Z","updated":null,"#
                    + #""author":null,"content":null,"summary":null,"categories":[],"enclosures":[]}"#
            ]
        )
    }

    @Test func whatIsNoFeedSaysSo() {
        #expect(fault("<!DOCTYPE html><html></html>")?.reason == "it is an HTML page, not a feed")
        #expect(fault("<?xml version='1.0'?><html></html>")?.reason == "it is an HTML page, not a feed")
        #expect(fault("{\"items\": []}                  ")?.reason == "it does not begin with '<', not a feed")
        #expect(
            fault("<opml version='2.0'><body/></opml>")?.reason
                == "its root element is neither 'rss' nor 'feed' nor 'RDF', not a feed"
        )
        #expect(fault("")?.reason == "it is empty, not a feed")
    }

    @Test(.enabled(if: Examples.arePresent("rss"), "the examples of feeds are not here"))
    func examplesAreRead() throws {
        let atom = try read(Examples.read("rss/examples/atom-1.xml"))
        #expect(atom.count == 1)
        #expect(try JSONValue(parsing: atom[0])["id"]?.stringText == "urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a")
        #expect(try read(Examples.read("rss/examples/rss20-derived-1.xml")).isEmpty == false)
    }
}
