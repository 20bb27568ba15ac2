import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// `do: reset_page`: a search that gives only so much goes on from a new bound.
struct SearchLimitTests {
    /// A search over numbered records, of which it gives only the first few.
    struct Search: Sendable {
        /// The number of each record; its id is its place here, from 1.
        var numbers: [Int]
        var limit = 6
        var isNewestFirst = false
        var isShuffled = false
        /// Whether the bounds belong to what is asked for.
        var includesUpper = false

        func answer(_ request: HTTPRequest) -> Script.Reply {
            let lower = request.parameter("from").flatMap { Int($0) } ?? .min
            let upper = request.parameter("to").flatMap { Int($0) } ?? .max
            let page = request.parameter("p").flatMap { Int($0) }.map { ($0 - 1) * 2 }
            let skip = page ?? request.parameter("o").flatMap { Int($0) } ?? 0
            if skip + 2 > limit { return .status(400, body: #"{"error": "result window is too large"}"#) }
            var found = numbers.enumerated().filter {
                $0.element >= lower && (includesUpper ? $0.element <= upper : $0.element < upper)
            }
            if isShuffled {
                found.sort { ($0.offset * 7 % 11, $0.offset) < ($1.offset * 7 % 11, $1.offset) }
            } else {
                found.sort { isNewestFirst ? $0.element > $1.element : $0.element < $1.element }
            }
            let items = found.dropFirst(skip).prefix(2).map { "{\"id\":\($0.offset + 1),\"n\":\($0.element)}" }
            return .json("{\"items\":[\(items.joined(separator: ","))]}")
        }

        func script() -> Script { Script { request, _ in answer(request) } }
    }

    private static let ascending = "order: asc, send: {query: {from: value}}"
    private static let descending = "order: desc, until: {query: {to: value}}"
    private static let windows = "from: \"0\", window: 64, send: {query: {from: value}}, until: {query: {to: value}}"

    private static func bench(
        _ since: String,
        rule: String = "{status: 400, do: reset_page}",
        page: String = "{offset: {param: o, size: 2}}"
    ) throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\", retry: {tries: 1}}\n"
                + "streams:\n  things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, "
                + "page: \(page), on: [\(rule)], since: {field: .n, type: integer, \(since)}}\n"
        )
    }

    /// The bounds that were asked for, without those of further pages.
    private static func searches(_ script: Script) -> [String] {
        let bounds = script.urls.map { url in
            url.dropFirst("https://api.test/t?".count).split(separator: "&").filter { !$0.hasPrefix("o=") }
                .joined(separator: "&")
        }
        return bounds.indices.filter { $0 == 0 || bounds[$0] != bounds[$0 - 1] }.map { bounds[$0] }
    }

    @Test func goesOnFromTheLastValueWhereTheOldestComeFirst() async throws {
        let script = Search(numbers: Array(1...12)).script()
        let states = MemoryStates()
        let reading = try await Self.bench(Self.ascending).read(from: script, states)
        #expect(reading.error == nil && reading.isComplete)
        // The last record of each search is the first of the next one.
        #expect(reading.ids == [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11, 11, 12])
        #expect(Self.searches(script) == ["", "from=6", "from=11"])
        #expect(states.text() == #"{"v":1,"watermark":12}"#)
    }

    @Test(arguments: [false, true])
    func goesOnBelowTheLastValueWhereTheNewestComeFirst(includesUpper: Bool) async throws {
        let script = Search(numbers: Array(1...12), isNewestFirst: true, includesUpper: includesUpper).script()
        let states = MemoryStates()
        let reading = try await Self.bench(Self.descending).read(from: script, states)
        #expect(reading.error == nil && reading.isComplete && Set(reading.ids) == Set(1...12))
        let searches = includesUpper ? ["", "to=8", "to=4"] : ["", "to=8", "to=3"]
        #expect(Self.searches(script) == searches)
        #expect(states.text() == #"{"v":1,"watermark":12}"#)
    }

