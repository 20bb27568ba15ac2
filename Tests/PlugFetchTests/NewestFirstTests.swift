import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugFetch

/// `order: desc` with `stop: known`, `filter`, and fields in a list.
struct NewestFirstTests {
    private static func yaml(_ since: String, page: String = "{cursor: {from: .next, param: c}}") -> String {
        "http: {base: \"https://api.test\"}\nstreams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, "
            + "records: .items, page: \(page), since: \(since)}}\n"
    }
    private static let stops = "{field: .at, type: time, order: desc, stop: known}"

    /// A list of records by the hours of their times, in pages of so many.
    private final class Feed: Sendable {
        private let hours: Mutex<[Int]>
        private let size: Int
        init(_ hours: [Int], size: Int = 3) {
            self.hours = Mutex(hours)
            self.size = size
        }
        func set(_ hours: [Int]) { self.hours.withLock { $0 = hours } }

        var script: Script {
            Script { [self] request, _ in
                let (list, skip) = (hours.withLock { $0 }, Int(request.parameter("c") ?? "0") ?? 0)
                let items = list.dropFirst(skip).prefix(size).map { hour in
                    hour < 0 ? "{\"id\":\(hour)}" : "{\"id\":\(hour),\"at\":\"\(Self.time(hour))\"}"
                }
                let next = skip + size < list.count ? "\"\(skip + size)\"" : "null"
                return .json(
                    "{\"items\":[\(items.joined(separator: ","))],\"next\":\(next),\"more\":\(next != "null")}"
                )
            }
        }
        static func time(_ hour: Int) -> String {
            Timestamp(seconds: 1_795_000_000 / 3600 * 3600 + Int64(hour) * 3600).rfc3339
        }
    }

    @Test func endsWhereAllIsKnown() async throws {
        let bench = try Bench(Self.yaml(Self.stops, page: "{cursor: {from: .next, param: c}, more: .more}"))
        let (feed, states) = (Feed(Array((1...12).reversed())), MemoryStates())
        let source = feed.script
        let first = try await bench.read(from: source, states)
        #expect(first.ids == Array((1...12).reversed()) && first.isComplete)
        #expect(states.text() == "{\"v\":1,\"watermark\":\"\(Feed.time(12))\"}")
        // Nothing new: one request. What is older than the watermark is left out.
        let second = try await bench.read(from: source, states)
        #expect(second.ids == [12] && second.isComplete && second.pages[0].cost.filtered == 2)
        #expect(source.sent.count == 5)
        feed.set(Array((1...14).reversed()))
        let third = try await bench.read(from: source, states)
        #expect(third.ids == [14, 13, 12] && third.isComplete)
        #expect(source.sent.count == 7)
        #expect(states.text() == "{\"v\":1,\"watermark\":\"\(Feed.time(14))\"}")
        #expect(bench.events.warnings == [])
    }

    @Test("records of the watermark's own time are read as far as they go")
    func sameTime() async throws {
        let bench = try Bench(Self.yaml(Self.stops))
        let (feed, states) = (Feed([3, 2, 1]), MemoryStates())
        _ = try await bench.read(from: feed.script, states)
        feed.set([3, 3, 3, 3, 2, 1, 0])
        #expect(try await bench.read(from: feed.script, states).ids == [3, 3, 3, 3])
    }

    @Test("an old record that is pinned to the top ends nothing", arguments: [1, 2, 3])
    func pinned(count: Int) async throws {
        let bench = try Bench(Self.yaml(Self.stops))
        let pins = Array([2, 5, 1].prefix(count))
        let (feed, states) = (Feed(pins + Array((1...12).reversed())), MemoryStates())
        _ = try await bench.read(from: feed.script, states)
        feed.set(pins + Array((1...20).reversed()))
        let source = feed.script
        let reading = try await bench.read(from: source, states)
        #expect(reading.isComplete && Set(reading.ids).isSuperset(of: 12...20))
        #expect(reading.ids.allSatisfy { $0 >= 12 })
        // Not to the end of the list.
        #expect(source.sent.count < 7)
        #expect(states.text() == "{\"v\":1,\"watermark\":\"\(Feed.time(20))\"}")
    }

