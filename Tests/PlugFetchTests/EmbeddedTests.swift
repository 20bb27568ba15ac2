import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugFetch

/// Streams whose records stand inside those of their parent.
struct EmbeddedTests {
    private static func bench(_ inside: String = ".lines", _ child: String = "key: [order.id, .n]") throws -> Bench {
        try Bench(
            """
            http: {base: "https://api.test"}
            defaults: {page: {offset: {param: skip, size: 2}}, records: .orders}
            streams:
              orders: {request: {path: /orders}, endpoint: o, key: .id, version: none}
              things:
                endpoint: d
                version: none
                for_each: {in: orders, as: order, inside: '\(inside)'}
                \(child)

            """
        )
    }

    /// Three orders: with two lines, one and none.
    private static func source() -> Script {
        Script { request, _ in
            let skip = Int(request.parameter("skip") ?? "0") ?? 0
            let orders = [
                #"{"id":1,"lines":[{"n":1},{"n":2}]}"#, #"{"id":2,"lines":[{"n":1}]}"#, #"{"id":3,"lines":[]}"#,
            ]
            return .json("{\"orders\":[\(orders.dropFirst(skip).prefix(2).joined(separator: ","))]}")
        }
    }

    @Test func theyAreReadWithoutARequestOfTheirOwn() async throws {
        let source = Self.source()
        let reading = try await Self.bench().read(from: source)
        #expect(reading.error == nil && reading.isComplete)
        let given = reading.pages.filter { !$0.records.isEmpty }
            .map { page in
                "\(page.parent?["id"]?.value.compactText ?? ""): \(page.records.map(\.value.compactText).joined())"
            }
        #expect(given == [#"1: {"n":1}{"n":2}"#, #"2: {"n":1}"#])
        #expect(source.sent.map(\.url) == [0, 2, 3].map { "https://api.test/orders?skip=\($0)" })
        #expect(reading.pages.reduce(0) { $0 + $1.cost.requests } == 3)
    }

    @Test func aParentThatIsGoneHasNothingInside() async throws {
        let bench = try Bench(
            """
            http: {base: "https://api.test"}
            streams:
              orders: {request: {path: /orders}, endpoint: o, key: .id, version: none, deletes: {field: .gone}}
              lines:
                endpoint: d
                version: none
                key: [parent.id, .n]
                for_each: {in: orders, inside: .lines}

            """
        )
        let source = Script(.json(#"[{"id":1,"lines":[{"n":1}]},{"id":2,"gone":true},{"id":3,"lines":[{"n":3}]}]"#))
        let reading = try await bench.read("lines", from: source)
        #expect(reading.error == nil && reading.isComplete && reading.records == [#"{"n":1}"#, #"{"n":3}"#])
        #expect(reading.pages.reduce(0) { $0 + $1.cost.skippedParents } == 1)
    }

    @Test func smallOnesArePutTogetherWhereNoProgramLooksAtTheParent() async throws {
        let bench = try Self.bench(". as $o | .lines[] | {o: $o.id, n}", "key: [.o, .n]")
        let reading = try await bench.read(from: Self.source())
        #expect(reading.isComplete && reading.pages.count == 1)
        #expect(reading.records == [#"{"o":1,"n":1}"#, #"{"o":1,"n":2}"#, #"{"o":2,"n":1}"#])
    }

    @Test("a run that was interrupted goes on at its parent", arguments: 1...3)
    func interrupted(cut: Int) async throws {
        let (bench, states) = (try Self.bench(), MemoryStates())
        let first = try await bench.read(from: Self.source(), states, pages: cut)
        let second = try await bench.read(from: Self.source(), states)
        #expect(second.isComplete)
        #expect((first.records + second.records) == [#"{"n":1}"#, #"{"n":2}"#, #"{"n":1}"#])
    }

    @Test(
        arguments: [
            (
                ".linez",
                "a record of 'orders' has no records inside: 'inside' (.linez) gives null or nothing; the others are read"
            ),
            (
                ".id[]",
                "'inside' (.id[]) failed on a record of 'orders': Cannot iterate over number; the others are read"
            ),
        ]
    )
    func aParentWithoutIsAnErrorOfItsOwn(inside: String, message: String) async throws {
        let bench = try Self.bench(inside)
        let reading = try await bench.read(from: Self.source())
        #expect(reading.error?.code == .childrenFailed && reading.pages.allSatisfy { $0.records.isEmpty })
        #expect(bench.events.messages.first?.hasSuffix(message) == true)
    }

    @Test func childrenOfWhatIsEmbeddedAreRequestedForIt() async throws {
        let bench = try Bench(
            """
            http: {base: "https://api.test"}
            streams:
              orders: {request: {path: /orders}, records: .orders, key: .id}
              lines: {for_each: {in: orders, as: order, inside: .lines}, key: .n}
              things:
                endpoint: d
                key: .id
                version: none
                request: {path: "/orders/{{ order.id }}/lines/{{ line.n }}"}
                for_each: {in: lines, as: line}

            """
        )
        let source = Script { request, _ in
            request.path == "/orders"
                ? .json(#"{"orders":[{"id":1,"lines":[{"n":1},{"n":2}]},{"id":2,"lines":[{"n":1}]}]}"#)
                : .json(#"{"id":1}"#)
        }
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete)
        #expect(source.sent.map(\.path) == ["/orders", "/orders/1/lines/1", "/orders/1/lines/2", "/orders/2/lines/1"])
    }
}
