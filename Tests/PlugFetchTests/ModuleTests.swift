import CurlTransport
import LosslessJSON
import PlugCore
import PlugFetch
import PlugModules
import TestKit
import Testing

/// Streams that are read by a fetcher in Swift.
@Suite(.fewAtATime)
struct ModuleTests {
    /// Asks for `/things?from=N`, which answers `{"things": […], "next": N}`; without `next` the pass is complete.
    private struct Things: StreamFetcher {
        private let context: FetchContext
        init(_ context: FetchContext) { self.context = context }

        func page(after cursor: JSONValue?) async throws -> StreamPage {
            let from = cursor?.compactText ?? "0"
            let response = try await context.send(FetchRequest("/things", query: ["from": from], accepts: [410]))
            if response.status == 410 { throw FetchError(.cursorRefused, "the list begins later by now") }
            let answer = try response.json()
            return StreamPage(
                answer["things"]?.elements ?? [],
                cursor: answer["next"] ?? answer["new"],
                isLast: answer["next"] == nil
            )
        }
    }

    /// Does what its options say.
    private struct Odd: StreamFetcher {
        private let context: FetchContext
        private let what: String
        init(_ context: FetchContext) throws {
            self.context = context
            what = context.options["what"]?.stringText ?? ""
            if what.isEmpty { throw FetchError(.configuration, "'swift.options' has no 'what'", advice: "write it") }
        }

        func page(after cursor: JSONValue?) async throws -> StreamPage {
            switch what {
            case "echo": return StreamPage([context.options, context.config], cursor: nil, isLast: true)
            case "json":
                return StreamPage(json: Array("[{\"id\": 12345678901234567890.10}]".utf8), cursor: nil, isLast: true)
            case "broken": return StreamPage(json: Array("[{\"id\": 1}".utf8), cursor: nil, isLast: true)
            case "object": return StreamPage(json: Array("{\"id\": 1}".utf8), cursor: nil, isLast: true)
            case "no cursor": return StreamPage([], cursor: nil, isLast: false)
            case "same cursor": return StreamPage([], cursor: "x".json, isLast: false)
            case "empty": return StreamPage([], cursor: .integer(1 + Int(cursor?.number?.int64 ?? 0)), isLast: false)
            case "large cursor":
                return StreamPage([], cursor: String(repeating: "x", count: 70_000).json, isLast: false)
            case "large page":
                return StreamPage([.text(String(repeating: "x", count: 70_000))], cursor: nil, isLast: true)
            case "many requests":
                while true { _ = try await context.send(FetchRequest("/things")) }
            case "long wait":
                while true { try await context.wait(.seconds(60)) }
            case "later": throw FetchError(.later, "the export is not ready")
            case "authorisation": throw FetchError(.authorisation, "the token reads nothing")
            case "data": throw FetchError(.data, "a line has no id")
            case "other": throw Wrong(text: "about \(context.options["secret"]?.stringText ?? "")")
            case "cancelled": throw CancellationError()
            case "outside": _ = try await context.send(FetchRequest("https://evil.test/things"))
            case "unencrypted": _ = try await context.send(FetchRequest("http://api.test/things"))
            case "header": _ = try await context.send(FetchRequest("/", headers: ["X": "a\r\nb"]))
            case "warn":
                for word in ["a", "b", "a"] { context.warn("seen \(word)") }
                return StreamPage([], cursor: nil, isLast: true)
            default: break
            }
            return StreamPage([], cursor: nil, isLast: true)
        }
    }

    private struct Wrong: Error {
        let text: String
    }

    private func bench(_ swift: String = "Things", _ more: String = "", http: String = "base: https://api.test/v1")
        throws
        -> Bench
    {
        try Bench(
            """
            config: {user: {type: string, default: ann}, token: {type: string, secret: true}}
            auth: {bearer: {token: "{{ config.token // \\"t0ken-t0ken\\" }}"}}
            http: {\(http)}
            streams:
              things:
                endpoint: things
                key: [.id]
                version: none
                swift: \(swift)
                \(more)
            """,
            fetchers: try FetcherRegistry([Things.self, Odd.self])
        )
    }