    @Test("a source that lists the oldest first is read to its end, and that is said")
    func wrongOrder() async throws {
        let bench = try Bench(Self.yaml(Self.stops))
        let (feed, states) = (Feed(Array(1...7)), MemoryStates())
        _ = try await bench.read(from: feed.script, states)
        feed.set(Array(1...9))
        let reading = try await bench.read(from: feed.script, states)
        #expect(reading.ids == [7, 8, 9] && reading.isComplete)
        #expect(bench.events.warnings == ["order-broken"])
        #expect(bench.events.messages[0].contains("'stop: known' does not end this pass"))
    }

    @Test("an interrupted pass goes on and moves the watermark at its end alone")
    func interrupted() async throws {
        let bench = try Bench(Self.yaml(Self.stops))
        let (feed, states) = (Feed(Array((1...12).reversed())), MemoryStates())
        var ids: [Int] = []
        for run in 0..<4 {
            #expect(states.value()?["watermark"] == nil)
            ids += try await bench.read(from: feed.script, states, pages: 1).ids
            if run == 1 { feed.set([13] + Array((1...12).reversed())) }
        }
        ids += try await bench.read(from: feed.script, states).ids
        #expect(Set(ids).isSuperset(of: 1...12))
        // Whatever came meanwhile is the next pass's.
        #expect(try await bench.read(from: feed.script, states).ids.contains(13))
        #expect(states.text() == "{\"v\":1,\"watermark\":\"\(Feed.time(13))\"}")
    }

    @Test("the first pass ends at 'from', later ones an overlap before the watermark")
    func bounds() async throws {
        let since = Self.stops.dropLast() + ", from: \"\(Feed.time(6))\", overlap: 2h}"
        let bench = try Bench(Self.yaml(String(since)))
        let (feed, states) = (Feed(Array((1...12).reversed())), MemoryStates())
        let source = feed.script
        #expect(try await bench.read(from: source, states).ids == Array((6...12).reversed()))
        #expect(source.sent.count == 3)
        #expect(try await bench.read(from: source, states).ids == [12, 11, 10])
        #expect(source.sent.count == 5)
    }

