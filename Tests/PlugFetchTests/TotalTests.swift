import LosslessJSON
import PlugCore
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
                    "total-unmet",
                    exit: .data,
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
