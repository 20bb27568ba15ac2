import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// `do: shrink`: the same place again with smaller pages.
struct ShrinkTests {
    /// A list of records that is given by number, offset or token, in pages as large as they are asked for.
    struct Source: Sendable {
        var count = 20
        /// The largest page at a place in the list; larger ones are refused.
        var limit: @Sendable (Int) -> Int = { _ in .max }
        var status = 413

        func answer(_ request: HTTPRequest) -> Script.Reply {
            let size = request.parameter("n").flatMap { Int($0) } ?? 1
            let start =
                request.parameter("p").flatMap { Int($0) }.map { ($0 - 1) * size }
                ?? (request.parameter("o") ?? request.parameter("c")).flatMap { Int($0) } ?? 0
            if size > limit(start) { return .status(status, body: #"{"message": "too many results"}"#) }
            let end = min(count, start + size)
            let items = (min(start, end)..<end).map { "{\"id\":\($0 + 1)}" }.joined(separator: ",")
            let next = end < count ? "\(end)" : "null"
            return .json("{\"items\":[\(items)],\"next\":\(next),\"pages\":\((count + size - 1) / size)}")
        }

        func script() -> Script { Script { request, _ in answer(request) } }
    }

    static let number = "{number: {param: p, size: 8, size_param: n}}"
    static let offset = "{offset: {param: o, size: 8, size_param: n}}"
    static let cursor = "{cursor: {from: .next, param: c, size: 8, size_param: n}}"
    static let styles = [number, offset, cursor]

    static func bench(_ page: String, rule: String = "{status: 413, do: shrink}", more: String = "") throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\", retry: {tries: 1}, on: [\(rule)]}\n"
                + "streams:\n  things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, "
                + "page: \(page)}\n" + more
        )
    }

    private static func queries(_ script: Script) -> [String] {
        script.urls.map { String($0.dropFirst("https://api.test/t?".count)) }
    }

    @Test func asksForHalfAsMuchUntilItIsSmallEnoughAndStaysThere() async throws {
        let asked = [
            ["p=1&n=8", "p=1&n=4", "p=1&n=2"] + (2...11).map { "p=\($0)&n=2" },
            ["o=0&n=8", "o=0&n=4", "o=0&n=2"] + (1...10).map { "o=\($0 * 2)&n=2" },
            ["n=8", "n=4", "n=2"] + (1...9).map { "c=\($0 * 2)&n=2" },
        ]
        for (style, queries) in zip(Self.styles, asked) {
            let script = Source { _ in 2 }.script()
            let reading = try await Self.bench(style).read(from: script)
            #expect(reading.ids == Array(1...20) && reading.error == nil && reading.isComplete)
            #expect(Self.queries(script) == queries)
        }
    }

    @Test(arguments: styles)
    func losesNothingWhereverItIsInterrupted(style: String) async throws {
        // Pages shrink in the middle, once and then again.
        let source = Source { start in start < 8 ? .max : start < 14 ? 4 : 1 }
        for cut in 1...16 {
            let states = MemoryStates()
            let bench = try Self.bench(style)
            let first = try await bench.read(from: source.script(), states, pages: cut)
            let script = source.script()
            let second = try await bench.read(from: script, states)
            #expect(second.error == nil && second.isComplete)
            #expect(Set(first.ids + second.ids) == Set(1...20), "\(cut)")
            // What was seen of the source is not tried again: by number or offset a page that was read is looked at.
            #expect(script.sent.filter { $0.parameter("n") == "8" }.count <= 2 || first.isComplete, "\(cut)")
            #expect(states.text() == #"{"v":1}"#)
        }
    }

    @Test func theNumberOfAPageIsThatOfTheSmallerPages() async throws {
        // Three pages of 25 are read: of twelve or fewer, five records fit into 75.
        let script = Source(count: 90) { start in start < 75 ? 25 : 12 }.script()
        let page = "{number: {param: p, from: 1, size: 25, size_param: n}}"
        let reading = try await Self.bench(page).read(from: script)
        #expect(reading.ids == Array(1...90) && reading.error == nil)
        let small = (16...19).map { "p=\($0)&n=5" }
        #expect(Self.queries(script) == ["p=1&n=25", "p=2&n=25", "p=3&n=25", "p=4&n=25"] + small)
    }

    @Test func startsWithTheFirstPageWhereNoSmallerPagesFit() async throws {
        let script = Source(count: 12) { start in start < 7 ? 7 : 3 }.script()
        let reading = try await Self.bench("{number: {param: p, size: 7, size_param: n, min_size: 2}}").read(
            from: script
        )
        #expect(reading.ids == Array(1...7) + Array(1...12) && reading.error == nil)
        #expect(Self.queries(script) == ["p=1&n=7", "p=2&n=7"] + (1...5).map { "p=\($0)&n=3" })
    }

    /// Half of eight is less than the smallest size, which is tried itself.
    @Test(arguments: styles)
    func triesTheSmallestSizeItself(style: String) async throws {
        let script = Source(count: 12) { _ in 6 }.script()
        let reading = try await Self.bench(style.replacing("size: 8,", with: "size: 8, min_size: 5,")).read(
            from: script
        )
        #expect(reading.ids == Array(1...12) && reading.error == nil)
        #expect(script.sent.map { $0.parameter("n") }.prefix(3) == ["8", "5", "5"])
    }

