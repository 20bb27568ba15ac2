import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Errors that come with a status of success: taken for empty pages they would end a stream in its middle.
struct AnsweredErrorTests {
    private static func bench(_ lines: String, records: String = "\".items // []\"") throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: \(records), \(lines)}}\n"
        )
    }

    private static let cursor = "page: {cursor: {from: .next, param: c}}"
    private static let first = Script.Reply.json(#"{"items":[{"id":1}],"next":"b"}"#)
    private static let last = Script.Reply.json(#"{"items":[{"id":2}]}"#)

    @Test(
        "an answer that says that something failed, and has no list, is asked for again",
        arguments: [
            #"{"error":"busy"}"#, #"{"errors":[{"code":7}]}"#, #"{"ok":false}"#, #"{"stat":"fail","code":105}"#,
            #"{"status":"ERROR","items":null}"#, #"{"fault":{"faultstring":"x"}}"#, #"{"success":false,"next":null}"#,
        ]
    )
    func isAskedForAgain(body: String) async throws {
        let bench = try Self.bench(Self.cursor)
        let reading = try await bench.read(from: Script(Self.first, .json(body), Self.last))
        #expect(reading.ids == [1, 2])
        #expect(reading.error == nil && reading.isComplete)
        #expect(bench.events.waits == [.backoff])
    }

    @Test("a program that wants its list has such an answer asked for again, too")
    func aProgramThatWantsItsListWaits() async throws {
        let bench = try Self.bench(Self.cursor, records: ".items")
        let reading = try await bench.read(from: Script(Self.first, .json(#"{"error":"busy"}"#), Self.last))
        #expect(reading.ids == [1, 2])
        #expect(reading.error == nil && reading.isComplete)
        #expect(bench.events.waits == [.backoff])
    }

    @Test("an answer that stays an error ends the stream, and nothing is taken for read")
    func endsTheStream() async throws {
        let source = Script(Self.first, .json(#"{"error":{"message":"busy"}}"#))
        let reading = try await Self.bench(Self.cursor).read(from: source)
        #expect(reading.ids == [1])
        #expect(reading.error?.code == "answer-is-error" && reading.error?.exit == .data)
        #expect(!reading.isComplete)
    }

    @Test(
        "members of that name beside a list are the service's affair",
        arguments: [
            #"{"items":[],"error":"none found"}"#, #"{"items":[],"ok":false}"#, #"{"errors":[],"items":[]}"#,
            #"{"error":null,"items":[]}"#,
        ]
    )
    func aListIsAList(body: String) async throws {
        let bench = try Self.bench(Self.cursor)
        let reading = try await bench.read(from: Script(Self.first, .json(body)))
        #expect(reading.ids == [1])
        #expect(reading.error == nil && reading.isComplete)
        #expect(bench.events.waits == [])
    }

    @Test("what a rule says of such an answer counts")
    func aRuleCounts() async throws {
        let bench = try Self.bench(Self.cursor + ", on: [{status: 200, if: .error, do: skip}]")
        let reading = try await bench.read(from: Script(Self.first, .json(#"{"error":"no more"}"#)))
        #expect(reading.ids == [1])
        #expect(reading.error == nil && reading.isComplete)
    }

    @Test("an empty page in the middle that does not show its list is asked for once more, after a wait")
    func anEmptyPageIsLookedAtTwice() async throws {
        let bench = try Self.bench(Self.cursor)
        let reading = try await bench.read(from: Script(Self.first, .json("{}"), Self.last))
        #expect(reading.ids == [1, 2])
        #expect(bench.events.waits == [.backoff])
        // A service that leaves an empty list out.
        let empty = try await Self.bench(Self.cursor).read(from: Script(Self.first, .json("{}"), .json("{}")))
        #expect(empty.ids == [1])
        #expect(empty.error == nil && empty.isComplete)
    }

    @Test("a pass that compares is not complete with a page that does not show its list")
    func aPassThatComparesNeedsTheList() async throws {
        let bench = try Self.bench(Self.cursor + ", deletes: {missing: true}")
        let reading = try await bench.read(from: Script(Self.first, .json("{}"), .json("{}")))
        #expect(reading.ids == [1])
        #expect(reading.error?.code == "records-missing")
        #expect(!reading.isComplete)
    }

    @Test("a table without rows is an empty list, also for a pass that compares")
    func anEmptyTableIsAList() async throws {
        let bench = try Self.bench("decode: csv, deletes: {missing: true}", records: ".")
        let reading = try await bench.read(from: Script(.json("id,name\n")))
        #expect(reading.error == nil && reading.isComplete)
    }

    @Test("an answer whose first block gives no record has others, and is asked for once")
    func theFirstBlockMayGiveNothing() async throws {
        let program = "'select(.id == \"3\")'"
        var bench = try Self.bench("decode: csv, deletes: {missing: true}", records: program)
        bench.options.blockRecords = 2
        let script = Script { _, _ in .json("id\n1\n2\n3\n") }
        let reading = try await bench.read(from: script)
        #expect(reading.records == [#"{"id":"3"}"#])
        #expect(reading.error == nil && reading.isComplete)
        #expect(script.sent.count == 1 && bench.events.waits == [])
    }

    @Test("JSON that is compressed without saying so, or in another encoding, is read")
    func jsonIsReadByItsContent() async throws {
        let latin: [UInt8] = Array(#"{"items":[{"id":1,"name":"Lu"#.utf8) + [0xED] + Array(#"s"}]}"#.utf8)
        let header = [HTTPHeader("Content-Type", "application/json; charset=iso-8859-1")]
        let reading = try await Self.bench("every: 1h").read(from: Script(.init(headers: header, bytes: latin)))
        #expect(reading.records == [#"{"id":1,"name":"Luís"}"#])
        let wide: [UInt8] = [0xFF, 0xFE] + #"{"items":[{"id":3}]}"#.utf8.flatMap { [$0, 0] }
        #expect(try await Self.bench("every: 1h").read(from: Script(.init(bytes: wide))).ids == [3])
    }

    @Test(
        "a file that is a message and no table, and has no row, is an error",
        arguments: ["Internal error, please try later\n", "error,code\n", "code,error\r\n"]
    )
    func aMessageIsNoTable(body: String) async throws {
        let bench = try Self.bench("decode: csv", records: ".")
        let reading = try await bench.read(from: Script(.json(body)))
        #expect(reading.error?.code == "page-not-decoded")
        #expect(!reading.isComplete)
        // Without rows, but the right header.
        let empty = try await bench.read(from: Script(.json("id,error\n")))
        #expect(empty.error == nil && empty.isComplete)
    }

    @Test(
        "an XML answer whose root says that something failed is an error",
        arguments: [#"<rsp stat="fail"><err code="1"/></rsp>"#, "<error>busy</error>", "<ns:Fault xmlns:ns=\"u:f\"/>"]
    )
    func aFailureIsNoEmptyList(body: String) async throws {
        let bench = try Self.bench("decode: {xml: {records: item}}", records: ".")
        let reading = try await bench.read(from: Script(.json(body)))
        #expect(reading.error?.code == "page-not-decoded")
        let good = #"<rsp stat="ok"><item><id>7</id></item></rsp>"#
        #expect(try await bench.read(from: Script(.json(good))).records == [#"{"id":"7"}"#])
    }

    @Test(
        "where records come oldest first, a pass whose place is lost starts over from where it began",
        arguments: [("from: \"2026-01-01\", ", "2026-01-01T00%3A00%3A00Z"), ("", nil)]
    )
    func anOrderedPassStartsOver(from: String, bound: String?) async throws {
        let since = "since: {field: .at, type: time, order: asc, \(from)send: {query: {after: time}}}"
        let bench = try Self.bench(Self.cursor + ", " + since)
        let states = MemoryStates()
        let page = Script.Reply.json(#"{"items":[{"id":1,"at":"2026-02-01T00:00:00Z"}],"next":"b"}"#)
        _ = try await bench.read(from: Script(page), states, pages: 1)
        let source = Script(.status(400), .json(#"{"items":[{"id":1,"at":"2026-02-01T00:00:00Z"}]}"#))
        let reading = try await bench.read(from: source, states)
        #expect(reading.ids == [1])
        #expect(source.sent.last?.parameter("after") == bound)
    }
}