    private func pages(_ request: HTTPRequest) -> Script.Reply {
        switch request.parameter("from") {
        case "0": .json(#"{"things": [{"id": 1}, {"id": 2}], "next": 2}"#)
        case "2": .json(#"{"things": [{"id": 3}], "next": 3}"#)
        case "3": .json(#"{"things": [{"id": 4.10}], "new": 4}"#)
        case "4": .json(#"{"things": [], "new": 4}"#)
        default: .status(410)
        }
    }

    // MARK: - Reading

    @Test func itsPagesAreReadAndTheLastCursorIsKeptForTheNextPass() async throws {
        let bench = try bench()
        let (script, states) = (Script { request, _ in pages(request) }, MemoryStates())
        let reading = try await bench.read(from: script, states)
        #expect(reading.error == nil)
        #expect(reading.records == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#, #"{"id":4.10}"#])
        #expect(reading.isComplete)
        #expect(reading.pages.map(\.beginsPass) == [true, false, false])
        #expect(states.value()?["watermark"] == .integer(4) && states.value()?["pass"] == nil)
        let again = try await bench.read(from: script, states)
        #expect(again.records == [])
        #expect(again.isComplete)
        #expect(script.urls.last == "https://api.test/v1/things?from=4")
        #expect(script.sent.map { $0.header("authorization") } == Array(repeating: "Bearer t0ken-t0ken", count: 4))
    }

    @Test(arguments: [1, 2])
    func anInterruptedPassGoesOnBehindTheLastCommittedPage(_ count: Int) async throws {
        let bench = try bench()
        let (script, states) = (Script { request, _ in pages(request) }, MemoryStates())
        let first = try await bench.read(from: script, states, pages: count)
        #expect(states.value()?["pass"]?["cursor"] == .integer(count + 1))
        let second = try await bench.read(from: script, states)
        #expect(first.records + second.records == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#, #"{"id":4.10}"#])
        #expect(second.pages.first?.beginsPass == false)
        #expect(states.value()?["watermark"] == .integer(4) && states.value()?["pass"] == nil)
    }

    @Test func aCursorThatTheSourceHasForgottenIsForgottenHereTooOnce() async throws {
        let bench = try bench()
        let states = MemoryStates()
        states.commit(["": StreamState(Array(#"{"v":1,"watermark":99}"#.utf8))])
        let script = Script { request, _ in pages(request) }
        let reading = try await bench.read(from: script, states)
        #expect(reading.error == nil)
        #expect(reading.records.count == 4)
        #expect(
            bench.events.messages == [
                "the fetcher 'Things' starts again from the beginning: the list begins later by now; everything is read again"
            ]
        )
        let never = try await bench.read(from: Script(.status(410)), MemoryStates())
        #expect(never.error?.code.text == "fetcher-cursor")
    }

    @Test func aRuleThatSaysRereadForgetsTheCursorToo() async throws {
        let bench = try bench("Things", "on: [{status: 404, do: reread}]")
        let states = MemoryStates()
        states.commit(["": StreamState(Array(#"{"v":1,"watermark":99}"#.utf8))])
        let script = Script { request, _ in request.parameter("from") == "99" ? .status(404) : pages(request) }
        let reading = try await bench.read(from: script, states)
        #expect(reading.error == nil)
        #expect(reading.records.count == 4)
        #expect(bench.events.warnings == ["cursor-refused"])
    }

    @Test func theHostTriesAgainAndWaitsAsForEveryStream() async throws {
        let bench = try bench()
        let script = Script(
            .status(503),
            .status(429, HTTPHeader("Retry-After", "7")),
            .json(#"{"things": [{"id": 1}]}"#)
        )
        let reading = try await bench.read(from: script)
        #expect(reading.error == nil)
        #expect(reading.ids == [1])
        #expect(reading.pages.map(\.cost.requests) == [3])
        #expect(bench.events.waits == [.backoff, .retryAfter])
    }

    @Test func credentialsStayBehindWhereARequestGoesToAnotherHostThanTheBase() async throws {
        let yaml = """
            auth: {bearer: {token: t0ken-t0ken}}
            http: {base: "https://api.test"}
            streams:
              things: {endpoint: things, key: [.id], version: none, swift: Elsewhere}
            """
        struct Elsewhere: StreamFetcher {
            private let context: FetchContext
            init(_ context: FetchContext) { self.context = context }
            func page(after cursor: JSONValue?) async throws -> StreamPage {
                let link = try await context.send(FetchRequest("/export")).json()["link"]?.stringText ?? ""
                return StreamPage(json: try await context.send(FetchRequest(link)).body, cursor: nil, isLast: true)
            }
        }
        let bench = try Bench(yaml, hosts: "[api.test, files.test]", fetchers: try FetcherRegistry([Elsewhere.self]))
        let script = Script(.json(#"{"link": "https://files.test/1"}"#), .json(#"[{"id": 1}]"#))
        #expect(try await bench.read(from: script).ids == [1])
        #expect(script.sent.map { $0.header("authorization") } == ["Bearer t0ken-t0ken", nil])
    }

    @Test func otherStreamsAreReadForItsRecords() async throws {
        let bench = try Bench(
            """
            http: {base: "https://api.test/v1"}
            streams:
              things: {endpoint: things, key: [.id], version: none, swift: Things}
              details:
                endpoint: details
                for_each: {in: things}
                request: {path: "/details/{{ parent.id }}"}
                key: [.id]
                version: none
            """,
            fetchers: try FetcherRegistry([Things.self])
        )
        let script = Script { request, _ in
            request.path.hasPrefix("/v1/details/") ? .json("{\"id\": \(request.path.dropFirst(12))}") : pages(request)
        }
        let states = MemoryStates()
        let first = try await bench.read("details", from: script, states, pages: 2)
        let second = try await bench.read("details", from: script, states)
        #expect(Set(first.records + second.records) == [#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#, #"{"id":4.10}"#])
        #expect(second.isComplete)
        // The cursor is that of the stream itself: who reads it for others reads all of it.
        #expect(try await bench.read("details", from: script, states).records.count == 4)
    }

    // MARK: - What a fetcher is given

    @Test func itIsToldItsOptionsAndTheConfigurationWithoutSecrets() async throws {
        var bench = try bench(
            #"{fetcher: Odd, options: {what: echo, password: "{{ config.token }}", user: "{{ config.user }}"}}"#
        )
        bench.config["token"] = .text("s3cret-s3cret")
        let reading = try await bench.read(from: Script(.json("[]")))
        #expect(reading.error == nil)
        #expect(
            reading.records == [#"{"what":"echo","password":"s3cret-s3cret","user":"ann"}"#, #"{"user":"ann"}"#]
        )
    }

    @Test func recordsAsTheSourceWroteThemKeepEveryDigit() async throws {
        let reading = try await bench("{fetcher: Odd, options: {what: json}}").read(from: Script(.json("[]")))
        #expect(reading.records == [#"{"id":12345678901234567890.10}"#])
    }

    @Test func eachWarningIsGivenOnce() async throws {
        let bench = try bench("{fetcher: Odd, options: {what: warn}}")
        _ = try await bench.read(from: Script(.json("[]")))
        #expect(bench.events.messages == ["the fetcher 'Odd': seen a", "the fetcher 'Odd': seen b"])
    }

    // MARK: - Errors and limits

    @Test(arguments: [
        (
            "''",
            "error: [fetcher-configuration] stream 'things': the fetcher 'Odd': 'swift.options' has no 'what'\n  help: write it"
        ),
        ("later", "error: [fetcher-later] stream 'things': the fetcher 'Odd': the export is not ready"),
        ("authorisation", "error: [fetcher-authorisation] stream 'things': the fetcher 'Odd': the token reads nothing"),
        ("data", "error: [fetcher-data] stream 'things': the fetcher 'Odd': a line has no id"),
        (
            "other",
            """
            error: [fetcher-failed] stream 'things': the fetcher 'Odd' ended with Wrong: Wrong(text: "about <redacted>")
              help: correct the fetcher: it must report mistakes of a source as a FetchError
            """
        ),
        (
            "broken",
            """
            error: [fetcher-data] stream 'things': the fetcher 'Odd' gave a page that is not JSON, at byte 10: the document ends inside an \
            array or object
              help: correct the fetcher
            """
        ),
        (
            "object",
            """
            error: [fetcher-data] stream 'things': the fetcher 'Odd' gave a page that is not an array of records
              help: correct the fetcher
            """
        ),
        (
            "no cursor",
            """
            error: [fetcher-cursor] stream 'things': the fetcher 'Odd' gave a page that is not the last one, and no cursor that leads to \
            the next one
              help: give each page but the last one a cursor
            """
        ),
        (
            "same cursor",
            """
            error: [fetcher-cursor] stream 'things': the fetcher 'Odd' gave the same cursor that it was asked with: the pass would never end
              help: give a cursor that leads past the page, or say that the page is the last one
            """
        ),
        (
            "empty",
            """
            error: [fetcher-limit] stream 'things': the fetcher 'Odd' gave 1000 pages without records in a row, the limit
              help: let it say when the pass is complete
            """
        ),
        (
            "large cursor",
            """
            error: [fetcher-limit] stream 'things': the fetcher 'Odd' gave a cursor of 68.3 KiB; the limit is 64 KiB
              help: keep in it only what leads to the next page
            """
        ),
        (
            "large page",
            """
            error: [fetcher-limit] stream 'things': the fetcher 'Odd' gave a page of 68.3 KiB, more than 'http.max_body' (64 KiB) allows
              help: let it give smaller pages, or raise 'http.max_body' in the manifest
            """
        ),
        (
            "many requests",
            """
            error: [fetcher-limit] stream 'things': the fetcher 'Odd' has sent 1000 requests for one page, the limit
              help: let it give a page in between
            """
        ),
        (
            "long wait",
            """
            error: [fetcher-later] stream 'things': the fetcher 'Odd' would wait longer than 1h, the limit for one page
              help: run it again later: it continues where it stopped
            """
        ),
        (
            "outside",
            """
            error: [pagination-escape] stream 'things': the fetcher 'Odd' leads to https://evil.test/things, which is not one of the \
            plug's hosts (api.test)
            """
        ),
        (
            "header",
            """
            error: [header-control] stream 'things': the fetcher 'Odd' sets the header X to a text with a line break or another control \
            character
              help: correct the fetcher
            """
        ),
    ])
    func whatItDoesWrongIsAnErrorWithACode(_ what: String, _ expected: String) async throws {
        var bench = try bench(
            "{fetcher: Odd, options: {what: \(what), secret: \"{{ config.token }}\"}}",
            http: "base: https://api.test, max_body: 64KiB"
        )
        bench.config["token"] = .text("s3cret-s3cret")
        let reading = try await bench.read(from: Script(.json("[]")))
        let error = try #require(reading.error)
        #expect(String("\(error)".prefix(expected.count)) == expected)
    }

    @Test func itMayNotLeaveAnEncryptedConnection() async throws {
        let reading = try await bench("{fetcher: Odd, options: {what: unencrypted}}").read(from: Script(.json("[]")))
        #expect(reading.error?.code.text == "pagination-escape")
    }

    @Test func itsCancellationIsOne() async throws {
        let bench = try bench("{fetcher: Odd, options: {what: cancelled}}")
        await #expect(throws: CancellationError.self) { try await bench.read(from: Script(.json("[]"))) }
    }
}

extension String {
    fileprivate var json: JSONValue { .text(self) }
}