    @Test(arguments: [(1, "1 record"), (3, "3 records")])
    func isAnErrorAtTheSmallestSize(least: Int, size: String) async throws {
        let page = "{offset: {param: o, size: 8, size_param: n, min_size: \(least)}}"
        let states = MemoryStates()
        let bench = try Self.bench(page)
        let script = Source { $0 < 8 ? 8 : 0 }.script()
        let reading = try await bench.read(from: script, states)
        #expect(reading.ids == Array(1...8) && reading.error?.code == "page-size-refused")
        #expect(
            reading.error?.message
                == "GET https://api.test/t was answered with 413: a page of \(size) is too big for the "
                + "source, and 'page' allows no smaller one ('min_size'); it says: too many results"
        )
        #expect(script.sent.last?.parameter("n") == String(size.prefix(1)))
        // The next run goes on there.
        let second = try await bench.read(from: Source().script(), states)
        #expect(second.ids.last == 20 && second.error == nil)
    }

    @Test func isAnErrorWhereNoSizeIsSent() async throws {
        let more = "  others: {endpoint: o, key: .id, version: none, request: {path: /t}, page: {next: .next}}\n"
        let reading = try await Self.bench(Self.number, more: more).read("others", from: Source { _ in 0 }.script())
        #expect(reading.error?.code == "page-size-refused" && reading.error?.reach == .stream)
        #expect(
            reading.error?.message
                == "GET https://api.test/t was answered with 413: the page is too big for the source, and this stream sends no "
                + "page size that could be smaller; it says: too many results"
        )
    }

    @Test func aRuleForAServersErrorLooksAtItsWords() async throws {
        let rule = #"{status: 500, if: '.message | test("too many")', do: shrink}"#
        var source = Source { _ in 4 }
        source.status = 500
        let bench = try Self.bench(Self.cursor, rule: rule)
        #expect(try await bench.read(from: source.script()).ids == Array(1...20))
        #expect(bench.clock.waits == [])
    }

    @Test func theSizeMayStandInATemplate() async throws {
        let yaml = """
            http: {base: "https://api.test"}
            streams:
              things:
                endpoint: t
                key: .id
                version: none
                records: .items
                on: [{status: 413, do: shrink}]
                request: {path: /t, query: {n: "{{ page.size }}", c: "{{ page.cursor // 0 }}"}}
                page: {cursor: {from: .next, size: 8}}

            """
        let script = Source { _ in 4 }.script()
        #expect(try await Bench(yaml).read(from: script).ids == Array(1...20))
        #expect(Self.queries(script) == ["n=8&c=0"] + (0...4).map { "n=4&c=\($0 * 4)" })
    }

    /// The number of pages is that of pages of the size that was asked for.
    @Test(arguments: styles)
    func aNumberOfPagesOfAnotherSizeEndsNothing(page: String) async throws {
        let source = Source { start in start < 8 ? 8 : 2 }
        let bench = try Self.bench(page.dropLast() + ", pages: .pages}")
        let reading = try await bench.read(from: source.script())
        #expect(reading.ids == Array(1...20) && reading.error == nil && reading.isComplete)
        #expect(bench.events.warnings == [])
    }

    @Test func stopShortKnowsTheSmallerSize() async throws {
        let script = Source(count: 11) { _ in 4 }.script()
        let page = "{number: {param: p, size: 8, size_param: n}, stop: short}"
        let reading = try await Self.bench(page).read(from: script)
        #expect(reading.ids == Array(1...11) && reading.isComplete)
        #expect(Self.queries(script) == ["p=1&n=8", "p=1&n=4", "p=2&n=4", "p=3&n=4"])
    }

    // MARK: - Another size in the manifest

    @Test(arguments: styles, [1, 2, 3, 5, 7, 16])
    func anotherSizeInTheManifestSkipsNothing(style: String, size: Int) async throws {
        for cut in 1...2 {
            let states = MemoryStates()
            let first = try await Self.bench(style).read(from: Source().script(), states, pages: cut)
            #expect(first.ids == Array(1...(cut * 8)))
            let script = Source().script()
            let other = style.replacing("size: 8", with: "size: \(size)")
            let second = try await Self.bench(other).read(from: script, states)
            #expect(Set(first.ids + second.ids) == Set(1...20) && second.error == nil && second.isComplete)
            // At most two pages are read twice: one that the place lies in, and one because pages may have shifted.
            let isToken = style == Self.cursor
            #expect(second.ids.count <= 20 - cut * 8 + (isToken ? 0 : max(8, 2 * size)), "\(cut)")
            #expect(script.sent.allSatisfy { $0.parameter("n") == "\(size)" })
        }
    }

    @Test func anotherSizeStartsOverWherePagesWereNotFull() async throws {
        // The service gives at most three, whatever it is asked for.
        let capped = Script { request, _ in
            let page = Int(request.parameter("p") ?? "1") ?? 1
            let items = ((page - 1) * 3..<min(9, page * 3)).map { "{\"id\":\($0 + 1)}" }
            return .json("{\"items\":[\(page > 3 ? "" : items.joined(separator: ","))]}")
        }
        let states = MemoryStates()
        _ = try await Self.bench(Self.number).read(from: capped, states, pages: 2)
        let other = Self.number.replacing("size: 8", with: "size: 16")
        let second = try await Self.bench(other).read(from: capped, states)
        #expect(second.ids == Array(1...9) && second.isComplete)
    }
}
