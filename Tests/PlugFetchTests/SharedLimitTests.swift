import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing
import Throttling

@testable import PlugFetch

/// What connections of a plug, its streams and its later runs share.
struct SharedLimitTests {
    private static func yaml(_ http: String, _ head: String = "") -> String {
        head + "http: {base: \"https://api.test\"\(http)}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: ., "
            + "page: {number: {param: p}}}}"
    }
    private static let page = Script.Reply.json("[]")
    private let kept = KeptNotes()

    /// A bench whose runs are processes of their own.
    private func bench(_ http: String, _ head: String = "") throws -> Bench {
        var bench = try Bench(Self.yaml(http, head))
        bench.notes = kept
        return bench
    }

    /// When requests came, in milliseconds.
    private func source(_ bench: Bench, _ times: Times, pages: Int = 0) -> Script {
        let (clock, start) = (bench.clock, bench.clock.now())
        return Script { request, _ in
            times.note((clock.now() - start) / 1000)
            let page = request.parameter("p").flatMap { Int($0) } ?? 1
            return .json(page <= pages ? "[{\"id\":\(times.all.count)}]" : "[]")
        }
    }

    @Test func pagesOfAStreamKeepToTheRate() async throws {
        let (bench, times) = (try bench(", limits: [{rate: 2/10s}]"), Times())
        #expect(try await bench.read(from: source(bench, times, pages: 4)).ids == [1, 2, 3, 4])
        #expect(times.all == [0, 0, 10_250, 10_250, 20_500])
    }