    @Test func halvesAWindowUntilItFits() async throws {
        let script = Search(numbers: Array(1...12), isShuffled: true).script()
        let states = MemoryStates()
        let reading = try await Self.bench(Self.windows).read(from: script, states)
        #expect(reading.error == nil && reading.isComplete && Set(reading.ids) == Set(1...12))
        let halves = ["from=0&to=64", "from=0&to=32", "from=0&to=16", "from=0&to=8", "from=0&to=4"]
        // The parts of a window are as long as the first that fitted.
        let parts = (1...15).map { "from=\($0 * 4)&to=\($0 * 4 + 4)" }
        #expect(Self.searches(script) == halves + parts + ["from=64&to=128", "from=128"])
        #expect(states.text() == #"{"v":1,"watermark":12}"#)
    }

    @Test(arguments: ["asc", "desc", "none"])
    func losesNothingWhereverItIsInterrupted(order: String) async throws {
        let since = ["asc": Self.ascending, "desc": Self.descending, "none": Self.windows][order] ?? ""
        let numbers = [1, 2, 2, 3, 5, 5, 6, 9, 9, 10, 11, 12, 20, 21, 40]
        let search = Search(numbers: numbers, isNewestFirst: order == "desc", isShuffled: order == "none")
        for cut in 1...30 {
            let states = MemoryStates()
            let bench = try Self.bench(since)
            let first = try await bench.read(from: search.script(), states, pages: cut)
            let script = search.script()
            let second = try await bench.read(from: script, states)
            #expect(second.error == nil && second.isComplete, "\(cut)")
            #expect(Set(first.ids + second.ids) == Set(1...numbers.count), "\(cut)")
            #expect(states.value()?["pass"] == nil)
            // Without an order, what changed while nobody read is asked for again.
            #expect(order == "none" || states.text() == #"{"v":1,"watermark":40}"#)
        }
    }

    @Test(arguments: ["asc", "desc", "none"], [1, 2, 3, 4])
    func getsOnHoweverFewPagesARunMayRead(order: String, most: Int) async throws {
        let since = ["asc": Self.ascending, "desc": Self.descending, "none": Self.windows][order] ?? ""
        for style in ["{offset: {param: o, size: 2}, max: \(most)}", "{number: {param: p, size: 2}, max: \(most)}"] {
            let search = Search(numbers: Array(1...15), isNewestFirst: order == "desc", isShuffled: order == "none")
            let (states, bench) = (MemoryStates(), try Self.bench(since, page: style))
            var ids: Set<Int> = []
            var last = Reading()
            var (idle, longest) = (0, 0)
            for _ in 0..<200 where !last.isComplete {
                last = try await bench.read(from: search.script(), states)
                idle = ids.isSuperset(of: last.ids) ? idle + 1 : 0
                longest = max(longest, idle)
                ids.formUnion(last.ids)
                #expect(last.error == nil || last.error?.code == .pageLimit, "\(style)")
            }
            #expect(last.isComplete && ids == Set(1...15), "\(style)")
            // After ten runs that deliver nothing, waiting does not seem to help.
            #expect(longest < 4, "\(style)")
        }
    }

