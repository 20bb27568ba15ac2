import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// A service that says how many records there are in all, and gives fewer.
struct TotalTests {
    private static func bench(_ page: String, records: String = ".items", since: String = "") throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: '\(records)',\(since)\n"
                + "page: \(page)}}\n"
        )
    }

    private static func page(_ ids: Range<Int>, _ rest: String) -> Script.Reply {
        .json("{\"items\":[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))],\(rest)}")
    }

    @Test(
        "fewer records than 'page.total' says are an error, once all were given",
        arguments: [
            ("{total: .total, number: {param: p, size: 100}, stop: short}", #""total":250"#),
            ("{total: .total, cursor: {from: .next, param: c}}", #""total":250,"next":null"#),
            ("{total: .total, next: .next}", #""total":"250","next":null"#),
            ("{total: .total, number: {param: p}, more: .more}", #""total":250,"more":false"#),
        ]
    )
    func fewerThanTotal(page: String, rest: String) async throws {
        let states = MemoryStates()
        let reading = try await Self.bench(page).read(from: Script(Self.page(0..<3, rest)), states)
        #expect(reading.ids == [0, 1, 2])
        #expect(!reading.isComplete)
        #expect(
            reading.error
                == PlugError(
                    .totalUnmet,
                    "plug.yaml:7:8: 'page.total' (.total) says that there are 250 records, but the pages up to GET "
                        + "https://api.test/t gave 3: records may be missing",
                    advice: "check 'page': if paging ends too early, records are left unread; if this number does not "
                        + "count what is requested, leave 'total' out",
                    stream: "things",
                    reach: .item
                )
        )
        #expect(states.text() == #"{"v":1}"#)
    }

    @Test(
        "as many as it says are the end, also where that cannot be told",
        arguments: [
            // The service does not know.
            (".items", [3, 3], ["0", "0"]), (".items", [3, 3], ["-1", "-1"]), (".items", [3, 3], ["null", "null"]),
            // What was added meanwhile stands on the first page, and what was deleted is gone.
            (".items", [3, 3], ["6", "8"]), (".items", [3, 3], ["8", "6"]),
            // What 'records' leaves out was there.
            (".items[] | select(.id != 1)", [3, 3], ["6", "6"]),
            // Nobody can tell how many there were.
            ("[.items[] | select(.id != 1)]", [3, 3], ["6", "6"]),
        ]
    )
    func asManyAsTotal(records: String, counts: [Int], totals: [String]) async throws {
        let first = Self.page(0..<counts[0], "\"next\":\"b\",\"total\":\(totals[0])")
        let second = Self.page(counts[0]..<(counts[0] + counts[1]), "\"next\":null,\"total\":\(totals[1])")
        let bench = try Self.bench("{cursor: {from: .next, param: c}, total: .total}", records: records)
        let reading = try await bench.read(from: Script(first, second))
        #expect(reading.error == nil && reading.isComplete)
    }

    @Test(
        "fewer pages than 'page.pages' says are an error, once all were given",
        arguments: [
            ("{pages: .pages, number: {param: p, size: 100}, stop: short}", #""pages":4"#, 1),
            ("{pages: .pages, offset: {param: o, size: 100}, stop: short}", #""pages":"4""#, 1),
            ("{pages: .pages, cursor: {from: .next, param: c}}", #""pages":4,"next":null"#, 1),
            ("{pages: .pages, number: {param: p}, more: .more}", #""pages":4,"more":false"#, 1),
        ]
    )
    func fewerThanPages(page: String, rest: String, read: Int) async throws {
        let states = MemoryStates()
        let reading = try await Self.bench(page).read(from: Script(Self.page(0..<3, rest)), states)
        #expect(reading.ids == [0, 1, 2])
        #expect(!reading.isComplete)
        #expect(
            reading.error
                == PlugError(
                    .pagesUnmet,
                    "plug.yaml:7:8: 'page.pages' (.pages) says that there are 4 pages, but GET https://api.test/t was the "
                        + "last one, after \(read): records may be missing",
                    advice: "check 'page': if paging ends too early, records are left unread; if this number does not "
                        + "count pages of the size requested, leave 'pages' out",
                    stream: "things",
                    reach: .item
                )
        )
        #expect(states.text() == #"{"v":1}"#)
    }

    @Test(
        "as many pages as it says are the end, also over interruptions and 'page.max'",
        arguments: [
            ("cursor: {from: .next, param: c}", 10), ("cursor: {from: .next, param: c}, max: 1", 10),
            ("cursor: {from: .next, param: c}", 1), ("number: {param: p}", 10), ("number: {param: p}", 1),
            ("offset: {param: o, size: 5}", 10), ("offset: {param: o, size: 1}", 10),
        ]
    )
    func asManyAsPages(kind: String, pagesOfARun: Int) async throws {
        let bench = try Self.bench("{\(kind), pages: .pages}")
        let states = MemoryStates()
        let source = Script { request, _ in
            let parameter = request.parameter("c") ?? request.parameter("p").map { "\((Int($0) ?? 1) - 1)" }
            let page = Int(parameter ?? request.parameter("o") ?? "0") ?? 0
            let items = page < 3 ? "{\"id\":\(page)}" : ""
            return .json("{\"items\":[\(items)],\"pages\":3,\"next\":\"\(page + 1)\"}")
        }
        var ids: Set<Int> = []
        var reading = try await bench.read(from: source, states, pages: pagesOfARun)
        for _ in 0..<10 where !reading.isComplete {
            #expect(reading.error.map(\.code) ?? "page-limit" == "page-limit")
            ids.formUnion(reading.ids)
            reading = try await bench.read(from: source, states, pages: pagesOfARun)
        }
        ids.formUnion(reading.ids)
        #expect(reading.error == nil && reading.isComplete)
        #expect(ids == [0, 1, 2])
    }

    @Test(
        "a 'total' or 'pages' that gives no number in any answer is told, once",
        arguments: [
            // What the two pages say, and whether it is told.
            ("{total: .totl, number: {param: p}}", [#""total":4"#, #""total":4"#], "'page.total' (.totl)"),
            ("{pages: .n, number: {param: p}}", [#""n":null"#, #""n":null"#], "'page.pages' (.n)"),
            ("{total: .n, number: {param: p}}", [#""n":"many""#, #""n":{}"#], "'page.total' (.n)"),
            (
                "{total: .n, pages: .m, number: {param: p}}", [#""n":null"#, #""n":{}"#],
                "'page.total' (.n) and 'page.pages' (.m)"
            ),
            ("{total: .n, number: {param: p}}", [#""n":"4""#, #""n":null"#], nil),
            ("{total: .n, number: {param: p}}", [#""n":null"#, #""n":4"#], nil),
        ] as [(String, [String], String?)]
    )
    func countThatIsNoNumber(page: String, rests: [String], told: String?) async throws {
        let bench = try Self.bench(page)
        let source = Script(Self.page(0..<2, rests[0]), Self.page(2..<4, rests[1]), .json(#"{"items":[]}"#))
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete && reading.ids == [0, 1, 2, 3])
        let messages = bench.events.all.compactMap { if case .warning(_, let text) = $0.kind { text } else { nil } }
        let message = told.map { keys in
            "plug.yaml:7:8: \(keys) \(keys.contains(" and ") ? "give" : "gives") no number in any answer of this pass, "
                + "so nothing is checked"
        }
        #expect(messages == [message].compactMap(\.self))
        #expect(bench.events.warnings == (told == nil ? [] : ["page-count-missing"]))
    }

    @Test("the watermark stays where records may be missing, also after an interruption")
    func watermarkStays() async throws {
        let bench = try Self.bench(
            "{cursor: {from: .next, param: c}, total: .total}",
            since: " since: {field: .at, type: integer, send: {query: {after: value}}},"
        )
        let source = Script { request, _ in
            request.parameter("c") == nil
                ? .json(#"{"items":[{"id":1,"at":10}],"next":"b","total":3}"#)
                : .json(#"{"items":[{"id":2,"at":20}],"next":null,"total":5}"#)
        }
        let states = MemoryStates()
        _ = try await bench.read(from: source, states, pages: 1)
        let reading = try await bench.read(from: source, states)
        #expect(reading.ids == [2])
        #expect(reading.error?.code == "total-unmet")
        // The smaller of both, which was said before the interruption.
        #expect(reading.error?.message.contains("says that there are 3 records") == true)
        #expect(states.text() == #"{"v":1}"#)
    }
}
