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
