import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

struct ResumeTests {
    /// The way of paging, and a source of ten pages with two records each for it.
    struct Style: Sendable, CustomTestStringConvertible {
        var page: String
        var testDescription: String { page }

        func answer(_ request: HTTPRequest) -> Script.Reply {
            let at: Int
            if page.contains("number") {
                at = (Int(request.parameter("p") ?? "1") ?? 1) - 1
            } else if page.contains("offset") {
                at = (Int(request.parameter("p") ?? "0") ?? 0) / 2
            } else {
                at = Int(request.parameter("p") ?? "0") ?? 0
            }
            let items = at < 10 ? "{\"id\":\(at * 2 + 1)},{\"id\":\(at * 2 + 2)}" : ""
            let next = at < 9 ? "\(at + 1)" : nil
            if page.contains("link") {
                let headers = next.map { [HTTPHeader("Link", "<?p=\($0)>; rel=next")] } ?? []
                return Script.Reply(headers: headers, body: "{\"items\":[\(items)]}")
            }
            let token = page.contains("next:") ? next.map { "\"/t?p=\($0)\"" } : next
            return .json("{\"items\":[\(items)],\"next\":\(token ?? "null")}")
        }
    }

    static let styles = [
        "{next: .next}", "{link: next}", "{number: {param: p}}", "{offset: {param: p, size: 2}}",
        "{cursor: {from: .next, param: p}}",
    ].map { Style(page: $0) }

