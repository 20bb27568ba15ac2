import CurlTransport
import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugFetch
@testable import PlugManifest

/// `on`: what the manifest says of answers.
struct RuleTests {
    private static func yaml(_ http: String = "", stream: String = "") -> String {
        "http: {base: \"https://api.test/v1\"\(http)}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /things}, records: .items\(stream)}}\n"
    }
    private static let page = Script.Reply.json(#"{"items":[{"id":1}]}"#)

    @Test func rulesOfTheStreamGoBeforeThoseOfHTTP() async throws {
        let bench = try Bench(
            Self.yaml(", on: [{status: 404, do: fail}]", stream: ", on: [{status: 404, do: skip}]")
        )
        let reading = try await bench.read(from: Script(.status(404)))
        #expect(reading.error == nil && reading.isComplete && reading.records == [])
    }

    @Test(
        arguments: [
            ("wait: 7s", [Duration.seconds(7)]), ("wait: .retry_in", [.seconds(90)]),
            ("wait: 'headers[\"x-reset\"]'", [.seconds(60)]), ("wait: .until", [.seconds(30)]),
            ("wait: '.text | capture(\"in (?<s>[0-9]+) s\").s'", [.seconds(12)]), ("wait: .fraction", [.seconds(1.5)]),
            ("wait: .absent", [.milliseconds(500)]), ("wait: .epoch", [.seconds(60.5)]),
            ("wait: .zero", [.milliseconds(500)]),
        ]
    )
    func aRuleSaysHowLongToWait(wait: String, waits: [Duration]) async throws {
        let body =
            #"{"retry_in": 90, "text": "try again in 12 s", "until": "2026-11-21T12:00:30Z", "fraction": 1.5, "epoch": 1795262460.5, "zero": 0}"#
        let bench = try Bench(Self.yaml(", on: [{status: 400, do: limit, \(wait)}]"))
        // The clock stands at 2026-11-21T12:00:00Z.
        let reset = HTTPHeader("X-Reset", "1795262460")
        let reading = try await bench.read(from: Script(.status(400, reset, body: body), Self.page))
        #expect(reading.ids == [1] && reading.error == nil)
        #expect(bench.clock.waits == waits)
        #expect(bench.events.warnings == [])
    }

    @Test("a condition that fails on an answer passes the rule over, and the status means what it means")
    func conditionsThatFail() async throws {
        let rule = ", on: [{status: 5xx, if: '.message | test(\"too large\")', do: fail}]"
        let bench = try Bench(Self.yaml(rule))
        let reading = try await bench.read(from: Script(.status(500, body: #"{"error":"x"}"#), Self.page))
        #expect(reading.ids == [1] && reading.error == nil)
        #expect(bench.events.warnings == ["condition-failed"])
        // A proxy's page says nothing of the rule.
        let other = try Bench(Self.yaml(rule.replacing(".message", with: ".message.text")))
        let page = try await other.read(from: Script(.status(502, body: "<html>"), Self.page))
        #expect(page.ids == [1] && page.error == nil && other.events.warnings == [])
    }

    @Test("rules see the text of a body that is not JSON")
    func textBodies() async throws {
        let bench = try Bench(
            Self.yaml(
                ", on: [{status: 400, if: 'test(\"in [0-9]+ s\")', do: limit, wait: 'capture(\"in (?<n>[0-9]+) s\").n'}]"
            )
        )
        let reading = try await bench.read(from: Script(.status(400, body: "Slow down: try again in 12 s."), Self.page))
        #expect(reading.ids == [1] && reading.error == nil)
        #expect(bench.clock.waits == [.seconds(12)])
        let xml = try Bench(
            Self.yaml(", on: [{status: 200, if: 'type == \"string\" and test(\"<Code>SlowDown\")', do: retry}]")
        )
        let slow = try await xml.read(from: Script(.json("<Error><Code>SlowDown</Code></Error>"), Self.page))
        #expect(slow.ids == [1] && slow.error == nil)
    }

    /// The retry budget of a host is some tens of requests: waiting for jobs must not use it up.
    @Test("a job that is not done yet is asked for again, however many there are", arguments: ["retry", "limit"])
    func manyJobs(action: String) async throws {
        let bench = try Bench(
            """
            http: {base: "https://api.test"}
            streams:
              jobs: {request: {path: /jobs}, records: ., key: .id}
              things:
                {endpoint: t, key: .id, version: none, request: {path: "/jobs/{{ job.id }}"}, records: '[.]',
                 for_each: {in: jobs, as: job}, on: [{status: 200, if: .state == "running", do: \(action), wait: 1s}]}

            """
        )
        let asked = Mutex<[String: Int]>([:])
        let source = Script { request, _ in
            if request.path == "/jobs" { return .json("[\((1...60).map { "{\"id\":\($0)}" }.joined(separator: ","))]") }
            let count = asked.withLock { asked in
                asked[request.path, default: 0] += 1
                return asked[request.path] ?? 0
            }
            let id = request.path.split(separator: "/").last ?? ""
            return .json("{\"id\":\(id),\"state\":\"\(count < 3 ? "running" : "done")\"}")
        }
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete && Set(reading.ids) == Set(1...60))
        #expect(source.sent.allSatisfy { !$0.isRetry } && source.sent.count == 1 + 60 * 3)
    }

    /// A sync token that the source has forgotten.
    @Test func aCursorThatIsNotKnownAnyMoreIsForgotten() async throws {
        let bench = try Bench(
            Self.yaml(
                stream:
                    ", since: {field: .at, type: integer, order: asc, send: {query: {after: integer}}}, on: [{status: 410, do: reread}]"
            )
        )
        let states = MemoryStates()
        let page = Script.Reply.json(#"{"items":[{"id":1,"at":5}]}"#)
        _ = try await bench.read(from: Script(page), states)
        let source = Script { request, _ in request.parameter("after") == "5" ? .status(410) : page }
        for _ in 0..<2 {
            let reading = try await bench.read(from: source, states)
            #expect(reading.ids == [1] && reading.error == nil && reading.isComplete)
        }
        #expect(source.sent.map { $0.parameter("after") } == ["5", nil, "5", nil])
        #expect(bench.events.warnings == ["cursor-refused", "cursor-refused"])
        // Without a cursor, or where the source refuses everything, it is an error.
        let refused = try await bench.read(from: Script(.status(410)), states)
        #expect(refused.error?.code == "source-refused")
        #expect(try await bench.read(from: Script(.status(410))).error?.code == "source-refused")
    }

    /// As the manual shows: the answer is the parent's one record, its token the cursor, and the changes stand inside.
    @Test("a sync token leads from pass to pass, also where an answer has no changes, and may be forgotten")
    func syncTokens() async throws {
        let bench = try Bench(
            """
            http: {base: "https://api.test"}
            streams:
              changes:
                request: {path: /events, query: {syncToken: "{{ since // null }}"}}
                records: '[.]'
                since: {field: .nextSyncToken, type: opaque}
                page: {cursor: {from: .nextPageToken, param: pageToken}}
                on: [{status: 410, do: reread}]
              events:
                endpoint: e
                for_each: {in: changes, inside: .items, only: changed}
                key: .id
                version: .at

            """
        )
        let states = MemoryStates()
        let forgotten = Latch()
        let source = Script { request, _ in
            switch (request.parameter("syncToken"), request.parameter("pageToken")) {
            case (nil, nil): .json(#"{"items":[{"id":1,"at":1}],"nextPageToken":"p2"}"#)
            case (_, "p2"?): .json(#"{"items":[{"id":2,"at":1}],"nextSyncToken":"s1"}"#)
            case ("s1"?, _): .json(#"{"items":[],"nextSyncToken":"s2"}"#)
            case ("s2"?, _) where !forgotten.isSet:
                .json(#"{"items":[{"id":3,"at":1}],"nextSyncToken":"s3"}"#)
            default: .status(410)
            }
        }
        var ids: [[Int]] = []
        for run in 0..<4 {
            if run == 3 { forgotten.set() }
            let reading = try await bench.read("events", from: source, states)
            #expect(reading.error == nil && reading.isComplete)
            ids.append(reading.ids)
        }
        #expect(ids == [[1, 2], [], [3], [1, 2]])
        #expect(source.sent.map { $0.parameter("syncToken") } == [nil, nil, "s1", "s2", "s3", nil, nil])
        #expect(bench.events.warnings == ["cursor-refused"])
    }

    @Test func aLongerRetryAfterWins() async throws {
        let bench = try Bench(Self.yaml(", on: [{status: 503, do: retry, wait: 2s}]"))
        let reading = try await bench.read(from: Script(.status(503, HTTPHeader("Retry-After", "40")), Self.page))
        #expect(reading.ids == [1] && bench.clock.waits == [.seconds(40)])
    }

    @Test(arguments: [("wait: .message", "gave neither"), ("wait: '.message | tonumber'", "failed")])
    func aWaitThatCannotBeReadIsSaid(wait: String, reason: String) async throws {
        let bench = try Bench(Self.yaml(", on: [{status: 429, do: limit, \(wait)}]"))
        let source = Script(.status(429, body: #"{"message": "soon"}"#), Self.page)
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1] && bench.clock.waits == [.milliseconds(500)])
        #expect(bench.events.warnings == ["wait-unreadable"])
        #expect(bench.events.messages.first?.hasPrefix("plug.yaml:5:") == true)
        #expect(bench.events.messages.first?.contains(reason) == true)
    }

    @Test(
        arguments: [
            ("refused", "source-refused", PlugCore.ExitStatus.failed),
            ("authorisation", "source-unauthorised", .authorisation),
            ("configuration", "configuration-refused", .configuration), ("later", "source-unavailable", .tryLater),
        ]
    )
    func aFailureIsWhatTheRuleSays(failure: String, code: String, exit: PlugCore.ExitStatus) async throws {
        let rule = "{status: 402, do: fail, as: \(failure), message: Your plan does not include this.}"
        let source = Script(.status(402, body: #"{"error": "upgrade"}"#))
        let reading = try await Bench(Self.yaml(", on: [\(rule)]")).read(from: source)
        #expect(reading.error?.code.text == code && reading.error?.exit == exit && source.sent.count == 1)
        #expect(
            reading.error?.message
                == "GET https://api.test/v1/things was answered with 402: Your plan does not include this; it says: upgrade"
        )
        #expect(reading.error?.advice?.hasPrefix("the rule at plug.yaml:5:") == true)
    }

    @Test func theWaitOfARuleIsARetryThatNobodyAskedFor() async throws {
        let bench = try Bench(Self.yaml(", on: [{status: 500, do: retry, wait: 2s}]"))
        let source = Script(.status(500), .status(500), Self.page)
        #expect(try await bench.read(from: source).ids == [1])
        #expect(source.sent.map(\.isRetry) == [false, true, true])
        #expect(bench.clock.waits == [.seconds(2), .seconds(2)] && bench.events.waits == [.backoff, .backoff])
    }

    @Test func aUsedUpLimitOfSomePathsEndsItsStreamOnly() async throws {
        let bench = try Bench(
            Self.yaml(
                ", limits: [{match: /things, rate: 1/1d}], retry: {max_wait: 1m}",
                stream: ", page: {next: .next}"
            )
        )
        let source = Script(.json(#"{"items":[{"id":1}],"next":"/v1/things?p=2"}"#))
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1] && reading.error?.code == "rate-limited" && reading.error?.reach == .stream)
        #expect(source.sent.count == 1)
    }

    @Test func anExpiredTokenOfAGraphQLQueryStartsThePassOver() async throws {
        let yaml = """
            http: {base: "https://api.test"}
            streams:
              things:
                endpoint: t
                key: .id
                version: none
                records: .data.items
                request: {path: /q, graphql: {query: "query($after: ID) { a(after: $after) }"}}
                page: {cursor: {from: .data.next, param: after}, in: variables}

            """
        let states = MemoryStates()
        let first = Script(.json(#"{"data":{"items":[{"id":1}],"next":"a"}}"#))
        #expect(try await Bench(yaml).read(from: first, states, pages: 1).ids == [1])
        let second = Script(
            .json(#"{"errors":[{"message":"invalid cursor"}]}"#),
            .json(#"{"data":{"items":[{"id":1},{"id":2}],"next":null}}"#)
        )
        let reading = try await Bench(yaml).read(from: second, states)
        #expect(reading.ids == [1, 2] && reading.error == nil && second.sent.count == 2)
    }

    @Test func theServicesOwnQuotaHeadersCount() async throws {
        let headers = "quota_headers: {remaining: X-Left, reset: X-Next}"
        let paging = ", page: {next: .next}"
        let bench = try Bench(Self.yaml(", \(headers)", stream: paging))
        let source = Script(
            .json(
                #"{"items":[{"id":1}],"next":"/v1/things?p=2"}"#,
                HTTPHeader("x-left", "0"),
                HTTPHeader("x-next", "2026-11-21T12:00:20Z")
            ),
            .json(#"{"items":[{"id":2}],"next":null}"#, HTTPHeader("x-left", "5"), HTTPHeader("x-next", "60"))
        )
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1, 2] && bench.clock.waits == [.seconds(20)])
    }

    @Test(arguments: [
        ("{remaining: X-Left, wait: 5s}", [("X-Left", "0")], Duration.seconds(5)),
        ("{remaining: X-Left}", [("X-Left", "0")], .seconds(60)),
        ("{used: X-Calls, wait: 2s}", [("X-Calls", "40/40")], .seconds(2)),
        // The clock stands at noon.
        (
            "{used: X-Usage, limit: X-Most, periods: [10m, 1d]}", [("X-Usage", "100,7"), ("X-Most", "100,1000")],
            .seconds(600)
        ),
    ])
    func aQuotaWithoutAHeaderForItsEndIsWaitedFor(
        headers: String,
        fields: [(String, String)],
        wait: Duration
    ) async throws {
        let bench = try Bench(Self.yaml(", quota_headers: \(headers)", stream: ", page: {next: .next}"))
        let spent = Script.Reply(
            headers: fields.map { HTTPHeader($0.0, $0.1) },
            body: #"{"items":[{"id":1}],"next":"/v1/things?p=2"}"#
        )
        let reading = try await bench.read(from: Script(spent, .json(#"{"items":[{"id":2}],"next":null}"#)))
        #expect(reading.ids == [1, 2] && bench.clock.waits == [wait])
    }

    @Test(
        "a good answer may ask for a wait before the next request",
        arguments: [
            ("{status: 200, if: .backoff, do: ok, wait: .backoff}", #""backoff":10,"#, Duration.seconds(10)),
            ("{status: 200, do: ok, wait: 'headers[\"x-pause\"]'}", "", .seconds(3)),
            ("{status: 200, do: ok, wait: 1s}", "", .seconds(1)),
            ("{status: 200, if: .backoff, do: ok, wait: .backoff}", "", nil),
            ("{status: 200, do: ok, wait: .backoff}", "", nil),
        ]
    )
    func aGoodAnswerWaits(rule: String, member: String, wait: Duration?) async throws {
        let bench = try Bench(Self.yaml(", on: [\(rule)]", stream: ", page: {next: .next}"))
        let source = Script { request, at in
            at == 0
                ? .json("{\(member)\"items\":[{\"id\":1}],\"next\":\"/v1/things?p=2\"}", HTTPHeader("X-Pause", "3"))
                : .json(#"{"items":[{"id":2}],"next":null}"#)
        }
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1, 2] && reading.error == nil)
        #expect(bench.clock.waits == [wait].compactMap(\.self) && bench.events.warnings == [])
    }

    @Test func aWaitThatIsTooLongComesAfterTheGoodAnswer() async throws {
        let rule = "{status: 200, if: .backoff, do: ok, wait: .backoff}"
        let bench = try Bench(
            Self.yaml(", retry: {max_wait: 60s}, on: [\(rule)]", stream: ", page: {next: .next}")
        )
        let states = MemoryStates()
        let first = Script(.json(#"{"backoff":3600,"items":[{"id":1}],"next":"/v1/things?p=2"}"#))
        let reading = try await bench.read(from: first, states)
        #expect(reading.ids == [1] && reading.error?.code == "rate-limited" && reading.error?.exit == .tryLater)
        let second = Script(.json(#"{"items":[{"id":2}],"next":null}"#))
        #expect(try await bench.read(from: second, states).ids == [2])
        #expect(second.urls == ["https://api.test/v1/things?p=2"])
    }

    @Test func aWaitThatCannotBeReadIsToldOnceAndNothingIsWaitedFor() async throws {
        let rule = "{status: 200, do: ok, wait: .text}"
        let bench = try Bench(Self.yaml(", on: [\(rule)]"))
        #expect(try await bench.read(from: Script(.json(#"{"text":"soon","items":[{"id":1}]}"#))).ids == [1])
        #expect(bench.clock.waits == [] && bench.events.warnings == ["wait-unreadable"])
        #expect(
            bench.events.messages.first?.hasSuffix(
                "gave neither seconds nor a time on the answer 200 to GET https://api.test/v1/things; nothing was waited for"
            ) == true
        )
    }

    @Test func theHelpOfAForgottenCursorNamesItsRule() async throws {
        let error = try await Bench(Self.yaml()).read(from: Script(.status(410))).error
        #expect(
            error?.advice
                == "define in the manifest what this means: on: [{status: 410, do: reread}] if the service has "
                + "forgotten a cursor that 'since' sends, on: [{status: 410, do: skip}] if nothing is there any "
                + "longer"
        )
    }

    @Test func aLimitWithAMatchHoldsForItsPathsOnly() async throws {
        let limits = ", limits: [{match: /things/*/parts, rate: 1/10s}]"
        let streams =
            "streams:\n  things: {request: {path: /things}, records: .items}\n"
            + "  parts: {endpoint: p, key: .id, version: none, for_each: {in: things}, records: .items, "
            + "request: {path: \"/things/{{ parent.id }}/parts\"}}\n"
        let bench = try Bench("http: {base: \"https://api.test/v1\"\(limits)}\n" + streams)
        let source = Script { request, _ in
            request.url.hasSuffix("/parts")
                ? .json(#"{"items":[{"id":9}]}"#) : .json(#"{"items":[{"id":1},{"id":2},{"id":3}]}"#)
        }
        let reading = try await bench.read("parts", from: source)
        #expect(reading.ids == [9, 9, 9] && reading.error == nil)
        // A fortieth of each ten seconds stays unused.
        #expect(bench.clock.waits.reduce(.zero, +) == .seconds(20.5))
    }

    @Test(
        arguments: [
            ("/search", "/v1/search", true), ("/search", "/v1/search/users", true), ("/search", "/v1/searches", false),
            ("/v1/search", "/v1/search", true), ("/users/*/events", "/v1/users/7/events", true),
            ("/users/*/events", "/v1/users/7", false), ("/users/*/events", "/v1/users/events", false),
        ]
    )
    func aMatchIsTheBeginningOfAPath(pattern: String, path: String, covers: Bool) throws {
        #expect(try #require(RequestMatch(pattern)).covers(path, below: "/v1") == covers)
    }

    @Test(arguments: ["search", "", "/", "//a", "/a/", "/a?b", "/a b", "/{{ config.x }}", "/a*", "/ä", "/a/../b"])
    func whatIsNoPathMatchesNothing(pattern: String) { #expect(RequestMatch(pattern) == nil) }
}
