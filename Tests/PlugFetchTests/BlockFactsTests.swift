import CurlTransport
import LosslessJSON
import PlugCore
import Testing

@testable import PlugFetch

/// What is told of an answer that comes in blocks is told of all of them.
struct BlockFactsTests {
    /// Blocks of two records.
    private static func bench(_ keys: String) throws -> Bench {
        var bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, decode: jsonl, \(keys)}}\n"
        )
        bench.options.blockRecords = 2
        return bench
    }

    private static func lines(_ ids: [Int]) -> String { ids.map { "{\"id\":\($0)}\n" }.joined() }

    @Test("a service that ignores the page's number is noticed, though the first block gives no record")
    func repeatedPages() async throws {
        let script = Script(.json(Self.lines([1, 2, 3, 4, 5])))
        let reading = try await Self.bench("page: {number: {param: page}, max: 9}, records: 'select(.id > 2)'")
            .read(from: script)
        #expect(reading.error?.code.text == "pagination-loop")
        #expect(reading.ids == [3, 4, 5, 3, 4, 5, 3, 4, 5])
        #expect(script.sent.count == 3)
    }

    @Test("pages that begin alike are not the same")
    func pagesThatBeginAlike() async throws {
        let script = Script { _, at in .json(at < 4 ? Self.lines([1, 2, 10 + at]) : "") }
        let reading = try await Self.bench("page: {number: {param: page}}").read(from: script)
        #expect(reading.error == nil && reading.isComplete)
        #expect(reading.ids == [1, 2, 10, 1, 2, 11, 1, 2, 12, 1, 2, 13])
    }

    @Test("a row with more cells than a page of JSON may have values leads on")
    func wideRow() async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\", max_body: 64KiB}\nstreams: {things: {endpoint: t, key: .id, version: none, "
                + "request: {path: /t}, decode: csv, page: {link: next}}}\n"
        )
        let names = "id," + (0..<5000).map { "c\($0)" }.joined(separator: ",")
        let row = String(repeating: ",1", count: 5000)
        let link = HTTPHeader("Link", "</t?page=2>; rel=next")
        let reading = try await bench.read(
            from: Script(.json("\(names)\n1\(row)\n", link), .json("\(names)\n2\(row)\n"))
        )
        #expect(reading.error == nil && reading.isComplete)
        #expect(reading.pages.flatMap(\.records).map { $0["id"]?.text } == ["1", "2"])
    }

    @Test("records without a time behind the known ones do not lead to another page")
    func knownRecords() async throws {
        let since = "since: {field: .at, type: integer, order: desc, stop: known}, page: {link: next}"
        let states = MemoryStates()
        let new = "{\"id\":1,\"at\":20}\n{\"id\":2,\"at\":10}\n"
        let first = try await Self.bench(since).read(from: Script(.json(new)), states)
        #expect(first.ids == [1, 2] && first.isComplete)
        // At 20 lies the watermark.
        let link = HTTPHeader("Link", "</t?page=2>; rel=next")
        let again = Script(.json(new + "{\"id\":3}\n{\"id\":4}\n", link), .json(Self.lines([9])))
        let second = try await Self.bench(since).read(from: again, states)
        #expect(second.ids == [1, 3, 4] && second.isComplete)
        #expect(again.urls == ["https://api.test/t"])
        // What is left out was not given.
        #expect(second.pages.map(\.preceding) == [0, 1])
    }
}
