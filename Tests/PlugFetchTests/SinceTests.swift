import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

struct SinceTests {
    private static func yaml(_ since: String, page: String = "{cursor: {from: .next, param: c}}", query: String = "{}")
        -> String
    {
        "http: {base: \"https://api.test\"}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t, query: \(query)}, records: .items, "
            + "page: \(page), since: \(since)}}\n"
    }
    /// Pages by cursor: `c=1` is the second.
    private static func source(_ pages: String...) -> Script {
        Script { request, _ in
            let at = Int(request.parameter("c") ?? "0") ?? 0
            let next = at + 1 < pages.count ? "\"\(at + 1)\"" : "null"
            return .json("{\"items\":[\(pages[at])],\"next\":\(next)}")
        }
    }
    private static func item(_ id: Int, _ time: String) -> String { "{\"id\":\(id),\"at\":\"\(time)\"}" }
    private static let time = "{field: .at, type: time, send: {query: {from: time}}}"

    @Test func aPageSaysWhatItsRequestAskedFor() async throws {
        let bench = try Bench(
            """
            http: {base: "https://api.test"}
            streams:
              things:
                endpoint: d
                key: .id
                version: none
                request: {path: /a}
                since: {field: .at, type: integer, from: "5", send: {query: {after: value}}}

            """
        )
        let states = MemoryStates()
        let first = try await bench.read(from: Script(.json(#"[{"id":1,"at":7}]"#)), states)
        let second = try await bench.read(from: Script(.json("[]")), states)
        #expect(first.pages.map(\.bounds?.lower) == [.number(JSONNumber(Int64(5)))])
        #expect(second.pages.map(\.bounds?.lower) == [.number(JSONNumber(Int64(7)))])
        #expect(first.pages.allSatisfy { $0.bounds?.upper == nil })
    }

    /// The person's first day goes before the manifest's, and moves nothing that was read before.
    @Test func aFirstDayCountsUntilSomethingWasRead() async throws {
        let since = "{field: .at, type: time, from: \"2020-01-01\", send: {query: {from: time}}}"
        var bench = try Bench(Self.yaml(since))
        bench.options.firstDay = "2026-11-02"
        let states = MemoryStates()
        let source = Self.source(Self.item(1, "2026-11-20T10:00:00Z"))
        _ = try await bench.read(from: source, states)
        bench.options.firstDay = "2026-01-01"
        _ = try await bench.read(from: source, states)
        #expect(
            source.sent.map { $0.parameter("from") } == ["2026-11-02T00%3A00%3A00Z", "2026-11-20T10%3A00%3A00Z"]
        )
    }

    @Test func movesTheWatermarkWhenThePassIsComplete() async throws {
        let bench = try Bench(Self.yaml(Self.time))
        let states = MemoryStates()
        let source = Self.source(Self.item(1, "2026-11-20T10:00:00.5Z"), Self.item(2, "2026-11-19T10:00:00+01:00"))
        let first = try await bench.read(from: source, states, pages: 1)
        #expect(first.ids == [1])
        #expect(states.value()?["watermark"] == nil)
        #expect(states.value()?["pass"]?["max"]?.stringText == "2026-11-20T10:00:00.5Z")
        let rest = try await bench.read(from: source, states)
        #expect(rest.ids == [2])
        #expect(states.text() == #"{"v":1,"watermark":"2026-11-20T10:00:00.5Z"}"#)
        _ = try await bench.read(from: source, states)
        #expect(
            source.sent.map { $0.parameter("from") } == [
                nil, nil, "2026-11-20T10%3A00%3A00.5Z", "2026-11-20T10%3A00%3A00.5Z",
            ]
        )
    }

    @Test(arguments: ["9999-12-31T23:59:59Z", "2026-11-22T00:00:00Z", "2026-11-21T12:00:00.000001Z"])
    func neverMovesItIntoTheFuture(time: String) async throws {
        let states = MemoryStates()
        let source = Self.source(Self.item(1, time), Self.item(2, "2020-01-01T00:00:00Z"))
        let reading = try await Bench(Self.yaml(Self.time)).read(from: source, states)
        #expect(reading.ids == [1, 2])
        #expect(states.value()?["watermark"]?.stringText == "2026-11-21T12:00:00Z")
    }

    @Test("a full page without a member for the next token proves nothing")
    func missingToken() async throws {
        let states = MemoryStates()
        let source = Script(.json("{\"items\":[\(Self.item(1, "2026-11-20T10:00:00Z"))]}"))
        let reading = try await Bench(Self.yaml(Self.time, query: "{limit: 1}")).read(from: source, states)
        #expect(reading.ids == [1] && reading.error?.code == "page-token-missing")
        #expect(states.text() == #"{"v":1}"#)
    }

    @Test func freezesTheUpperBound() async throws {
        let since =
            "{field: .at, type: time, send: {query: {from: epoch}}, until: {query: {to: epoch_ms}}, from: \"2026-01-01\"}"
        let bench = try Bench(Self.yaml(since))
        let states = MemoryStates()
        let source = Self.source(Self.item(1, "2026-11-20T00:00:00Z"), Self.item(2, "2026-11-21T18:00:00Z"))
        _ = try await bench.read(from: source, states, pages: 1)
        bench.clock.advance(.seconds(36_000))
        _ = try await bench.read(from: source, states)
        #expect(source.sent.map { $0.parameter("from") } == ["1767225600", "1767225600"])
        #expect(source.sent.map { $0.parameter("to") } == ["1795262400000", "1795262400000"])
        #expect(states.value()?["watermark"]?.stringText == "2026-11-21T12:00:00Z")
    }

    @Test(arguments: [
        ("time", "\"2026-11-20T10:00:00Z\"", "1h", "time", "2026-11-20T09%3A00%3A00Z"),
        ("date", "\"2026-11-20\"", "7d", "date", "2026-11-13"),
        ("epoch", "1763632800", "1m", "epoch", "1763632740"),
        ("epoch", "\"1763632800\"", "1m", "rfc3339", "2025-11-20T09%3A59%3A00Z"),
        ("epoch_ms", "1763632800250", "1s", "epoch_ms", "1763632799250"),
        ("integer", "9007199254740993", "3", "value", "9007199254740990"),
    ])
    func takesTheOverlapOff(type: String, value: String, overlap: String, format: String, sent: String) async throws {
        let since = "{field: .at, type: \(type), overlap: \(overlap), send: {query: {from: \(format)}}}"
        let bench = try Bench(Self.yaml(since))
        let states = MemoryStates()
        let source = Self.source("{\"id\":1,\"at\":\(value)}")
        _ = try await bench.read(from: source, states)
        _ = try await bench.read(from: source, states)
        #expect(source.sent[1].parameter("from") == sent)
    }

    @Test("an overlap asks for nothing before 'from', and a later 'from' leaves out nothing")
    func endsTheOverlapAtTheBeginning() async throws {
        func sent(from: String) async throws -> String? {
            let since = "{field: .at, type: date, from: \"\(from)\", overlap: 7d, send: {query: {from: date}}}"
            let bench = try Bench(Self.yaml(since))
            let states = MemoryStates()
            let source = Self.source(#"{"id":1,"at":"2026-11-20"}"#)
            _ = try await bench.read(from: source, states)
            _ = try await bench.read(from: source, states)
            return source.sent[1].parameter("from")
        }
        #expect(try await sent(from: "2026-11-01") == "2026-11-13")
        #expect(try await sent(from: "2026-11-18") == "2026-11-18")
        #expect(try await sent(from: "2026-11-21") == "2026-11-20")
    }

    @Test func keepsOpaqueValuesAsTheyStand() async throws {
        let since = "{field: .at, type: opaque, send: {query: {from: opaque}}}"
        let states = MemoryStates()
        let source = Self.source(#"{"id":1,"at":"zz/9"},{"id":2,"at":"aa=1"}"#)
        let bench = try Bench(Self.yaml(since))
        _ = try await bench.read(from: source, states)
        _ = try await bench.read(from: source, states)
        #expect(states.text() == #"{"v":1,"watermark":"aa=1"}"#)
        #expect(source.sent[1].parameter("from") == "aa%3D1")
    }

    @Test func deliversRecordsWithoutTheField() async throws {
        let bench = try Bench(Self.yaml(Self.time))
        let states = MemoryStates()
        let source = Self.source(
            #"{"id":1},{"id":2,"at":null},{"id":3,"at":"soon"},{"id":4,"at":"2026-13-45T00:00:00Z"}"#
        )
        let reading = try await bench.read(from: source, states)
        #expect(reading.ids == [1, 2, 3, 4])
        #expect(states.text() == #"{"v":1}"#)
        #expect(bench.events.warnings == ["since-missing"])
    }

    @Test func movesItWithEachPageWhereRecordsComeInOrder() async throws {
        let since = "{field: .at, type: time, order: asc, send: {query: {from: time}}}"
        let bench = try Bench(Self.yaml(since))
        let states = MemoryStates()
        let source = Self.source(
            Self.item(1, "2026-01-01T00:00:00Z"),
            Self.item(2, "2026-01-02T00:00:00Z"),
            Self.item(3, "2026-01-04T00:00:00Z") + "," + Self.item(4, "2026-01-03T00:00:00Z"),
            Self.item(5, "2026-01-05T00:00:00Z")
        )
        func watermark(after pages: Int) async throws -> String? {
            _ = try await bench.read(from: source, states, pages: pages)
            return states.value()?["watermark"]?.stringText
        }
        #expect(try await watermark(after: 1) == "2026-01-01T00:00:00Z")
        #expect(try await watermark(after: 1) == "2026-01-02T00:00:00Z")
        // Out of order: it stays where it was, over interruptions too, until the pass is complete.
        #expect(try await watermark(after: 1) == "2026-01-02T00:00:00Z")
        #expect(bench.events.warnings == ["order-broken"])
        #expect(states.value()?["pass"]?["unordered"]?.bool == true)
        #expect(try await watermark(after: 1) == "2026-01-05T00:00:00Z")
    }

    @Test func takesTheBoundThatThePersonGives() async throws {
        var bench = try Bench(Self.yaml(Self.time))
        let states = MemoryStates()
        let source = Self.source(Self.item(1, "2026-11-01T00:00:00Z"), Self.item(2, "2026-11-02T00:00:00Z"))
        _ = try await bench.read(from: source, states)
        bench.options.since = "2026-10-01"
        _ = try await bench.read(from: source, states, pages: 1)
        #expect(source.sent.last?.parameter("from") == "2026-10-01T00%3A00%3A00Z")
        // Interrupted, it goes on with its bound; a pass of another bound is not continued.
        bench.options.since = nil
        _ = try await bench.read(from: source, states, pages: 1)
        #expect(source.sent.last?.url.contains("c=1") == true)
        #expect(source.sent.last?.parameter("from") == "2026-10-01T00%3A00%3A00Z")
        #expect(states.text() == #"{"v":1,"watermark":"2026-11-02T00:00:00Z"}"#)
        bench.options.since = "36h"
        _ = try await bench.read(from: source, states, pages: 1)
        #expect(source.sent.last?.parameter("from") == "2026-11-20T00%3A00%3A00Z")
        bench.options.since = "yesterday"
        #expect(try await bench.read(from: source, states).error?.exit == .usage)
    }

    @Test func givesTheBoundToTemplates() async throws {
        let query = "{q: \"after:{{ since // \\\"start\\\" }}\", m: \"{{ since | time(\\\"epoch\\\") }}\"}"
        let bench = try Bench(Self.yaml("{field: .at, type: time, from: \"2026-01-01\"}", query: query))
        let source = Self.source(Self.item(1, "2026-11-01T00:00:00Z"))
        _ = try await bench.read(from: source)
        #expect(source.sent[0].parameter("q") == "after%3A2026-01-01T00%3A00%3A00Z")
        #expect(source.sent[0].parameter("m") == "1767225600")
    }

    @Test func readsUsualTimesLikeAnyOther() throws {
        let texts = [
            "2026-11-21T04:08:00Z", "2026-11-21T04:08:00.120Z", "2026-11-21T04:08:00.123456789Z",
            "2024-02-29T23:59:59Z",
            "1969-12-31T23:59:59.9Z", "2026-02-29T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T04:60:00Z",
            "2026-11-21T04:08:00.Z", "2026-11-21T04:08:0xZ", "20x6-11-21T04:08:00Z", "2026-11-21T04:08:00 Z",
        ]
        var reader = TimeReader()
        for text in texts {
            var copy = text
            #expect(copy.withUTF8 { reader.read($0) } == (text.contains(" ") ? nil : Timestamp(text)), "\(text)")
        }
    }
}