    @Test func aSecondRunGoesOnWhereTheFirstOneUsedUpTheRate() async throws {
        let (bench, times) = (try bench(", limits: [{rate: 2/10s}]"), Times())
        let source = source(bench, times)
        for _ in 0..<5 { #expect(try await bench.read(from: source).error == nil) }
        #expect(times.all == [0, 0, 10_250, 10_250, 20_500])
    }

    @Test func aRunThatIsKilledLeavesNoMoreThanItHad() async throws {
        var bench = try bench(", limits: [{rate: 2/10s}]")
        bench.isKilled = true
        let times = Times()
        let source = source(bench, times)
        for _ in 0..<3 { #expect(try await bench.read(from: source).error == nil) }
        // Each run leaves one request on lease that was used; it counts as late as it may have gone out, which is 6 s later.
        #expect(times.all == [0, 0, 16_375])
    }

    @Test func connectionsOfAPlugShareItsRate() async throws {
        let (bench, times) = (try bench(", limits: [{rate: 2/10s}]"), Times())
        let source = source(bench, times)
        let limits = SourceLimits(clock: bench.clock)
        for _ in 0..<3 {
            let fetcher = try DeclarativeFetcher(
                manifest: bench.manifest,
                config: JSONObject(),
                transport: source,
                clock: bench.clock,
                limits: limits
            )
            try await fetcher.readPage()
        }
        #expect(times.all == [0, 0, 10_250])
    }

    @Test func hostsThatThePersonConfiguresHaveLimitsOfTheirOwn() async throws {
        let head = "config: {instance: {type: host}}\n"
        var bench = try Bench(
            head + "http: {base: \"https://{{ config.instance }}\", limits: [{rate: 1/10s}]}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .}}",
            hosts: "[\"{{ config.instance }}\"]"
        )
        bench.notes = kept
        for name in ["a.test", "b.test"] {
            bench.config["instance"] = .text(name)
            #expect(try await bench.read(from: Script(Self.page)).error == nil)
        }
        #expect(bench.clock.waits == [])
        #expect(try await bench.read(from: Script(Self.page)).error == nil)
        #expect(bench.clock.waits == [.milliseconds(10_250)])
    }

    @Test func aLaterRunKnowsThatTheSourceIsClosedAndSaysUntilWhen() async throws {
        let bench = try bench("")
        let first = try await bench.read(from: Script(.status(429, HTTPHeader("Retry-After", "3600"))))
        #expect(first.error?.code == "rate-limited")
        let source = Script(Self.page)
        let second = try await bench.read(from: source)
        #expect(second.error?.code == "rate-limited")
        #expect(second.error?.exit == .tryLater)
        #expect(second.error?.message.contains("2026-11-21T13:00:00Z") == true)
        #expect(source.sent.count == 0)
        bench.clock.advance(.seconds(3600 - 60))
        // A minute is short enough to wait for.
        #expect(try await bench.read(from: source).error == nil)
        #expect(bench.clock.waits == [.seconds(60)])
    }

    @Test(arguments: ["99999999", "31536000"])
    func noSourceClosesAPlugForMoreThanADay(value: String) async throws {
        let bench = try bench("")
        let reading = try await bench.read(from: Script(.status(429, HTTPHeader("Retry-After", value))))
        #expect(reading.error?.message.contains("2026-11-22T12:00:00Z") == true)
        bench.clock.advance(.seconds(86_400))
        #expect(try await bench.read(from: Script(Self.page)).error == nil)
    }

    private static let spent = Script.Reply.json(
        #"[{"id":1}]"#,
        HTTPHeader("X-RateLimit-Remaining", "0"),
        HTTPHeader("X-RateLimit-Reset", "60")
    )

    @Test func aGoodAnswerThatIsTheLastOneForAWhileIsHeeded() async throws {
        let bench = try bench("")
        #expect(try await bench.read(from: Script(Self.spent, Self.page)).ids == [1])
        #expect(bench.clock.waits == [.seconds(60)])
    }

    @Test("a person whose quota is used up keeps no place that others could use", .timeLimit(.minutes(60)))
    func waitingForOnesOwnQuotaIsNoUseOfTheConcurrency() async throws {
        let head = "config: {token: {type: string, secret: true}}\nauth: {bearer: {token: \"{{ config.token }}\"}}\n"
        let manifest = try bench(", limits: [{concurrency: 1}]", head).manifest
        let clock = HeldClock()
        let limits = SourceLimits(clock: clock)
        func fetcher(of name: String, _ source: Script) throws -> DeclarativeFetcher {
            var options = FetchOptions()
            options.connection = ConnectionID(name)
            return try DeclarativeFetcher(
                manifest: manifest,
                config: ["token": .text("of-\(name)")],
                transport: source,
                clock: clock,
                limits: limits,
                options: options
            )
        }
        let ada = try fetcher(of: "ada", Script(Self.spent, Self.page))
        let reading = Task {
            try await ada.withReader(of: "things", from: MemoryStates()) { while try await $0.next() != nil {} }
        }
        await clock.somebodySleeps()
        // Ada waits for a minute until her second page, and Bob's first one comes.
        try await fetcher(of: "bob", Script(Self.page)).readPage()
        clock.wake()
        try await reading.value
        #expect(clock.time.waits == [.seconds(60)])
    }

    @Test func aQuotaOfOnePersonIsNotOneOfAll() async throws {
        let head = "config: {token: {type: string, secret: true}}\nauth: {bearer: {token: \"{{ config.token }}\"}}\n"
        var bench = try bench("", head)
        bench.config["token"] = .text("of-ada")
        #expect(try await bench.read(from: Script(Self.spent, Self.page)).ids == [1])
        #expect(bench.clock.waits == [.seconds(60)])
        #expect(try await bench.read(from: Script(Self.spent, Self.page), pages: 1).ids == [1])
        #expect(try await bench.read(from: Script(Self.page)).error == nil)
        #expect(bench.clock.waits == [.seconds(60)])
        #expect(kept.writeCount == 0)
    }

    private func person(_ name: String, _ http: String = "") throws -> Bench {
        let head = "config: {token: {type: string, secret: true}}\nauth: {bearer: {token: \"{{ config.token }}\"}}\n"
        var bench = try bench(http, head)
        bench.config["token"] = .text("of-\(name)")
        bench.options.connection = ConnectionID(name)
        return bench
    }

    @Test(arguments: [429, 403])
    func whatOnePersonIsToldConcernsThatPersonAlsoInLaterRuns(status: Int) async throws {
        let rules = status == 403 ? ", on: [{status: 403, do: limit}]" : ""
        let told = Script(.status(status, HTTPHeader("Retry-After", "86400")))
        #expect(try await person("ada", rules).read(from: told).error?.code == "rate-limited")
        let source = Script(Self.page)
        #expect(try await person("bob", rules).read(from: source).error == nil)
        #expect(source.sent.count == 1)
        let later = try await person("ada", rules).read(from: source)
        #expect(later.error?.code == "rate-limited")
        #expect(later.error?.message.contains("2026-11-22T12:00:00Z") == true)
        #expect(source.sent.count == 1)
    }

    @Test func whatTheHostSaysOfItselfConcernsEverybody() async throws {
        let told = Script(.status(503, HTTPHeader("Retry-After", "86400")))
        #expect(try await person("ada").read(from: told).error?.code == "rate-limited")
        let source = Script(Self.page)
        #expect(try await person("bob").read(from: source).error?.code == "rate-limited")
        #expect(source.sent.count == 0)
    }

    @Test func aProcessThatIsUnderWayLearnsWhatAnotherOneWasTold() async throws {
        let bench = try bench("")
        let limits = SourceLimits(notes: ServerNotes(kept), clock: bench.clock)
        let source = Script(Self.page)
        try await bench.fetcher(source, limits).readPage()
        let told = Script(.status(503, HTTPHeader("Retry-After", "3600")))
        _ = try await bench.read(from: told)
        bench.clock.advance(.seconds(1))
        let error = await #expect(throws: PlugError.self) {
            try await bench.fetcher(source, limits).readPage()
        }
        #expect(error?.code == "rate-limited")
        #expect(source.sent.count == 1)
    }

    @Test func aPlugThatMeetsNoLimitWritesNothing() async throws {
        let bench = try bench(", limits: [{concurrency: 2}]")
        for _ in 0..<3 { #expect(try await bench.read(from: Script(Self.page)).error == nil) }
        #expect(kept.writeCount == 0)
    }

    @Test func connectionsOfAPlugShareItsConcurrency() async throws {
        let bench = try bench(", limits: [{concurrency: 2}]")
        let gauge = Gauge()
        let limits = SourceLimits(clock: bench.clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                let fetcher = try DeclarativeFetcher(
                    manifest: bench.manifest,
                    config: JSONObject(),
                    transport: SlowScript(gauge),
                    clock: bench.clock,
                    limits: limits
                )
                group.addTask { try await fetcher.readPage() }
            }
            try await group.waitForAll()
        }
        #expect(gauge.most <= 2)
    }

    @Test func aSpentBudgetEndsTheRunWithWhatTheLastTryCameTo() async throws {
        let source = Script(.status(503), .failure(.retriesSpent))
        let reading = try await bench("").read(from: source)
        #expect(reading.error?.code == "source-unavailable")
        #expect(reading.error?.exit == .tryLater)
        #expect(reading.error?.message.hasSuffix("; no answer") == true)
        #expect(source.sent.map(\.isRetry) == [false, true])
    }

    @Test func aCircuitThatOpensMeanwhileEndsTheRunWithWhatTheLastTryCameTo() async throws {
        let reading = try await bench("").read(from: Script(.failure(.cannotConnect), .failure(.circuitOpen)))
        #expect(reading.error?.code == "source-unreachable")
        #expect(reading.error?.message.hasSuffix("; no answer") == true)
    }

    @Test func aTryThatTheSourceAskedForIsNoSecondOne() async throws {
        let source = Script(.status(429, HTTPHeader("Retry-After", "1")), .status(500), Self.page)
        #expect(try await bench("").read(from: source).error == nil)
        #expect(source.sent.map(\.isRetry) == [false, false, true])
    }

    @Test func anOpenCircuitEndsTheRunAtOnce() async throws {
        let source = Script(.failure(.circuitOpen))
        let reading = try await bench("").read(from: source)
        #expect(reading.error?.code == "source-circuit-open")
        #expect(reading.error?.exit == .tryLater)
        #expect(source.sent.count == 1)
    }
}

/// Answers after a while, and tells how many are under way.
private struct SlowScript: HTTPSending {
    let gauge: Gauge
    init(_ gauge: Gauge) { self.gauge = gauge }
    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        gauge.enter()
        for _ in 0..<5 { await Task.yield() }
        gauge.leave()
        return HTTPResponse(status: 200, body: JSONBuffer(Array("[]".utf8)), url: request.url)
    }
}

/// A clock on which whoever sleeps does so until it is told to wake.
private final class HeldClock: HostClock {
    let time = FakeClock()
    private let (sleeping, falling) = AsyncStream<Void>.makeStream()
    private let (waking, waker) = AsyncStream<Void>.makeStream()

    func now() -> Int64 { time.now() }
    func random() -> Double { time.random() }
    func timeout(after duration: Duration) async throws { try await time.timeout(after: duration) }

    func sleep(for duration: Duration) async throws {
        falling.finish()
        for await _ in waking {}
        try await time.sleep(for: duration)
    }

    func somebodySleeps() async { for await _ in sleeping {} }
    func wake() { waker.finish() }
}
