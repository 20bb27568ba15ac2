import Decoding
import LosslessJSON
import PlugManifest
import TestKit
import Testing

@testable import PlugTesting

/// Feeds and calendars of a simulated service.
struct CutTextTests {
    private static let feed = """
        <?xml version="1.0"?>
        <rss version="2.0" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel><title>Notes</title>
        <item rdf:about="https://x.example/1"><title>One &amp; more</title><guid isPermaLink="false">note-1</guid>
          <description><![CDATA[Some <b>text</b>]]></description><enclosure url="https://x.example/1.mp3" type="audio/mpeg"/></item>
        <item><guid>note-2</guid></item>
        </channel></rss>

        """
    private static let atom = """
        <feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><entry><id>urn:note:1</id><title>One</title>
        <link rel="alternate" href="https://x.example/1"/><updated>2026-01-02T03:04:05Z</updated></entry></feed>
        """
    private static let calendar = [
        "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "END:VTIMEZONE", "BEGIN:VEVENT",
        "UID:event-one@x.example", "DTSTART;TZID=Europe/Berlin:20260102T090000", "SUMMARY:A long", "  title",
        "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM", "END:VEVENT", "BEGIN:VEVENT", "UID:event-two@x.example",
        "DTSTART:20260103T090000Z", "END:VEVENT", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")

    @Test(arguments: [(feed, 2), (atom, 1)])
    func aFeedIsTakenApart(text: String, count: Int) throws {
        let cut = try #require(CutText(.feed))
        let value = try #require(cut.value(Array(text.utf8)))
        #expect(value["elements"]?.elements?.count == count)
        #expect(cut.records(value)?.count == count)
        // Blanks between entries are left out.
        #expect(cut.value(cut.bytes(value)) == value)
        let free = value["elements"]?.elements?.first?.object?.members.compactMap(\.value.stringText).filter {
            !$0.isEmpty
        }
        let expected = [
            ["https://x.example/1", "One &amp; more", "note-1", "Some ", "text", "https://x.example/1.mp3"],
            ["urn:note:1", "One", "https://x.example/1", "2026-01-02T03:04:05Z"],
        ]
        #expect(free.map { expected.contains($0) } == true, "\(free ?? [])")
    }

    @Test func aCalendarIsTakenApart() throws {
        let window = CalendarWindow()
        let cut = try #require(CutText(.calendar(window)))
        let value = try #require(cut.value(Array(Self.calendar.utf8)))
        #expect(String(decoding: cut.bytes(value), as: UTF8.self) == Self.calendar)
        #expect(value["elements"]?.elements?.count == 2)
        let free = value["elements"]?.elements?.first?.object?.members.compactMap(\.value.stringText).filter {
            !$0.isEmpty
        }
        #expect(free == ["event-one@x.example", "A long", "-PT5M"])
        #expect(
            cut.records(value)?.compactMap { $0["uid"]?.stringText } == ["event-one@x.example", "event-two@x.example"]
        )
    }

    @Test(arguments: ["", "no feed at all", "<rss><channel></channel></rss>"])
    func whatHasNoElementsIsNot(text: String) throws {
        #expect(try #require(CutText(.feed)).value(Array(text.utf8)) == nil)
        #expect(try #require(CutText(.calendar(CalendarWindow()))).value(Array(text.utf8)) == nil)
        #expect(CutText(.lines) == nil)
    }

    private static func cases(key: String) async throws -> [PlugTestReport.Case] {
        let body = JSONValue.text(feed).compactText
        return try await ConformancePlug.cases(
            of: """
                plug: shelf
                api: 1
                version: 1.0.0
                hosts: [api.example.org]
                http: {base: "https://api.example.org"}
                streams:
                  notes: {endpoint: notes, request: {path: /notes}, decode: feed, key: \(key), version: content, map: '{id, title}'}

                """,
            fixture: """
                {"exchanges": [{"request": {"method": "GET", "url": "https://api.example.org/notes"},
                  "response": {"status": 200, "headers": {"Content-Type": "application/rss+xml"}, "bodyText": \(body)}}]}
                """
        )
    }

    @Test func aStreamOfAFeedIsRunAgainstASimulatedService() async throws {
        let good = try await Self.cases(key: ".id")
        #expect(good.contains { $0.name == "notes: one page" } && good.allSatisfy { $0.outcome == .ok }, "\(good)")
        let bad = try await Self.cases(key: "'.title | length'")
        #expect(bad.contains { $0.name == "notes: one page" && $0.outcome == .failed }, "\(bad)")
    }
}
