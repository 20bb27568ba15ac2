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
        let message = told.map { keys in
            "plug.yaml:7:8: \(keys) \(keys.contains(" and ") ? "give" : "gives") no number in any answer of this pass, "
                + "so nothing is checked"
        }
        #expect(bench.events.messages == [message].compactMap(\.self))
        #expect(bench.events.warnings == (told == nil ? [] : ["page-count-missing"]))
    }

    @Test(
        "a number that counts only its own page ends nothing where the answer names another page",
        arguments: [
            // What the three pages say beside the next page, and the number that is not believed.
            ("{total: .n, cursor: {from: .next, param: c}}", ["3", "3", "1"], "'page.total' (.n)"),
            ("{total: .n, next: .link}", ["2", "2", "2"], "'page.total' (.n)"),
            // It grows with each page: nothing to tell, and nothing lost.
            ("{pages: .n, cursor: {from: .next, param: c}}", ["1", "2", "3"], nil),
            ("{total: .n, cursor: {from: .next, param: c}}", ["3", "6", "7"], nil),
            ("{pages: .n, cursor: {from: .next, param: c}}", ["1", "1", "1"], "'page.pages' (.n)"),
        ] as [(String, [String], String?)]
    )
    func countOfOnePage(page: String, numbers: [String], told: String?) async throws {
        let bench = try Self.bench(page)
        let source = Script { request, _ in
            let at = Int(request.parameter("c") ?? "0") ?? 0
            let next = at < 2 ? "\"next\":\(at + 1),\"link\":\"/t?c=\(at + 1)\"" : "\"next\":null,\"link\":null"
            return Self.page([0..<3, 3..<6, 6..<7][at], "\"n\":\(numbers[at]),\(next)")
        }
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete && reading.ids == [0, 1, 2, 3, 4, 5, 6])
        let message = told.map {
            "plug.yaml:7:8: \($0) says that there is no other page, but GET https://api.test/t gives more records: the "
                + "number is ignored in this pass"
        }
        #expect(bench.events.messages == [message].compactMap(\.self))
    }

    @Test(
        "a service that names a page behind the last one is asked for it once",
        arguments: [
            // What that page holds: nothing, or the first page over again.
            (0..<0, [0, 1, 2]), (0..<3, [0, 1, 2, 0, 1, 2]),
        ]
    )
    func pageBehindTheLast(second: Range<Int>, ids: [Int]) async throws {
        let bench = try Self.bench("{cursor: {from: .next, param: c}, total: .total}")
        let source = Script(
            Self.page(0..<3, "\"total\":3,\"next\":\"b\""),
            Self.page(second, "\"total\":3,\"next\":\"c\"")
        )
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete && reading.ids == ids)
        #expect(bench.events.messages == [])
    }

    @Test(
        "a service that names a page behind the last one, and has none there, has ended",
        arguments: [400, 404, 410, 416, 422]
    )
    func noPageBehindTheLast(status: Int) async throws {
        let bench = try Self.bench("{cursor: {from: .next, param: c}, total: .total}")
        let reading = try await bench.read(
            from: Script(Self.page(0..<3, "\"total\":3,\"next\":\"b\""), .status(status))
        )
        #expect(reading.error == nil && reading.isComplete && reading.ids == [0, 1, 2])
        #expect(bench.events.messages == [])
    }

    @Test(
        "a number that is too small ends nothing where a page is full: one more request tells",
        arguments: [
            // What the number says of two full pages and a third one.
            ("{total: .n, number: {param: p, size: 3}}", "3", "'page.total' (.n)"),
            ("{total: .n, number: {param: p, size: 3}}", "6", "'page.total' (.n)"),
            ("{total: .n, offset: {param: p, size: 3}}", "6", "'page.total' (.n)"),
            ("{total: .n, cursor: {from: .next, param: p}}", "6", "'page.total' (.n)"),
            ("{pages: .n, number: {param: p, size: 3}}", "2", "'page.pages' (.n)"),
            ("{pages: .n, cursor: {from: .next, param: p}}", "2", "'page.pages' (.n)"),
            ("{total: .n, number: {param: p, size: 3}}", "7", nil),
            // Nobody knows the size: the second page is as full as the first.
            ("{total: .n, number: {param: p}}", "6", "'page.total' (.n)"),
            ("{pages: .n, number: {param: p}}", "2", "'page.pages' (.n)"),
        ] as [(String, String, String?)]
    )
    func numberThatIsTooSmall(page: String, number: String, told: String?) async throws {
        let bench = try Self.bench(page)
        let source = Script { request, _ in
            let place = Int(request.parameter("p") ?? "0") ?? 0
            let at = page.contains("number") ? place - 1 : page.contains("offset") ? (place + 2) / 3 : place
            let next = at < 2 ? "\(at + 1)" : "null"
            return Self.page([0..<3, 3..<6, 6..<7, 0..<0][min(at, 3)], "\"n\":\(number),\"next\":\(next)")
        }
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete && reading.ids == [0, 1, 2, 3, 4, 5, 6])
        let message = told.map {
            "plug.yaml:7:8: \($0) says that there is no other page, but GET https://api.test/t gives more records: the "
                + "number is ignored in this pass"
        }
        #expect(bench.events.messages == [message].compactMap(\.self))
    }

    @Test(
        "an interruption before the page behind the last one loses nothing, and the pass ends",
        arguments: [200, 404]
    )
    func interruptedBehindTheLast(status: Int) async throws {
        let bench = try Self.bench("{total: .total, cursor: {from: .next, param: c}}")
        let states = MemoryStates()
        let source = Script { request, _ in
            switch request.parameter("c") {
            case nil: Self.page(0..<3, "\"total\":6,\"next\":\"b\"")
            case "b": Self.page(3..<6, "\"total\":6,\"next\":\"c\"")
            default: status == 200 ? Self.page(0..<0, "\"total\":6,\"next\":\"d\"") : .status(status)
            }
        }
        var ids: [Int] = []
        var runs = 0
        var reading = Reading()
        while !reading.isComplete, runs < 10 {
            reading = try await bench.read(from: source, states, pages: 1)
            #expect(reading.error == nil)
            ids += reading.ids
            runs += 1
        }
        #expect(ids == [0, 1, 2, 3, 4, 5] && runs == 3)
        #expect(bench.events.messages == [])
    }

    @Test("where all records fit on full pages, the page behind them is asked for once", arguments: [200, 404])
    func fullPagesThatAreAll(status: Int) async throws {
        let bench = try Self.bench("{total: .total, number: {param: p, size: 3}}")
        let none = status == 200 ? Self.page(0..<0, "\"total\":6") : .status(status)
        let source = Script(Self.page(0..<3, "\"total\":6"), Self.page(3..<6, "\"total\":6"), none)
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete && reading.ids == [0, 1, 2, 3, 4, 5])
        #expect(bench.events.messages == [])
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