    @Test("of opaque values the first one is where the next pass begins")
    func opaque() async throws {
        let since = "{field: .cursor, type: opaque, order: desc, send: {query: {since_id: value}}}"
        let states = MemoryStates()
        let source = Script { request, _ in
            request.parameter("c") == nil
                ? .json(#"{"items":[{"id":9,"cursor":"zz"},{"id":8,"cursor":"a"}],"next":"1"}"#)
                : .json(#"{"items":[{"id":7,"cursor":"b"}],"next":null}"#)
        }
        let bench = try Bench(Self.yaml(since))
        _ = try await bench.read(from: source, states, pages: 1)
        _ = try await bench.read(from: source, states)
        #expect(states.text() == #"{"v":1,"watermark":"zz"}"#)
        _ = try await bench.read(from: source, states, pages: 1)
        #expect(source.sent.last?.parameter("since_id") == "zz")
    }

    @Test func theLastIDIsSentAsItStands() async throws {
        let since = "{field: .id, type: integer, send: {query: {since_id: value}}}"
        let states = MemoryStates()
        let source = Script(.json(#"{"items":[{"id":113498300517762049},{"id":"113498300517762051"}]}"#))
        let bench = try Bench(Self.yaml(since))
        _ = try await bench.read(from: source, states)
        _ = try await bench.read(from: source, states)
        #expect(source.sent[1].parameter("since_id") == "113498300517762051")
    }

    // MARK: - Filter

    @Test func olderRecordsAreLeftOutAndCounted() async throws {
        let bench = try Bench(Self.yaml("{field: .at, type: time, filter: true}"))
        let (feed, states) = (Feed([4, 1, 3, -5, 2]), MemoryStates())
        #expect(try await bench.read(from: feed.script, states).ids == [4, 1, 3, -5, 2])
        feed.set([4, 1, 3, -5, 5, 4, -6])
        let reading = try await bench.read(from: feed.script, states)
        #expect(reading.ids == [4, -5, 5, 4, -6])
        #expect(reading.pages.map(\.cost.filtered) == [2, 0, 0])
        // A page of which nothing is left is none without records.
        feed.set([1, 1, 1, 2, 2, 2, 6])
        #expect(try await bench.read(from: feed.script, states).ids == [6])
    }

    @Test("children are read newest first, each down to its own watermark")
    func children() async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\"}\nstreams:\n  users: {request: {path: /users}, records: ., key: .id}\n"
                + "  posts: {endpoint: p, key: .id, version: none, for_each: {in: users}, request: {path: \"/{{ parent.id }}\"}, "
                + "records: .items, page: {cursor: {from: .next, param: c}}, since: \(Self.stops)}\n"
        )
        let feeds = [Feed(Array((1...9).reversed())), Feed(Array((11...14).reversed()))]
        let scripts = feeds.map(\.script)
        let source = RoutedSource { request in
            switch request.path {
            case "/1": scripts[0]
            case "/2": scripts[1]
            default: Script(.json(#"[{"id":1},{"id":2}]"#))
            }
        }
        let states = MemoryStates()
        #expect(try await bench.read("posts", from: source, states).ids.count == 13)
        #expect(
            Set(states.parts.compactMap { states.text($0) }) == [
                "{\"v\":1,\"watermark\":\"\(Feed.time(9))\"}", "{\"v\":1,\"watermark\":\"\(Feed.time(14))\"}",
            ]
        )
        feeds[1].set(Array((11...15).reversed()))
        let before = (scripts[0].sent.count, scripts[1].sent.count)
        #expect(try await bench.read("posts", from: source, states).ids == [9, 15, 14])
        #expect(scripts[0].sent.count - before.0 == 1 && scripts[1].sent.count - before.1 == 2)
    }

    // MARK: - Fields

    @Test func theFirstFieldThatIsThereCounts() async throws {
        let states = MemoryStates()
        let source = Script(
            .json(
                #"{"items":[{"id":1,"updated":null,"created":"2026-01-01T00:00:00Z"},{"id":2,"updated":"2026-02-01T00:00:00Z","#
                    + #""created":"2026-03-01T00:00:00Z"},{"id":3,"updated":"","created":"2026-01-05T00:00:00Z"},{"id":4}]}"#
            )
        )
        let bench = try Bench(Self.yaml("{field: [.updated, .created], type: time}"))
        _ = try await bench.read(from: source, states)
        #expect(states.text() == #"{"v":1,"watermark":"2026-02-01T00:00:00Z"}"#)
        #expect(bench.events.messages.count == 1 && bench.events.messages[0].contains("1 of 4"))
    }

    @Test(arguments: [
        (#""2026-11-01 10:00:00""#, "time", "2026-11-01T10:00:00Z"),
        (#""2026-11-01T10:00:00""#, "time", "2026-11-01T10:00:00Z"),
        (#""2026-11-01T10:00:00.5+0200""#, "time", "2026-11-01T08:00:00.5Z"),
        (#""/Date(1793527200000)/""#, "time", "2026-11-01T10:00:00Z"),
        (#""/Date(1793527200500+0100)/""#, "time", "2026-11-01T10:00:00.500Z"),
        (#""Sun, 01 Nov 2026 10:00:00 GMT""#, "time", "2026-11-01T10:00:00Z"),
        (#""1793527200""#, "epoch", "2026-11-01T10:00:00Z"), ("1793527200.25", "epoch", "2026-11-01T10:00:00.25Z"),
        (#""1793527200000""#, "epoch_ms", "2026-11-01T10:00:00Z"), (#""2026-11-01""#, "date", "2026-11-01"),
    ])
    func oddFormsOfTimesAreRead(value: String, type: String, watermark: String) async throws {
        let states = MemoryStates()
        let source = Script(.json("{\"items\":[{\"id\":1,\"at\":\(value)}]}"))
        let reading = try await Bench(Self.yaml("{field: .at, type: \(type)}")).read(from: source, states)
        #expect(reading.error == nil)
        #expect(states.text() == "{\"v\":1,\"watermark\":\"\(watermark)\"}")
    }

    @Test(arguments: [
        #""/Date(x)/""#, #""/Date(1+1)/""#, #""01.11.2026""#, #""11/01/2026""#, #""yesterday""#, "true", "{}",
    ])
    func otherFormsAreRefused(value: String) async throws {
        let source = Script(.json("{\"items\":[{\"id\":1,\"at\":\(value)}]}"))
        let reading = try await Bench(Self.yaml("{field: .at, type: time}")).read(from: source)
        #expect(reading.ids == [1] && reading.error?.code == "since-field-missing")
    }
}

/// Sends each request to the script that is meant.
private struct RoutedSource: HTTPSending {
    let route: @Sendable (HTTPRequest) -> Script
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse { try await route(request).send(request) }
}
