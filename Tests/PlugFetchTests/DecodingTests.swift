import CurlTransport
import LosslessJSON
import PlugCore
import Testing

@testable import PlugFetch

struct DecodingTests {
    private static func bench(_ keys: String) throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\", max_body: 64MiB}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, \(keys)}}\n"
        )
    }

    private static func read(_ keys: String, _ replies: Script.Reply...) async throws -> (Reading, Script) {
        let script = Script { _, at in replies[min(at, replies.count - 1)] }
        return (try await bench(keys).read(from: script), script)
    }

    @Test func rowsAndLinesAreRecords() async throws {
        let (csv, script) = try await Self.read(
            "decode: {csv: {separator: ';'}}",
            .json("id;name\r\n007;Ann\r\n8;\"B;b\"\r\n")
        )
        #expect(csv.records == [#"{"id":"007","name":"Ann"}"#, #"{"id":"8","name":"B;b"}"#])
        #expect(csv.isComplete && csv.error == nil)
        #expect(script.sent[0].header("Accept")?.hasPrefix("text/csv") == true)
        let (lines, ndjson) = try await Self.read(
            "decode: jsonl",
            .json("{\"id\":12345678901234567890}\n{\"id\":1.10}\n")
        )
        #expect(lines.records == [#"{"id":12345678901234567890}"#, #"{"id":1.10}"#])
        #expect(ndjson.sent[0].header("Accept")?.hasPrefix("application/x-ndjson") == true)
        let (xml, _) = try await Self.read(
            "decode: {xml: {records: item}}",
            .json("<r><item id='1'/><item id='2'/></r>")
        )
        #expect(xml.records == [#"{"@id":"1"}"#, #"{"@id":"2"}"#])
        let (feed, _) = try await Self.read(
            "decode: feed",
            .json("<rss><channel><item><guid>a</guid></item></channel></rss>")
        )
        #expect(feed.pages[0].records.map { $0["id"]?.text } == ["a"])
    }

    @Test func recordsRunsOverEachDecodedRecord() async throws {
        let body = "id,kind\n1,a\n2,b\n3,a\n"
        let (some, _) = try await Self.read("decode: csv, records: 'select(.kind == \"a\")'", .json(body))
        #expect(some.records == [#"{"id":"1","kind":"a"}"#, #"{"id":"3","kind":"a"}"#])
        let (parts, _) = try await Self.read("decode: csv, records: '[{id: .id}, {id: .kind}]'", .json(body))
        #expect(parts.records.count == 6)
        let (none, _) = try await Self.read("decode: csv, records: .missing", .json(body))
        #expect(none.error?.code.text == "records-missing")
    }

    @Test func theHeadersCharsetCountsWhereTheManifestSaysNothing() async throws {
        let latin = HTTPHeader("Content-Type", "text/csv; charset=\"ISO-8859-1\"")
        #expect(Exchange.charset(in: latin.value) == "ISO-8859-1")
        #expect(Exchange.charset(in: "text/csv") == nil)
    }

    @Test func aBrokenRowComesBesideTheOthers() async throws {
        let (csv, _) = try await Self.read("decode: csv", .json("id,name\n1,a\n2\n3,c\n"))
        #expect(csv.records.count == 2)
        #expect(
            csv.pages[0].broken == [
                FetchedPage.Broken(
                    reason: "line 3: it has 1 cell, and the file has 2 columns",
                    record: Array(#"{"line":3,"text":"2"}"#.utf8)
                )
            ]
        )
    }

    @Test func aFileThatBreaksOffIsAnErrorWithItsLine() async throws {
        let (csv, _) = try await Self.read("decode: csv", .json("id,name\n1,a\n2,\"b\n3,c\n"))
        #expect(csv.error?.code.text == "page-not-decoded")
        #expect(
            csv.error?.message
                == "the answer to GET https://api.test/t cannot be read as delimited text, line 3: the quote that begins in "
                + "this line does not end"
        )
        let (feed, _) = try await Self.read("decode: feed", .json("<!DOCTYPE html><html><body>Sign in</body></html>"))
        #expect(
            feed.error?.message
                == "the answer to GET https://api.test/t cannot be read as a feed: it is an HTML page, not a feed"
        )
    }

    @Test func whatStandsBeforeAFaultIsGivenWithTheStateAtTheAnswer() async throws {
        let states = MemoryStates()
        let reading = try await Self.bench("decode: csv").read(from: Script(.json("id,name\n1,a\n2,\"b\n")), states)
        #expect(reading.records == [#"{"id":"1","name":"a"}"#])
        #expect(reading.error?.code.text == "page-not-decoded")
        #expect(reading.pages.map(\.endsPass) == [false])
    }

    @Test func aLastBrokenLineIsJudgedWithAllOthers() async throws {
        let lines = String(repeating: "{\"id\":1}\n", count: 1000)
        let (reading, _) = try await Self.read("decode: jsonl", .json(lines + "{\"id\":"))
        #expect(reading.pages.map(\.broken.count) == [0, 1])
        #expect(reading.pages.map(\.preceding) == [0, 1000])
        #expect(reading.isComplete)
    }

    @Test func parentsOfAnAnswerThatIsTooLargeAreRefused() async throws {
        let rows = (0..<3000).map { "\($0)\n" }.joined()
        let bench = try Bench(
            "http: {base: \"https://api.test\", max_body: 64KiB}\n"
                + "streams: {all: {request: {path: /all}, decode: csv, key: .id, version: none}, "
                + "one: {endpoint: t, for_each: {in: all}, key: .id, version: none, request: {path: '/one/{{ parent.id }}'}}}\n"
        )
        let reading = try await bench.read("one", from: Script { _, _ in .json("id\n" + rows) })
        #expect(reading.error?.code.text == "page-too-large")
    }

    @Test func aLargeAnswerComesInBlocksAndItsStateMovesWithTheLast() async throws {
        let rows = (0..<10_000).map { "\($0),\(String(repeating: "x", count: 50))\n" }.joined()
        let bench = try Self.bench("decode: csv")
        let states = MemoryStates()
        let script = Script(.json("id,text\n" + rows))
        let reading = try await bench.read(from: script, states)
        #expect(reading.pages.count > 3)
        #expect(reading.records.count == 10_000)
        #expect(reading.pages.map(\.endsPass) == Array(repeating: false, count: reading.pages.count - 1) + [true])
        #expect(reading.pages.map(\.cost.requests).reduce(0, +) == 1)
        // What is kept of the answer counts as long as it is kept, and each block for itself.
        let body = rows.utf8.count + 8
        #expect(reading.pages.allSatisfy { ($0.weight ?? 0) > body / 8 && ($0.weight ?? 0) < body / 8 + 200_000 })
        // Interrupted behind a block, the answer is read again from its start.
        let begun = MemoryStates()
        let part = try await bench.read(from: script, begun, pages: 2)
        #expect(part.pages.count == 2)
        #expect(begun.value()?["pass"]?["place"] != nil)
        let again = try await bench.read(from: script, begun)
        #expect(again.records == reading.records)
        #expect(again.isComplete)
    }

    @Test func whatBreaksOffBehindABlockLeavesTheStateAtTheAnswer() async throws {
        let rows = (0..<10_000).map { "\($0),\(String(repeating: "x", count: 50))\n" }.joined()
        let bench = try Self.bench("decode: csv")
        let states = MemoryStates()
        let reading = try await bench.read(from: Script(.json("id,text\n" + rows + "\"")), states)
        #expect(reading.error?.code.text == "page-not-decoded")
        #expect(reading.records.count > 1000)
        #expect(states.value()?["watermark"] == nil)
        #expect(states.value()?["pass"]?["pages"]?.number?.int64 == 0)
    }

    @Test func pagesOfDecodedAnswersFollowOneAnother() async throws {
        let page = "decode: csv, page: {offset: {param: o, size: 2, size_param: n}, stop: short}"
        let (counted, script) = try await Self.read(page, .json("id\n1\n2\n"), .json("id\n3\n"))
        #expect(counted.ids.count == 3)
        #expect(script.urls == ["https://api.test/t?o=0&n=2", "https://api.test/t?o=2&n=2"])
        // The program sees how many records there were, and the last one.
        let cursor = "decode: csv, page: {cursor: {from: 'if .records == 2 then .last.id else null end', param: after}}"
        let (following, second) = try await Self.read(cursor, .json("id\n1\n2\n"), .json("id\n3\n"))
        #expect(following.records.count == 3)
        #expect(second.urls.last == "https://api.test/t?after=2")
    }

    /// The cursor is made of the last record that is none of the broken ones, in whichever block it is.
    @Test func theLastRecordIsKnownWhereTheLastBlockHasNone() async throws {
        var bench = try Self.bench("decode: csv, page: {cursor: {from: .last.id, param: after}}")
        bench.options.blockRecords = 2
        let script = Script { request, _ in
            switch request.parameter("after") {
            case nil: .json("id,name\n1,a\n2,b\n3\n")
            case "2": .json("id,name\n4,d\n")
            default: .json("id,name\n")
            }
        }
        let reading = try await bench.read(from: script)
        #expect(
            reading.records == [#"{"id":"1","name":"a"}"#, #"{"id":"2","name":"b"}"#, #"{"id":"4","name":"d"}"#]
        )
        #expect(reading.pages.map(\.records.count) == [2, 0, 1, 0])
        #expect(reading.pages.map(\.broken.count) == [0, 1, 0, 0])
        #expect(reading.isComplete)
    }

    @Test func theWatermarkIsThatOfAllBlocks() async throws {
        let rows = (0..<5000).map { "\($0),2026-11-\(10 + ($0 * 7) % 10)T00:00:00Z\n" }.joined()
        let bench = try Self.bench(
            "decode: csv, since: {field: .at, type: time, send: {query: {from: time}}}"
        )
        let states = MemoryStates()
        let reading = try await bench.read(from: Script(.json("id,at\n" + rows)), states)
        #expect(reading.pages.count > 1)
        #expect(states.text() == #"{"v":1,"watermark":"2026-11-19T00:00:00Z"}"#)
    }

    @Test func parentsOfALargeAnswerAreReadOnce() async throws {
        let rows = (0..<3000).map { "\($0)\n" }.joined()
        let bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {all: {request: {path: /all}, decode: csv, key: .id, version: none}, "
                + "one: {endpoint: t, for_each: {in: all}, key: .id, version: none, request: {path: '/one/{{ parent.id }}'}}}\n"
        )
        let script = Script { request, _ in
            request.path == "/all" ? .json("id\n" + rows) : .json("{\"id\":\(request.path.dropFirst(5))}")
        }
        let reading = try await bench.read("one", from: script)
        #expect(reading.ids == Array(0..<3000))
    }
}
