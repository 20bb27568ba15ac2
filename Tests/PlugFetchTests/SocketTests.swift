import CurlTransport
import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import TestKit
import Testing

/// The whole stage over real sockets, through libcurl.
@Suite(.fewAtATime)
struct SocketTests {
    private static let count = 250
    private static let size = 40

    private static func items(_ first: Int) -> String {
        (first..<max(first, min(first + size, count))).map { "{\"id\":\($0),\"big\":12345678901234567890.\($0)0}" }
            .joined(separator: ",")
    }

    /// A source that speaks every style, each at a path of its own.
    private static func answer(_ request: SourceServer.Request) -> SourceServer.Answer {
        func number(_ name: String) -> Int { Int(request.parameter(name) ?? "0") ?? 0 }
        let at: Int =
            switch request.path {
            case "/number": max(0, number("page") - 1) * size
            case "/body": Int(request.text.filter(\.isNumber)) ?? 0
            default: number("at")
            }
        let next = at + size < count ? at + size : nil
        let body = "\"items\":[\(items(at))],\"total\":\(count)"
        switch request.path {
        case "/next": return .json("{\(body),\"next\":\(next.map { "\"/next?at=\($0)\"" } ?? "null")}")
        case "/link": return .json("{\(body)}", next.map { "Link: </link?at=\($0)>; rel=\"next\"" } ?? "X-None: 1")
        default: return .json("{\(body),\"cursor\":\(next.map { "\($0)" } ?? "null"),\"more\":\(next != nil)}")
        }
    }

    private static func with<Result>(
        _ yaml: (Int) -> String,
        _ answer: @escaping @Sendable (SourceServer.Request, Int) -> SourceServer.Answer,
        _ body: (Bench, HTTPTransport, SourceServer) async throws -> Result
    ) async throws -> Result {
        let server = try SourceServer(answer)
        defer { server.stop() }
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let transport = try HTTPTransport(policy: policy)
        let yaml = "http: {base: \"http://127.0.0.1:\(server.port)\"}\n" + yaml(server.port)
        do {
            let bench = try Bench(yaml, hosts: "[\"127.0.0.1:\(server.port)\"]")
            let result = try await body(bench, transport, server)
            await transport.shutDown()
            return result
        } catch {
            await transport.shutDown()
            throw error
        }
    }

    private static func stream(_ path: String, _ page: String, _ request: String = "") -> (Int) -> String {
        { _ in
            "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /\(path)\(request)}, records: .items, page: \(page)}}\n"
        }
    }

    @Test(arguments: [
        ("next", "{next: .next}", ""), ("link", "{link: next}", ""), ("number", "{number: {param: page}}", ""),
        ("number", "{number: {param: page}, total: .total}", ""), ("offset", "{offset: {param: at, size: 40}}", ""),
        ("cursor", "{cursor: {from: .cursor, param: at}}", ""),
        ("cursor", "{cursor: {from: .cursor, param: at}, more: .more}", ""),
        ("body", "{offset: {param: at, size: 40}, in: json, stop: short}", ", method: POST"),
    ])
    func readsEveryStyleOverRealSockets(path: String, page: String, request: String) async throws {
        try await Self.with(Self.stream(path, page, request)) { request, _ in
            Self.answer(request)
        } _: { bench, transport, _ in
            let states = MemoryStates()
            let first = try await bench.read(from: transport, states, pages: 3)
            let rest = try await bench.read(from: transport, states)
            #expect(rest.error == nil && rest.isComplete)
            let ids = first.ids + rest.ids
            #expect(Set(ids) == Set(0..<Self.count))
            #expect(ids.count <= Self.count + 40)
            #expect(rest.records.last == "{\"id\":249,\"big\":12345678901234567890.2490}")
        }
    }

    @Test func survivesFaultsOfAllKinds() async throws {
        try await Self.with(Self.stream("next", "{next: .next}")) { request, at in
            switch at {
            case 0: return .status(503)
            case 1: return .status(429, "Retry-After: 3600")
            case 2: return .status(302, "Location: /next?at=0")
            case 4: return SourceServer.Answer(body: Self.answer(request).body, short: 10)
            default: return Self.answer(request)
            }
        } _: { bench, transport, server in
            var (bench, http) = (bench, bench.manifest.http)
            http.retry.maximumWait = .seconds(7200)
            bench.manifest = bench.manifest.replacing(http: http)
            let reading = try await bench.read(from: transport)
            #expect(reading.error == nil)
            #expect(reading.ids == Array(0..<Self.count))
            #expect(bench.clock.waits == [.milliseconds(500), .seconds(3600), .milliseconds(500)])
            #expect(server.asked.count == 11)
        }
    }

    @Test(
        "a request that a kept connection loses is a try like any other, and counts against the rate",
        arguments: [
            ("next", "{next: .next}", ""),
            ("body", "{offset: {param: at, size: 40}, in: json, total: .total}", ", method: POST"),
        ]
    )
    func lostOnAKeptConnection(path: String, page: String, request: String) async throws {
        try await Self.with(Self.stream(path, page, request)) { request, at in
            [2, 5].contains(at) ? SourceServer.Answer(isMissing: true) : Self.answer(request)
        } _: { bench, transport, server in
            var (bench, http) = (bench, bench.manifest.http)
            http.limits = [RateLimit(count: 9, per: .seconds(60))]
            bench.manifest = bench.manifest.replacing(http: http)
            let reading = try await bench.read(from: transport)
            #expect(reading.error == nil)
            #expect(reading.ids == Array(0..<Self.count))
            #expect(server.asked.count == 9)
            #expect(reading.pages.map(\.cost.requests).reduce(0, +) == 9)
            #expect(bench.clock.waits == [.milliseconds(500), .milliseconds(500)])
        }
    }

    @Test func saysWhereNobodyAnswers() async throws {
        let port = try await Self.with(Self.stream("next", "{next: .next}")) { _, _ in
            .status(500)
        } _: { _, _, server in
            server.port
        }
        let bench = try Bench(
            "http: {base: \"http://127.0.0.1:\(port)\"}\n" + Self.stream("next", "{next: .next}")(port),
            hosts: "[\"127.0.0.1:\(port)\"]"
        )
        var policy = NetworkPolicy()
        policy.allowedSourceNetworks = [try #require(CIDR("127.0.0.0/8"))]
        let open = try HTTPTransport(policy: policy)
        let unreachable = try await bench.read(from: open)
        #expect(unreachable.error?.code == "source-unreachable")
        #expect(unreachable.error?.exit == .unreachable)
        await open.shutDown()
        // Without the network being allowed, nothing is dialled.
        let shut = try HTTPTransport(policy: NetworkPolicy())
        #expect(try await bench.read(from: shut).error?.code == "address-refused")
        await shut.shutDown()
    }

    @Test func sendsCredentialsToItsHostsOnly() async throws {
        let evil = try SourceServer { _, _ in .json("[]") }
        defer { evil.stop() }
        for link in ["http://127.0.0.1:\(evil.port)/x", "//127.0.0.1:\(evil.port)/x"] {
            let yaml =
                "auth: {key: {in: query, name: k, value: canary}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /a}, records: .items, page: {next: .next}}}\n"
            for redirects in [true, false] {
                try await Self.with { _ in
                    yaml
                } _: { _, _ in
                    redirects ? .status(302, "Location: \(link)") : .json("{\"items\":[],\"next\":\"\(link)\"}")
                } _: { bench, transport, server in
                    let reading = try await bench.read(from: transport)
                    #expect(reading.error?.code == "pagination-escape")
                    #expect(server.asked.map(\.target) == ["/a?k=canary"])
                }
            }
        }
        #expect(evil.asked.isEmpty)
    }

    @Test func readsThirteenHundredChildrenQuickly() async throws {
        let yaml =
            "streams:\n  list: {request: {path: /list}, records: ., key: .id}\n"
            + "  details: {endpoint: d, key: .id, version: none, for_each: {in: list}, request: {path: \"{{ parent.url }}\"}}\n"
        try await Self.with { _ in
            yaml
        } _: { request, _ in
            if request.path == "/list" {
                return .json(
                    "[" + (1...1351).map { "{\"id\":\($0),\"url\":\"/d/\($0)/\"}" }.joined(separator: ",") + "]"
                )
            }
            return .json("{\"id\":\(request.path.split(separator: "/")[1])}")
        } _: { bench, transport, server in
            let reading = try await bench.read("details", from: transport)
            #expect(reading.error == nil && reading.isComplete)
            #expect(reading.ids == Array(1...1351))
            #expect(server.asked.count == 1352)
        }
    }
}