    @Test(arguments: ["asc", "desc", "none"])
    func aSearchOfOneValueIsAnErrorAndKeepsWhatWasProved(order: String) async throws {
        let since = ["asc": Self.ascending, "desc": Self.descending, "none": Self.windows][order] ?? ""
        let numbers = [1, 2] + Array(repeating: 7, count: 8) + [9]
        let search = Search(numbers: numbers, isNewestFirst: order == "desc", isShuffled: order == "none")
        let states = MemoryStates()
        let bench = try Self.bench(since)
        for _ in 0..<2 {
            let script = search.script()
            let reading = try await bench.read(from: script, states)
            #expect(reading.error?.code == "window-full" && !reading.isComplete)
            #expect(
                reading.error?.message.contains("400: the search gives no more; it says: result window is too large;")
                    == true
            )
            #expect(script.sent.count < 60)
        }
        let watermark = ["asc": "7"][order]
        #expect(states.value()?["watermark"]?.compactText == watermark)
    }

    @Test(arguments: ["asc", "desc"])
    func aSearchWithoutItsOrderIsAnError(order: String) async throws {
        let since = order == "asc" ? Self.ascending : Self.descending
        let search = Search(numbers: Array(1...12), isShuffled: true)
        let reading = try await Self.bench(since).read(from: search.script())
        #expect(reading.error?.code == "search-unordered" && !reading.isComplete)
    }

    @Test func aFirstPageThatIsRefusedIsAnError() async throws {
        let reading = try await Self.bench(Self.ascending).read(from: Search(numbers: [1], limit: 1).script())
        #expect(reading.error?.code == "window-full")
        #expect(
            reading.error?.message.hasSuffix(
                "result window is too large; it gave no record with a readable 'since.field'"
            ) == true
        )
    }

    /// What a bound does not show is cut off: the upper one is the next step that it shows.
    @Test func anUpperBoundIsRoundedUpToWhatItShows() async throws {
        let yaml = """
            http: {base: "https://api.test"}
            streams:
              things:
                endpoint: t
                key: .id
                version: none
                request: {path: /t}
                records: .items
                page: {offset: {param: o, size: 2}}
                on: [{status: 400, do: reset_page}]
                since: {field: .at, type: time, order: desc, until: {query: {to: FORMAT}}}

            """
        for (format, bound) in [("date", "2026-11-02"), ("epoch", "1793491201"), ("time", "2026-11-01T00:00:01Z")] {
            let script = Script { request, at in
                switch at {
                case 0:
                    .json(#"{"items":[{"id":2,"at":"2026-11-03T00:00:00Z"},{"id":1,"at":"2026-11-01T00:00:00.5Z"}]}"#)
                case 1: .status(400)
                default: .json(#"{"items":[]}"#)
                }
            }
            let reading = try await Bench(yaml.replacing("FORMAT", with: format)).read(from: script)
            #expect(reading.error == nil && reading.isComplete)
            #expect(script.sent.last?.parameter("to")?.replacing("%3A", with: ":") == bound)
        }
    }

    /// A deletion and an addition that make up for each other, before and after a page was read, take a record past it. The page
    /// behind it, which would have had it, is not to be had.
    @Test func looksAtTheLastPageOnceMoreWherePagesHaveNumbers() async throws {
        let yaml = """
            http: {base: "https://api.test"}
            streams:
              things:
                endpoint: t
                key: .id
                version: none
                request: {path: /t}
                records: .items
                page: {number: {param: p, size: 2}}
                on: [{status: 400, do: reset_page}]
                since: {field: .id, type: integer, order: asc, send: {query: {from: value}}}

            """
        let script = Script { request, at in
            // The first one is not there while the second page is read.
            let list = (at == 1 ? 2...7 : 1...7).filter { $0 >= request.parameter("from").flatMap { Int($0) } ?? 0 }
            let page = request.parameter("p").flatMap { Int($0) } ?? 1
            if page > 2 { return .status(400) }
            let items = list.dropFirst((page - 1) * 2).prefix(2).map { "{\"id\":\($0)}" }
            return .json("{\"items\":[\(items.joined(separator: ","))]}")
        }
        let states = MemoryStates()
        let reading = try await Bench(yaml).read(from: script, states)
        #expect(reading.error == nil && reading.isComplete)
        #expect(Set(reading.ids) == Set(1...7))
        let asked = script.urls.prefix(12).map { $0.dropFirst("https://api.test/t?".count) }
        let search = ["p=1", "p=2", "p=1", "p=3", "p=2"]
        #expect(asked == (search + search + ["from=4&p=1", "from=4&p=2"]).map { $0[...] })
    }

    @Test func aStreamThatHasNoBoundSaysSo() async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\", on: [{status: 400, do: reset_page}]}\nstreams:\n"
                + "  things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: {next: .n}}\n"
                + "  others: {endpoint: o, key: .id, version: none, request: {path: /o}, page: {next: .n}, "
                + "since: {field: .n, type: integer, \(Self.ascending)}}\n"
        )
        let reading = try await bench.read(from: Script(.status(400)))
        #expect(reading.error?.code == "window-full" && reading.error?.reach == .stream)
        #expect(reading.error?.message == "GET https://api.test/t was answered with 400: the search gives no more")
    }
}