    private static func bench(_ style: Style) throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\", retry: {tries: 1}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, "
                + "page: \(style.page)}}\n"
        )
    }

    @Test(arguments: styles)
    func goesOnWhereAnyPageWasTheLast(style: Style) async throws {
        for cut in 1...10 {
            let bench = try Self.bench(style)
            let source = Script { request, _ in style.answer(request) }
            let states = MemoryStates()
            let first = try await bench.read(from: source, states, pages: cut)
            let before = source.sent.count
            let second = try await bench.read(from: source, states)
            #expect(second.isComplete && second.error == nil)
            #expect(Set(first.ids + second.ids) == Set(1...20))
            // At most the page before is asked for again; without shifting pages none is.
            let shifts = style.page.contains("number") || style.page.contains("offset")
            let isOver = first.isComplete
            let rest = source.sent.count - before
            #expect(isOver || rest <= 10 - cut + (shifts ? 2 : 0), "\(cut)")
            #expect(states.text() == #"{"v":1}"#)
        }
    }

    /// `skip` may be meant for a list that is closed to the person. A token that has died is answered alike, and behind it are pages
    /// that were never read.
    @Test("a saved place that a rule skips starts the pass again", arguments: [200, 403, 409, 500])
    func skippedPlace(status: Int) async throws {
        let bench = try Bench(
            """
            http: {base: "https://api.test", retry: {tries: 1}}
            streams:
              things:
                {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: {cursor: {from: .next, param: p}},
                 on: [{status: \(status), if: .error, do: skip}]}

            """
        )
        let states = MemoryStates()
        let pages = Script { request, _ in
            switch request.parameter("p") {
            case nil: .json(#"{"items":[{"id":1}],"next":"old"}"#)
            case "old": .status(status, body: #"{"error":true}"#)
            default: .json(#"{"items":[{"id":2}]}"#)
            }
        }
        let first = try await bench.read(from: pages, states, pages: 1)
        #expect(first.ids == [1])
        let source = Script { request, _ in
            switch request.parameter("p") {
            case nil: .json(#"{"items":[{"id":1}],"next":"new"}"#)
            case "new": .json(#"{"items":[{"id":2}]}"#)
            default: .status(status, body: #"{"error":true}"#)
            }
        }
        let second = try await bench.read(from: source, states)
        #expect(second.ids == [1, 2] && second.isComplete && second.error == nil)
        #expect(source.sent.map { $0.parameter("p") } == ["old", nil, "new"])
        #expect(bench.events.warnings == ["place-refused"])
        // What is skipped from the start is skipped.
        let closed = Script(.status(status, body: #"{"error":true}"#))
        let third = try await bench.read(from: closed)
        #expect(third.ids == [] && third.isComplete && third.error == nil)
    }

    @Test("a token that dies with 500 starts the pass again where the manifest says so, without 'since'")
    func deadTokenWith500() async throws {
        let bench = try Bench(
            """
            http: {base: "https://api.test", retry: {tries: 2}}
            streams:
              things:
                {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: {cursor: {from: .next, param: p}},
                 on: [{status: 500, do: reread}]}

            """
        )
        let states = MemoryStates()
        let first = Script(.json(#"{"items":[{"id":1}],"next":"old"}"#))
        #expect(try await bench.read(from: first, states, pages: 1).ids == [1])
        let source = Script { request, _ in
            request.parameter("p") == nil ? .json(#"{"items":[{"id":1},{"id":2}]}"#) : .status(500)
        }
        let second = try await bench.read(from: source, states)
        #expect(second.ids == [1, 2] && second.isComplete && second.error == nil)
        #expect(source.sent.map { $0.parameter("p") } == ["old", nil])
        #expect(bench.events.warnings == ["place-refused"])
        // Where nothing was saved, it is what it is without the rule: tried again, and an error that passes.
        let broken = Script { _, _ in .status(500) }
        let third = try await bench.read(from: broken)
        #expect(third.error?.code == "source-unavailable" && broken.sent.count == 2)
    }

    @Test(arguments: styles)
    func goesOnAfterAFault(style: Style) async throws {
        let bench = try Self.bench(style)
        let source = Script { request, at in at == 4 ? .status(500) : style.answer(request) }
        let states = MemoryStates()
        let first = try await bench.read(from: source, states)
        #expect(first.error?.code == "source-unavailable")
        #expect(first.ids == Array(1...8))
        let second = try await bench.read(from: source, states)
        #expect(second.isComplete)
        #expect(Set(first.ids + second.ids) == Set(1...20))
    }

    @Test(arguments: styles, [400, 404, 410])
    func startsOverWhereThePlaceIsRefused(style: Style, status: Int) async throws {
        let bench = try Self.bench(style)
        let source = Script { request, at in
            at == 4 ? .status(500) : at == 5 ? .status(status) : style.answer(request)
        }
        let states = MemoryStates()
        _ = try await bench.read(from: source, states)
        let second = try await bench.read(from: source, states)
        #expect(second.error == nil)
        #expect(second.ids == Array(1...20))
        #expect(bench.events.warnings == ["place-refused"])
    }

    @Test func doesNotTakeARefusedPlaceForTheEndWhereARuleSkips() async throws {
        let yaml =
            "http: {base: \"https://api.test\", on: [{status: 404, do: skip}]}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: {next: .next}}}\n"
        let bench = try Bench(yaml)
        let style = Self.styles[0]
        let source = Script { request, at in at == 2 ? .status(404) : style.answer(request) }
        let states = MemoryStates()
        _ = try await bench.read(from: source, states, pages: 2)
        let second = try await bench.read(from: source, states)
        #expect(second.ids == Array(1...20))
    }

    @Test func startsOverWhereTheManifestPagesOtherwiseByNow() async throws {
        let states = MemoryStates()
        let (number, next) = (Self.styles[2], Self.styles[0])
        _ = try await Self.bench(next).read(from: Script { request, _ in next.answer(request) }, states, pages: 3)
        let reading = try await Self.bench(number).read(from: Script { request, _ in number.answer(request) }, states)
        #expect(reading.ids == Array(1...20))
    }

    /// Each run means another time by it; the pass is the same.
    @Test func goesOnWithAPassSinceALengthOfTime() async throws {
        let yaml =
            "http: {base: \"https://api.test\", retry: {tries: 1}}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: {next: .next}, "
            + "since: {field: .at, type: time, send: {query: {from: epoch}}}}}\n"
        let style = Self.styles[0]
        let source = Script { request, _ in style.answer(request) }
        let states = MemoryStates()
        var bench = try Bench(yaml)
        bench.options.since = "30d"
        _ = try await bench.read(from: source, states, pages: 3)
        #expect(states.value()?["pass"]?["given"]?.stringText == "30d")
        bench.clock.advance(.seconds(90))
        let second = try await bench.read(from: source, states, pages: 2)
        #expect(second.ids == [7, 8, 9, 10])
        bench.options.since = "31d"
        #expect(try await bench.read(from: source, states, pages: 1).ids == [1, 2])
    }

    @Test func startsOverWhereTheSavedLinkIsOutsideTheHostsByNow() async throws {
        let states = MemoryStates()
        states.commit([
            "": StreamState(Array(#"{"v":1,"pass":{"place":{"url":"https://old.test/t?p=3"},"pages":3}}"#.utf8))
        ])
        let style = Self.styles[0]
        let source = Script { request, _ in style.answer(request) }
        let reading = try await Self.bench(style).read(from: source, states)
        #expect(reading.ids == Array(1...20))
        #expect(source.urls.allSatisfy { $0.hasPrefix("https://api.test/") })
    }

    @Test(arguments: ["", "{", "[]", #"{"v":2}"#, "{}"])
    func refusesAStateItCannotRead(text: String) async throws {
        let states = MemoryStates()
        states.commit(["": StreamState(Array(text.utf8))])
        let reading = try await Self.bench(Self.styles[0]).read(from: Script(.json("{}")), states)
        #expect(reading.error?.code == "state-unreadable")
    }

    @Test func canBeInterruptedAndAskedAgain() async throws {
        let bench = try Self.bench(Self.styles[0])
        let style = Self.styles[0]
        let source = Script { request, _ in style.answer(request) }
        try await bench.fetcher(source).withReader(of: "things", from: MemoryStates()) { reader in
            let first = try await reader.next()
            #expect(first?.records.count == 2)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await reader.next()
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            let page = try await reader.next()
            #expect(page?.records.first?["id"]?.number?.text == "3")
        }
    }

    @Test func stopsAtThePageLimitWithoutEndingThePass() async throws {
        var bench = try Self.bench(Self.styles[0])
        bench.options.pageLimit = 2
        let style = Self.styles[0]
        let states = MemoryStates()
        let reading = try await bench.read(from: Script { request, _ in style.answer(request) }, states)
        #expect(reading.ids == [1, 2, 3, 4])
        #expect(!reading.isComplete)
        #expect(states.value()?["pass"]?["place"]?["url"]?.stringText == "https://api.test/t?p=2")
    }
}
