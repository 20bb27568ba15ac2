import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugFetch

struct ChildTests {
    /// A list of so many things in pages of `size`, each with a detail.
    private static func source(
        _ count: Int,
        size: Int = 10,
        fault: @escaping @Sendable (HTTPRequest, Int) -> Script.Reply? = { _, _ in nil }
    ) -> Script {
        Script { request, at in
            if let reply = fault(request, at) { return reply }
            let parts = request.path.split(separator: "/")
            if parts.count == 1 {
                let first = Int(request.parameter("skip") ?? "0") ?? 0
                let ids = (first..<max(first, min(first + size, count))).map {
                    "{\"id\":\($0 + 1),\"name\":\"n\($0 + 1)\"}"
                }
                return .json("{\"results\":[\(ids.joined(separator: ","))]}")
            }
            return .json("{\"id\":\(parts[1]),\"detail\":true}")
        }
    }
    private static func yaml(
        _ child: String = "",
        page: String = "page: {offset: {param: skip, size: 10}}, ",
        http: String = ""
    ) -> String {
        "http: {base: \"https://api.test\"\(http)}\nstreams:\n"
            + "  list: {request: {path: /things}, records: .results, \(page)key: .id}\n"
            + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list, as: thing}, "
            + "request: {path: \"/things/{{ thing.id }}\"}\(child)}\n"
    }

    @Test func readsADetailForEachOfAList() async throws {
        let bench = try Bench(Self.yaml(page: ""))
        let source = Self.source(1351, size: 1351)
        let states = MemoryStates()
        let reading = try await bench.read("details", from: source, states)
        #expect(reading.error == nil && reading.isComplete)
        #expect(reading.ids == Array(1...1351))
        #expect(source.sent.count == 1352)
        #expect(states.text() == #"{"v":1}"#)
        // Small children are given together.
        #expect(reading.pages.count < 60)
        #expect(reading.pages.reduce(0) { $0 + $1.cost.requests } == 1352)
        #expect(reading.pages.allSatisfy { page in Set(page.records.map { ObjectIdentifier($0.document) }).count <= 1 })
    }

    @Test func asksForSeveralAtOnceAndNeverForMore() async throws {
        let gauge = Gauge()
        let source = GaugedSource(Self.source(40, size: 40), gauge)
        let bench = try Bench(Self.yaml(page: "", http: ", limits: [{concurrency: 3}]"))
        let reading = try await bench.read("details", from: source)
        #expect(reading.ids == Array(1...40))
        #expect(gauge.most == 3)
    }

    @Test("a slow child holds up the giving and no other request, as far as may be fetched ahead")
    func slowChild() async throws {
        let gauge = Gauge()
        // Eight for each of the three requests that may be under way, from three pages of parents.
        let source = HeldSource(Self.source(60), holding: "/things/1", until: 24, gauge)
        let bench = try Bench(Self.yaml(", map: '{id, of: parent.name}'", http: ", limits: [{concurrency: 3}]"))
        let reading = try await bench.read("details", from: source)
        #expect(reading.ids == Array(1...60))
        #expect(source.askedWhileHeld == 24)
        #expect(gauge.most <= 3)
    }

    @Test("small children that come slowly are not kept in hand until there are many")
    func slowChildren() async throws {
        let bench = try Bench(Self.yaml(page: "", http: ", limits: [{concurrency: 1}]"))
        let clock = bench.clock
        // Each takes 0.4 s.
        let source = Self.source(10) { request, _ in
            if request.path != "/things" { clock.advance(.milliseconds(400)) }
            return nil
        }
        let reading = try await bench.read("details", from: source)
        #expect(reading.ids == Array(1...10) && reading.isComplete)
        #expect(reading.pages.count >= 3)
        #expect(reading.pages.allSatisfy { $0.records.count <= 4 })
    }

    @Test("children in hand are given when the next one does not come")
    func hangingChild() async throws {
        let source = HeldSource(Self.source(60), holding: "/things/3", until: 24, Gauge())
        var bench = try Bench(Self.yaml(http: ", limits: [{concurrency: 3}]"))
        bench.clock = FakeClock(limitIsOver: { source.isHeld })
        let first = try await bench.read("details", from: source, pages: 1)
        #expect(first.error == nil)
        #expect([[1], [1, 2]].contains(first.ids))
    }

    @Test("what is fetched ahead ends with the reader")
    func endsWithTheReader() async throws {
        let source = HeldSource(Self.source(60), holding: "/things/2", until: .max, Gauge())
        let bench = try Bench(Self.yaml(", map: '{id, of: parent.name}'"))
        let first = try await bench.read("details", from: source, pages: 1)
        #expect(first.ids == [1])
        #expect(source.isHeld == false)
    }

    @Test func givesEachChildItsParentWhereTheMapLooksAtIt() async throws {
        let bench = try Bench(Self.yaml(", map: '{id, of: thing.name}'"))
        let reading = try await bench.read("details", from: Self.source(25))
        #expect(
            reading.pages.filter { !$0.records.isEmpty }.map { $0.parent?["name"]?.text } == (1...25).map { "n\($0)" }
        )
    }

    @Test func goesOnWithinAPageOfParents() async throws {
        for child in ["", ", map: '{id, of: parent.name}'"] {
            let bench = try Bench(Self.yaml(child, page: ""))
            let source = Self.source(100, size: 100) { request, _ in
                request.path == "/things/64" ? .failure(.cannotConnect) : nil
            }
            let states = MemoryStates()
            let first = try await bench.read("details", from: source, states)
            #expect(first.error?.code == "source-unreachable")
            #expect(first.ids == Array(1...63))
            let healed = Self.source(100, size: 100)
            let second = try await bench.read("details", from: healed, states)
            #expect(second.ids == Array(64...100))
            #expect(healed.sent.count == 1 + 37)
        }
    }

    @Test(arguments: 1...24)
    func losesNoChildOfAnInterruptedPass(cut: Int) async throws {
        let bench = try Bench(Self.yaml(", map: '{id, of: parent.name}'"))
        let states = MemoryStates()
        let first = try await bench.read("details", from: Self.source(25), states, pages: cut)
        #expect(first.ids == Array(1...cut))
        let second = try await bench.read("details", from: Self.source(25), states)
        #expect(second.isComplete)
        #expect(Set(first.ids + second.ids) == Set(1...25))
        // Nothing moved since, so no child is asked for twice.
        #expect(first.ids + second.ids == Array(1...25))
    }

    @Test(arguments: ["removed", "inserted", "replaced"])
    func losesNoChildWhereTheListMovedMeanwhile(change: String) async throws {
        let bench = try Bench(Self.yaml(", map: '{id, of: parent.name}'"))
        // Pages of ten; the interruption falls behind the fourth thing of the second page.
        let before = Array(1...25)
        let after =
            switch change {
            case "removed": Array(4...25)
            case "inserted": [101, 102, 103] + before
            default: Array(1...8) + Array(16...25)
            }
        func source(_ ids: [Int]) -> Script {
            Self.source(0) { request, _ in
                guard request.path == "/things" else { return nil }
                let first = Int(request.parameter("skip") ?? "0") ?? 0
                let page = ids.dropFirst(first).prefix(10).map { "{\"id\":\($0),\"name\":\"n\"}" }
                return .json("{\"results\":[\(page.joined(separator: ","))]}")
            }
        }
        let states = MemoryStates()
        let first = try await bench.read("details", from: source(before), states, pages: 14)
        #expect(first.ids == Array(1...14))
        let second = try await bench.read("details", from: source(after), states)
        #expect(second.isComplete)
        #expect(Set(second.ids).isSuperset(of: 15...25) || change == "replaced")
        #expect(Set(first.ids + second.ids).isSuperset(of: after.filter { $0 < 100 }))
    }

    @Test func leavesOutWhatIsGone() async throws {
        let bench = try Bench(Self.yaml())
        let source = Self.source(12) { request, _ in request.path == "/things/7" ? .status(404) : nil }
        let reading = try await bench.read("details", from: source)
        #expect(reading.ids == [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12])
        #expect(bench.events.warnings == ["child-gone"])
    }

    @Test("all of a few children that are gone are told together", arguments: [(1, false), (9, true)])
    func allGone(count: Int, isTold: Bool) async throws {
        let source = Self.source(count) { request, _ in request.path == "/things" ? nil : .status(404) }
        let bench = try Bench(Self.yaml())
        let reading = try await bench.read("details", from: source)
        #expect(reading.error == nil && reading.isComplete)
        #expect(
            bench.events.warnings
                == Array(repeating: "child-gone", count: count) + (isTold ? ["children-gone"] : [])
        )
    }

    @Test("a child that is told to wait in every run holds up nobody behind it")
    func alwaysToldToWait() async throws {
        let bench = try Bench(Self.yaml(http: ", retry: {max_wait: 1m}, limits: [{concurrency: 1}]"))
        let source = Self.source(6) { request, _ in
            request.path == "/things/3" ? .status(429, HTTPHeader("Retry-After", "3600")) : nil
        }
        let states = MemoryStates()
        var runs: [[Int]] = []
        var ends: [String?] = []
        var reading = Reading()
        while !reading.isComplete, runs.count < 3 {
            reading = try await bench.read("details", from: source, states)
            runs.append(reading.ids)
            ends.append(reading.error?.code.text)
            bench.clock.advance(.seconds(3601))
        }
        // The second run passes it over, as the first answer after the wait says the same; the third one reads the rest, and
        // says that the pass has left one out.
        #expect(Array(runs.prefix(3)) == [[1, 2], [], [4, 5, 6]])
        #expect(ends.prefix(3) == ["rate-limited", "rate-limited", "children-failed"])
    }

    @Test func endsWhereAllChildrenAreGone() async throws {
        let source = Self.source(100) { request, _ in request.path == "/things" ? nil : .status(404) }
        let reading = try await Bench(Self.yaml()).read("details", from: source)
        #expect(reading.error?.code == "children-gone")
        #expect(!reading.isComplete)
    }

    @Test func endsAtOnceWhereTheManifestSaysFail() async throws {
        let source = Self.source(100) { request, _ in request.path == "/things/3" ? .status(404) : nil }
        let reading = try await Bench(Self.yaml(http: ", on: [{status: 404, do: fail}]")).read("details", from: source)
        #expect(reading.error?.code == "source-refused")
        #expect(reading.ids == [1, 2])
    }

    @Test(
        "a parent whose children cannot be read holds up no other, and is read again by the next pass",
        arguments: [
            Script.Reply.status(500), .status(403), .status(401), .status(400), .status(429), .failure(.connectionLost),
            .failure(.timedOut), .json("<html>"), .json("{\"kids\":null}"), .status(200, body: "{"),
        ]
    )
    func poisonedParent(reply: Script.Reply) async throws {
        let child = ", records: .kids, map: '{id, of: parent.id}'"
        func source(failing: Set<String>) -> Script {
            Self.source(25) { request, _ in
                guard request.path != "/things" else { return nil }
                let thing = request.path.split(separator: "/")[1]
                return failing.contains(String(thing)) ? reply : .json("{\"kids\":[{\"id\":\(thing)}]}")
            }
        }
        let bench = try Bench(Self.yaml(child, http: ", retry: {tries: 2}"))
        let states = MemoryStates()
        let first = try await bench.read("details", from: source(failing: ["3", "12", "25"]), states)
        #expect(first.ids == (1...25).filter { ![3, 12, 25].contains($0) })
        #expect(first.error?.code == "children-failed" && first.error?.exit == .failed)
        #expect(
            first.error?.message.hasPrefix("the records of 3 parents could not be read in this run; all others") == true
        )
        #expect(!first.isComplete)
        #expect(states.text() == #"{"v":1}"#)
        #expect(bench.events.warnings.filter { $0 == "child-failed" }.count == 3)
        let second = try await bench.read("details", from: source(failing: []), states)
        #expect(second.ids == Array(1...25) && second.isComplete && second.error == nil)
    }

    @Test("a source that fails for one parent after another is left alone, and the next run goes on behind them")
    func sourceInTrouble() async throws {
        let source = Self.source(40) { request, _ in request.path == "/things" ? nil : .status(500) }
        let states = MemoryStates()
        let bench = try Bench(Self.yaml(", map: '{id, of: parent.name}'", http: ", retry: {tries: 1}"))
        let first = try await bench.read("details", from: source, states)
        #expect(first.error?.code == "source-unavailable")
        #expect(first.ids == [])
        let second = try await bench.read("details", from: Self.source(40), states)
        #expect(second.ids == Array(10...40))
    }

    @Test func completesWithParentsThatHaveNoChildren() async throws {
        let bench = try Bench(Self.yaml(", records: .kids"))
        let reading = try await bench.read("details", from: Self.source(0))
        #expect(reading.records == [] && reading.isComplete && reading.error == nil)
        let none = Self.source(15) { request, _ in request.path == "/things" ? nil : .json(#"{"kids":[]}"#) }
        let empty = try await bench.read("details", from: none)
        #expect(empty.records == [] && empty.isComplete && empty.error == nil)
    }

    @Test func pagesThroughEachChildAndGoesOnInItsMiddle() async throws {
        let child = ", records: .items, page: {cursor: {from: .next, param: c}}, map: '{id, of: parent.id}'"
        func source(failing: String?) -> Script {
            Self.source(5) { request, _ in
                guard request.path != "/things" else { return nil }
                let thing = Int(request.path.split(separator: "/")[1]) ?? 0
                let at = Int(request.parameter("c") ?? "0") ?? 0
                if failing == "\(thing)/\(at)" { return .failure(.cannotConnect) }
                return .json("{\"items\":[{\"id\":\(thing * 10 + at)}],\"next\":\(at < 2 ? "\(at + 1)" : "null")}")
            }
        }
        let bench = try Bench(Self.yaml(child, page: ""))
        let states = MemoryStates()
        let first = try await bench.read("details", from: source(failing: "3/2"), states)
        #expect(first.error?.code == "source-unreachable")
        #expect(first.ids == [10, 11, 12, 20, 21, 22, 30, 31])
        let healed = source(failing: nil)
        let second = try await bench.read("details", from: healed, states)
        #expect(second.ids == [32, 40, 41, 42, 50, 51, 52])
        #expect(second.isComplete)
    }

    /// Whoever reads some pages only, such as `record`, asks for no other: what it asked would depend on how fast the source is.
    @Test func asksForNoPageBehindTheLimitWhereNothingIsReadAhead() async throws {
        var bench = try Bench(Self.yaml(", page: {number: {param: p, from: 1}}, records: .items", page: ""))
        bench.options.pageLimit = 2
        bench.options.readsAhead = false
        let source = Script { request, _ in
            let parts = request.path.split(separator: "/")
            guard parts.count > 1 else { return .json("{\"results\":[{\"id\":1},{\"id\":2}]}") }
            return .json("{\"items\":[{\"id\":\(parts[1])0\(request.parameter("p") ?? "")}]}")
        }
        let sent = try await bench.fetcher(source).withReader(of: "details", from: MemoryStates()) { reader in
            while try await reader.next() != nil {}
            // What is fetched ahead has time to be asked for.
            for _ in 0..<1000 { await Task.yield() }
            return source.sent.map { "\($0.path) \($0.parameter("p") ?? "")" }
        }
        #expect(sent == ["/things ", "/things/1 1", "/things/1 2"])
    }

    @Test func keepsAWatermarkForEachParent() async throws {
        let child = ", records: ., since: {field: .at, type: integer, send: {query: {after: value}}}"
        let bench = try Bench(Self.yaml(child, page: ""))
        let states = MemoryStates()
        let source = Self.source(3) { request, _ in
            guard request.path != "/things" else { return nil }
            let thing = Int(request.path.split(separator: "/")[1]) ?? 0
            return .json("[{\"id\":\(thing),\"at\":\(thing * 100)}]")
        }
        _ = try await bench.read("details", from: source, states)
        #expect(states.parts.count == 3)
        #expect(states.text() == #"{"v":1}"#)
        #expect(
            Set(states.parts.compactMap { states.text($0) }) == [
                #"{"v":1,"watermark":100}"#, #"{"v":1,"watermark":200}"#, #"{"v":1,"watermark":300}"#,
            ]
        )
        _ = try await bench.read("details", from: source, states)
        let bounds = source.sent.suffix(3).map { "\($0.path)?\($0.parameter("after") ?? "")" }
        #expect(Set(bounds) == ["/things/1?100", "/things/2?200", "/things/3?300"])
    }

    @Test func doesNotTouchTheParentsOwnState() async throws {
        let yaml =
            "http: {base: \"https://api.test\"}\nstreams:\n"
            + "  list: {endpoint: l, request: {path: /things}, records: .results, key: .id, version: none, "
            + "since: {field: .id, type: integer, send: {query: {after: value}}}}\n"
            + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list}, request: {path: \"/things/{{ parent.id }}\"}}\n"
        let bench = try Bench(yaml)
        let source = Self.source(3)
        let states = MemoryStates()
        let reading = try await bench.read("details", from: source, states)
        #expect(reading.ids == [1, 2, 3])
        #expect(states.text() == #"{"v":1}"#)
        // The next pass walks all parents again.
        #expect(try await bench.read("details", from: source, states).ids == [1, 2, 3])
        #expect(source.sent.allSatisfy { $0.parameter("after") == nil })
    }

    @Test(arguments: [nil, 1, 2, 3, 4, 5] as [Int?])
    func readsGrandchildren(cut: Int?) async throws {
        let yaml =
            "http: {base: \"https://api.test\"}\nstreams:\n"
            + "  list: {request: {path: /things}, records: .results}\n"
            + "  middle: {for_each: {in: list, as: thing}, request: {path: \"/things/{{ thing.id }}\"}, records: .kids}\n"
            + "  last: {endpoint: d, key: .id, version: none, for_each: {in: middle, as: kid}, "
            + "request: {path: \"/kids/{{ kid.id }}\"}, map: '{id, of: kid.id}'}\n"
        let bench = try Bench(yaml)
        let source = Self.source(4) { request, _ in
            let parts = request.path.split(separator: "/")
            guard parts.count == 2, let id = Int(parts[1]) else { return nil }
            if parts[0] == "kids" { return .json("{\"id\":\(id * 10)}") }
            return .json(id == 2 ? #"{"kids":[]}"# : "{\"kids\":[{\"id\":\(id)1},{\"id\":\(id)2}]}")
        }
        let states = MemoryStates()
        let first = try await bench.read("last", from: source, states, pages: cut ?? .max)
        let rest = cut == nil ? Reading() : try await bench.read("last", from: source, states)
        #expect(first.ids + rest.ids == [110, 120, 310, 320, 410, 420])
        #expect(states.text() == #"{"v":1}"#)
    }
}

/// A source that takes long enough for others to come in between.
struct GaugedSource: HTTPSending {
    let source: Script
    let gauge: Gauge

    init(_ source: Script, _ gauge: Gauge) {
        self.source = source
        self.gauge = gauge
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        gauge.enter()
        defer { gauge.leave() }
        for _ in 0..<50 { await Task.yield() }
        return try await source.send(request)
    }
}

/// A source that does not answer one path before so many details were asked for, or the request is cancelled.
final class HeldSource: HTTPSending {
    private let source: Script
    private let path: String
    private let count: Int
    private let gauge: Gauge
    private let state = Mutex((asked: 0, isHeld: false, askedWhileHeld: 0))

    init(_ source: Script, holding path: String, until count: Int, _ gauge: Gauge) {
        (self.source, self.path, self.count, self.gauge) = (source, path, count, gauge)
    }

    /// Whether the request is waiting for its answer.
    var isHeld: Bool { state.withLock { $0.isHeld } }
    /// How many details were asked for before it was answered.
    var askedWhileHeld: Int { state.withLock { $0.askedWhileHeld } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        gauge.enter()
        defer { gauge.leave() }
        if request.path != "/things" { state.withLock { $0.asked += 1 } }
        if request.path == path {
            state.withLock { $0.isHeld = true }
            while state.withLock({ $0.asked < count }), !Task.isCancelled { await Task.yield() }
            // Whoever would ask for more than may be fetched ahead does so now.
            for _ in 0..<200 { await Task.yield() }
            state.withLock { ($0.isHeld, $0.askedWhileHeld) = (false, $0.asked) }
        }
        return try await source.send(request)
    }
}
