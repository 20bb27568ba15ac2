import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Streams of one page that is asked for again only if it has changed.
struct ValidatorTests {
    private static func yaml(_ stream: String = "", map: String = "{id}") -> String {
        "http: {base: \"https://api.test\"}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, "
            + "map: '\(map)'\(stream)}}\n"
    }
    private static let tag = HTTPHeader("ETag", "W/\"v1\"")
    private static func page(_ headers: HTTPHeader...) -> Script.Reply {
        Script.Reply(headers: headers, body: #"{"items":[{"id":1}]}"#)
    }
    /// A source whose page never changes.
    private static let unchanging = Script { request, _ in
        request.header("If-None-Match") == "W/\"v1\"" ? .status(304, body: "") : page(tag)
    }

    @Test func anUnchangedPageIsNotReadAgainAndEndsNoPass() async throws {
        let (bench, states) = (try Bench(Self.yaml()), MemoryStates())
        let first = try await bench.read(from: Self.unchanging, states)
        #expect(first.ids == [1] && first.isComplete)
        let kept = states.text()
        for _ in 0..<2 {
            let next = try await bench.read(from: Self.unchanging, states)
            #expect(next.error == nil && next.records == [] && !next.isComplete)
            // What was proved belongs to the last complete pass, so that this one must not replace it.
            #expect(next.pages.count == 1 && next.pages[0].states.isEmpty)
            #expect(next.pages[0].cost == FetchedPage.Cost(requests: 1, pages: 0, bytes: 0))
            #expect(states.text() == kept)
        }
    }

    @Test func aChangedPageIsReadAndItsValidatorReplacesTheOldOne() async throws {
        let (bench, states) = (try Bench(Self.yaml()), MemoryStates())
        _ = try await bench.read(from: Script(Self.page(Self.tag)), states)
        let second = Script(Self.page(HTTPHeader("ETag", "\"v2\"")))
        #expect(try await bench.read(from: second, states).ids == [1])
        #expect(second.sent.map { $0.header("If-None-Match") } == ["W/\"v1\""])
        let third = Script(Self.page())
        #expect(try await bench.read(from: third, states).ids == [1])
        #expect(third.sent.map { $0.header("If-None-Match") } == ["\"v2\""])
        // No validator any more, so that there is nothing to ask with.
        let fourth = Script(Self.page())
        #expect(try await bench.read(from: fourth, states).ids == [1])
        #expect(fourth.sent.map { $0.header("If-None-Match") } == [nil])
    }

    /// Which instances of its events are given depends on the time.
    @Test func anUnchangedCalendarIsReadOnceADay() async throws {
        let lines = [
            "BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:20261121T120000Z", "RRULE:FREQ=DAILY", "END:VEVENT",
            "END:VCALENDAR", "",
        ]
        let calendar = Script { request, _ in
            if request.header("If-None-Match") == "W/\"v1\"" { return .status(304, body: "") }
            let type = HTTPHeader("Content-Type", "text/calendar")
            return Script.Reply(headers: [Self.tag, type], body: lines.joined(separator: "\r\n"))
        }
        let bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .start, version: none, request: {path: /t}, "
                + "decode: {ics: {past: 1h, future: 2d}}, map: '{start}'}}\n"
        )
        let states = MemoryStates()
        func starts() async throws -> [String] {
            let reading = try await bench.read(from: calendar, states)
            #expect(reading.error == nil)
            return try reading.records.map { try #require(JSONValue(parsing: $0)["start"]?.stringText) }
        }
        let days = (21...24).map { "2026-11-\($0)T12:00:00Z" }
        #expect(try await starts() == Array(days[0...2]))
        bench.clock.advance(.seconds(3600))
        #expect(try await starts() == [])
        bench.clock.advance(.seconds(86_400))
        #expect(try await starts() == Array(days[1...3]))
    }

    private static let date = "Sat, 21 Nov 2026 12:00:00 GMT"

    @Test(arguments: [
        ("Sat, 21 Nov 2026 11:59:00 GMT", true), ("Sat, 21 Nov 2026 11:59:01 GMT", false),
        ("Sat, 21 Nov 2026 12:00:00 GMT", false), ("yesterday", false),
    ])
    func aTimeOfLastChangeServesOnceItIsAMinuteOld(modified: String, serves: Bool) async throws {
        let (bench, states) = (try Bench(Self.yaml()), MemoryStates())
        let page = Self.page(HTTPHeader("Last-Modified", modified), HTTPHeader("Date", Self.date))
        _ = try await bench.read(from: Script(page), states)
        let source = Script(page)
        _ = try await bench.read(from: source, states)
        #expect(source.sent[0].header("If-Modified-Since") == (serves ? modified : nil))
    }

    @Test(arguments: ["v1", "\"v1", "", "\"a\u{1}b\""])
    func aTagThatIsNoneIsNotSentBack(tag: String) async throws {
        let (bench, states) = (try Bench(Self.yaml()), MemoryStates())
        _ = try await bench.read(from: Script(Self.page(HTTPHeader("ETag", tag))), states)
        let source = Script(Self.page())
        _ = try await bench.read(from: source, states)
        #expect(source.sent[0].header("If-None-Match") == nil)
    }

    /// Whether the second run asks with the validator of the first.
    private func asks(
        _ first: Bench,
        _ second: Bench,
        _ reply: Script.Reply = page(tag)
    ) async throws -> Bool {
        let states = MemoryStates()
        _ = try await first.read(from: Script(reply), states)
        let source = Script(Self.page(Self.tag))
        _ = try await second.read(from: source, states)
        return source.sent[0].header("If-None-Match") != nil
    }

    @Test func aChangedManifestReadsEverythingOnce() async throws {
        let bench = try Bench(Self.yaml())
        #expect(try await asks(bench, bench))
        #expect(try await !asks(bench, Bench(Self.yaml(map: "{id, name}"))))
    }

    @Test func anotherConfigurationReadsEverythingOnce() async throws {
        var (ada, bob) = (try Bench(Self.config), try Bench(Self.config))
        (ada.config["key"], bob.config["key"]) = (.text("of-ada"), .text("of-bob"))
        #expect(try await asks(ada, ada))
        #expect(try await !asks(ada, bob))
    }
    private static let config =
        "config: {key: {type: string, secret: true}}\nauth: {key: {in: header, name: X-Key, value: \"{{ config.key }}\"}}\n"
        + yaml()

    @Test func somebodyWhoWantsAllOfItGetsIt() async throws {
        let bench = try Bench(Self.yaml())
        var (resending, since) = (bench, bench)
        resending.options.readsUnchanged = true
        since.options.since = "7d"
        #expect(try await !asks(bench, resending))
        #expect(try await !asks(bench, since))
    }

    @Test(arguments: [
        ", since: {field: .at, type: time}", ", page: {link: next}", ", for_each: {in: lists}",
    ])
    func streamsOfWhichAPageProvesTooLittleAreReadEveryTime(stream: String) async throws {
        let lists = ", lists: {key: .id, version: none, request: {path: /l}, records: .items}}\n"
        let bench = try Bench(Self.yaml(stream).dropLast(2) + lists)
        #expect(try await !asks(bench, bench))
    }

    @Test func aPassOfTwoPagesIsReadEveryTime() async throws {
        let (bench, states) = (try Bench(Self.yaml(", page: {next: .next}")), MemoryStates())
        let source = Script { request, _ in
            request.path == "/t"
                ? .json(#"{"items":[{"id":1}],"next":"/2"}"#, Self.tag) : .json(#"{"items":[{"id":2}]}"#, Self.tag)
        }
        for _ in 0..<2 { #expect(try await bench.read(from: source, states).ids == [1, 2]) }
        #expect(source.sent.allSatisfy { $0.header("If-None-Match") == nil })
    }

    @Test func aPagedStreamOfOnePageIsAskedForOnlyIfItChanged() async throws {
        let bench = try Bench(Self.yaml(", page: {next: .next}"))
        #expect(try await asks(bench, bench))
    }

    @Test func anInterruptedPassIsReadToItsEnd() async throws {
        let (bench, states) = (try Bench(Self.yaml(", page: {next: .next}")), MemoryStates())
        _ = try await bench.read(from: Script(Self.page(Self.tag)), states)
        let longer = Script { request, _ in
            request.path == "/t"
                ? .json(#"{"items":[{"id":1}],"next":"/2"}"#, HTTPHeader("ETag", "\"v2\""))
                : .json(#"{"items":[{"id":2}]}"#)
        }
        _ = try await bench.read(from: longer, states, pages: 1)
        let rest = Script(.json(#"{"items":[{"id":2}]}"#))
        #expect(try await bench.read(from: rest, states).ids == [2])
        #expect(rest.sent.map(\.path) == ["/2"])
        #expect(rest.sent[0].header("If-None-Match") == nil)
    }

    @Test func whatARedirectLeadsToHasNoValidator() async throws {
        let (bench, states) = (try Bench(Self.yaml()), MemoryStates())
        let moved = Script { request, _ in
            request.path == "/t" ? .status(302, HTTPHeader("Location", "/moved")) : Self.page(Self.tag)
        }
        for _ in 0..<2 { #expect(try await bench.read(from: moved, states).ids == [1]) }
        #expect(moved.sent.allSatisfy { $0.header("If-None-Match") == nil })
    }

    @Test func aConditionDoesNotFollowARedirect() async throws {
        let (bench, states) = (try Bench(Self.yaml()), MemoryStates())
        _ = try await bench.read(from: Script(Self.page(Self.tag)), states)
        let moved = Script { request, _ in
            request.path == "/t" ? .status(302, HTTPHeader("Location", "/moved")) : .status(304, body: "")
        }
        let reading = try await bench.read(from: moved, states)
        #expect(moved.sent.map { $0.header("If-None-Match") } == ["W/\"v1\"", nil])
        #expect(reading.error?.code == "unexpected-not-modified")
    }

    @Test func aPageThatARuleSkipsIsAskedForAgain() async throws {
        let yaml = Self.yaml().replacing(
            "\"https://api.test\"",
            with: "\"https://api.test\", on: [{status: 200, if: .busy, do: skip}]"
        )
        let bench = try Bench(yaml)
        #expect(try await !asks(bench, bench, .json(#"{"busy":true}"#, Self.tag)))
    }

    @Test func aRunWithoutStatesAsksForEverything() async throws {
        let bench = try Bench(Self.yaml())
        for _ in 0..<2 { #expect(try await bench.read(from: Self.unchanging).ids == [1]) }
    }
}
