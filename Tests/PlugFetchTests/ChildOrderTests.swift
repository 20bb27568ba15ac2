import CurlTransport
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Children of parents that are fetched ahead, where a limit lets few of them out.
struct ChildOrderTests {
    private static func bench(_ http: String) throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\"\(http)}\nstreams:\n"
                + "  list: {request: {path: /things}, records: ., key: .id}\n"
                + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list, as: thing}, "
                + "request: {path: \"/things/{{ thing.id }}\"}}\n"
        )
    }

    /// A list of so many things, each with a detail.
    private static func source(_ count: Int, _ fault: @escaping @Sendable (String) -> Script.Reply? = { _ in nil })
        -> Script
    {
        Script { request, _ in
            if let reply = fault(request.path) { return reply }
            let parts = request.path.split(separator: "/")
            guard parts.count == 1 else { return .json("{\"id\":\(parts[1])}") }
            return .json("[\((1...count).map { "{\"id\":\($0)}" }.joined(separator: ","))]")
        }
    }

    @Test func whatIsFetchedAheadStartsInTheOrderInWhichItWasAskedFor() async throws {
        let (order, noter) = AsyncStream<Int>.makeStream()
        try await FetchScope.with { scope in
            for number in 0..<1000 { scope.start { noter.yield(number) } }
            var iterator = order.makeAsyncIterator()
            for number in 0..<1000 { try #require(await iterator.next() == number) }
        }
    }

    @Test func aRateLetsChildrenOutInTheirOrder() async throws {
        let source = Self.source(300)
        let reading = try await Self.bench(", limits: [{rate: 3/10s}, {concurrency: 8}]").read("details", from: source)
        #expect(reading.ids == Array(1...300))
        #expect(source.sent.dropFirst().map(\.path) == (1...300).map { "/things/\($0)" })
    }

    @Test func whatASourceSaidOfOneRequestIsSaidWhereAnotherHasToWaitForIt() async throws {
        let source = Self.source(4) { path in
            guard path == "/things/3" else { return nil }
            let body = #"{"message":"thing 3 is being counted"}"#
            return .status(429, HTTPHeader("Retry-After", "7200"), body: body)
        }
        let bench = try Self.bench(", limits: [{concurrency: 4}]")
        // The second request fails once, after the third was told to stay away: the next try has to wait for that.
        let held = FailsOnceAfter(source, "/things/2", after: "/things/3")
        let reading = try await withTaskExecutorPreference(OneThread()) { try await bench.read("details", from: held) }
        #expect(reading.ids == [1])
        #expect(
            reading.error?.message
                == "GET https://api.test/things/3: the source accepts no more requests before 2026-11-21T14:00:00Z; "
                + "it says: thing 3 is being counted"
        )
        #expect(reading.error?.code == "rate-limited")
    }
}

/// A source that fails for one path the first time, not before another one was answered.
private final class FailsOnceAfter: HTTPSending {
    private let source: Script
    private let path: String
    private let other: String
    private let failed = Latch()

    init(_ source: Script, _ path: String, after other: String) {
        (self.source, self.path, self.other) = (source, path, other)
    }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard request.path == path, !failed.isSet else { return try await source.send(request) }
        while !source.sent.contains(where: { $0.path == other }) { await Task.yield() }
        failed.set()
        throw HTTPError(.timedOut, "no answer")
    }
}
