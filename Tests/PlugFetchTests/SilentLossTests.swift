import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Mistakes in a manifest that would leave records behind without a word.
struct SilentLossTests {
    private static func bench(_ lines: String, _ request: String = "{path: /t}") throws -> Bench {
        try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: \(request), records: .items, \(lines)}}\n"
        )
    }

    @Test(
        "an answer without the records is described by its members",
        arguments: [
            (#"{"entries":[],"total_count":0,"a b":1}"#, "; the answer has 'entries', 'total_count'"),
            (#"{"Ada Lovelace":[]}"#, ""),
        ]
    )
    func answersWithoutRecords(body: String, shape: String) async throws {
        let reading = try await Self.bench("every: 1h").read(from: Script(.json(body)))
        #expect(
            reading.error?.message
                == "plug.yaml:6:79: the answer to GET https://api.test/t has no records: 'records' (.items) gives null or "
                + "nothing\(shape) (the answer ends at byte offset \(body.utf8.count))"
        )
    }

    @Test(
        "a 'more' that is no boolean is an error",
        arguments: [
            (".hasmore", "null"), (".items", "an array"), (".n", "a number"), ("empty", "nothing"),
        ]
    )
    func moreThatIsNoBoolean(program: String, gives: String) async throws {
        let source = Script(.json(#"{"items":[{"id":1}],"has_more":true,"n":1}"#))
        let reading = try await Self.bench("page: {number: {param: p}, more: \(program)}").read(from: source)
        #expect(reading.error?.code == "page-more")
        #expect(
            reading.error?.message
                == "plug.yaml:6:123: 'page.more' (\(program)) gives \(gives) in the answer to GET "
                + "https://api.test/t, not true or false"
        )
        #expect(!reading.isComplete)
    }

    @Test(
        "a 'more' that says true where no token or address follows is an error",
        arguments: [
            "{next: .next, more: .more}", "{cursor: {from: .next, param: c}, more: .more}", "{link: next, more: .more}",
        ]
    )
    func moreWithoutPage(page: String) async throws {
        let source = Script(.json(#"{"items":[{"id":1}],"more":true,"next":null}"#))
        let reading = try await Self.bench("page: \(page)").read(from: source)
        #expect(reading.ids == [1])
        #expect(reading.error?.code == "more-without-page" && reading.error?.exit == .data)
        #expect(!reading.isComplete)
    }

    @Test("where pages are counted, empty ones are followed while 'more' says so, twenty of them; then it is a warning")
    func moreOnTheLastCountedPage() async throws {
        let source = Script { _, at in .json(#"{"items":[\#(at == 0 ? #"{"id":1}"# : "")],"at":\#(at),"more":true}"#) }
        let bench = try Self.bench("page: {number: {param: p}, more: .more}")
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1])
        #expect(source.sent.count == 22)
        #expect(reading.error == nil && reading.isComplete)
        #expect(bench.events.warnings == ["more-without-page"])
    }

    @Test("a limit on pages does not make a pass of empty ones go on in the next run")
    func emptyPagesBeyondTheLimit() async throws {
        let source = Script { _, at in .json(#"{"items":[\#(at == 0 ? #"{"id":1}"# : "")],"at":\#(at),"more":true}"#) }
        let bench = try Self.bench("page: {number: {param: p}, more: .more, max: 5}")
        let reading = try await bench.read(from: source)
        #expect(reading.error == nil && reading.isComplete)
        #expect(source.sent.count == 22)
    }

    @Test("a service that filters its pages has empty ones before others")
    func emptyPagesBeforeOthers() async throws {
        let pages = [
            #"{"items":[{"id":1},{"id":2}],"more":true}"#, #"{"items":[],"more":true}"#, #"{"items":[],"more":true}"#,
            #"{"items":[{"id":3},{"id":4}],"more":true}"#, #"{"items":[{"id":5}],"more":false}"#,
        ]
        let source = Script { _, at in .json(pages[at]) }
        let bench = try Self.bench("page: {number: {param: p}, more: .more}")
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1, 2, 3, 4, 5])
        #expect(reading.error == nil && reading.isComplete)
        #expect(bench.events.warnings == [])
    }

    @Test(
        "a full first page without a member for the token is an error, and its records are given",
        arguments: [
            "{cursor: {from: .nxt, param: c}}", "{next: .nxt}",
        ]
    )
    func tokenThatIsMissing(page: String) async throws {
        let states = MemoryStates()
        let source = Script(.json(#"{"items":[{"id":1},{"id":2}],"next":"b"}"#))
        let bench = try Self.bench("page: \(page)", "{path: /t, query: {limit: 2}}")
        let reading = try await bench.read(from: source, states)
        #expect(reading.ids == [1, 2])
        #expect(reading.error?.code == "page-token-missing" && reading.error?.exit == .data)
        #expect(states.text() == #"{"v":1}"#)
    }

    @Test(
        "a token that says that there is none ends the pages",
        arguments: [
            #"{"items":[{"id":1},{"id":2}],"next":null}"#, #"{"items":[{"id":1},{"id":2}],"next":""}"#,
            #"{"items":[{"id":1}]}"#,
        ]
    )
    func tokenThatSaysNone(body: String) async throws {
        let bench = try Self.bench("page: {cursor: {from: .next, param: c}}", "{path: /t, query: {limit: 2}}")
        let reading = try await bench.read(from: Script(.json(body)))
        #expect(reading.error == nil && reading.isComplete)
    }

    @Test("a 'since.field' that no record has is an error once all were read")
    func sinceFieldThatNoRecordHas() async throws {
        let since = "since: {field: .update_at, type: time, send: {query: {from: time}}}"
        let reading = try await Self.bench(since).read(
            from: Script(.json(#"{"items":[{"id":1,"updated_at":"2026-01-01T00:00:00Z"}]}"#))
        )
        #expect(reading.ids == [1])
        #expect(reading.error?.code == "since-field-missing" && reading.error?.exit == .data)
    }

    @Test("deletions need not have the field")
    func deletionsWithoutTheField() async throws {
        let keys = "since: {field: .at, type: time, send: {query: {from: time}}}, deletes: {field: .gone}"
        let reading = try await Self.bench(keys).read(from: Script(.json(#"{"items":[{"id":1,"gone":true}]}"#)))
        #expect(reading.ids == [1] && reading.error == nil && reading.isComplete)
    }

    @Test("--since behind the watermark leaves the watermark where it is")
    func sinceBehindTheWatermark() async throws {
        var bench = try Self.bench("since: {field: .at, type: time, send: {query: {from: date}}}")
        let states = MemoryStates()
        let all = [(1, "2026-01-10"), (2, "2026-04-10"), (3, "2026-10-10")]
        func source(until: Int) -> Script {
            Script { request, _ in
                let from = request.parameter("from") ?? ""
                let items = all.filter { $0.0 <= until && $0.1 >= from }
                return .json(
                    "{\"items\":[\(items.map { "{\"id\":\($0.0),\"at\":\"\($0.1)\"}" }.joined(separator: ","))]}"
                )
            }
        }
        _ = try await bench.read(from: source(until: 1), states)
        bench.options.since = "2026-10-01"
        let late = try await bench.read(from: source(until: 3), states)
        #expect(late.ids == [3] && late.isComplete)
        #expect(states.text() == #"{"v":1,"watermark":"2026-01-10T00:00:00Z"}"#)
        bench.options.since = nil
        let rest = try await bench.read(from: source(until: 3), states)
        #expect(Set(rest.ids).isSuperset(of: [2, 3]))
        #expect(states.text() == #"{"v":1,"watermark":"2026-10-10T00:00:00Z"}"#)
    }

    @Test("programs of 'page' see the answer's headers, and 'pages' says where the end is")
    func headersAndPages() async throws {
        let source = Script { request, _ in
            .json("{\"items\":[{\"id\":\(request.parameter("page") ?? "")}]}", HTTPHeader("X-Page-Count", "3"))
        }
        let page =
            "page: {number: {param: page, size: 5, size_param: per}, pages: 'headers[\"x-page-count\"] | tonumber'}"
        let reading = try await Self.bench(page).read(from: source)
        #expect(reading.ids == [1, 2, 3] && reading.isComplete)
        #expect(
            source.urls.map { $0.split(separator: "?").last ?? "" } == ["page=1&per=5", "page=2&per=5", "page=3&per=5"]
        )
    }

    @Test("conditions of 'http.on' see the answer's headers")
    func headersInConditions() async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\", on: [{status: 400, if: 'headers[\"x-end\"] == \"yes\"', do: skip}]}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items}}\n"
        )
        let reading = try await bench.read(from: Script(.status(400, HTTPHeader("X-End", "yes"))))
        #expect(reading.error == nil && reading.isComplete && reading.ids.isEmpty)
    }

    @Test("{{ pass.now }} is the same for all pages of a pass, over interruptions too")
    func passNow() async throws {
        let bench = try Self.bench(
            "page: {cursor: {from: .next, param: c}}",
            "{path: /t, query: {at: \"{{ pass.now }}\"}}"
        )
        let states = MemoryStates()
        let source = Script { request, _ in
            .json("{\"items\":[{\"id\":1}],\"next\":\(request.parameter("c") == nil ? "\"a\"" : "null")}")
        }
        _ = try await bench.read(from: source, states, pages: 1)
        bench.clock.advance(.seconds(7200))
        _ = try await bench.read(from: source, states)
        _ = try await bench.read(from: source, states)
        let (first, later) = ("2026-11-21T12%3A00%3A00Z", "2026-11-21T14%3A00%3A00Z")
        #expect(source.sent.map { $0.parameter("at") } == [first, first, later, later])
    }

    @Test("a circle of tokens that is longer than any run is found", arguments: [1, 2, 3, 5, 8])
    func circleOverInterruptions(pages: Int) async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\", retry: {tries: 1}}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, "
                + "page: {cursor: {from: .next, param: c}}}}\n"
        )
        let states = MemoryStates()
        // Each run is cut off after a few pages.
        let source = Script { request, at in
            if at % (pages + 1) == pages { return .status(500) }
            let page = Int(request.parameter("c") ?? "0") ?? 0
            return .json("{\"items\":[{\"id\":\(at)}],\"next\":\"\(page == 39 ? 4 : page + 1)\"}")
        }
        var error: PlugError?
        for _ in 0..<400 where error?.code != "pagination-loop" {
            error = try await bench.read(from: source, states).error
        }
        #expect(error?.code == "pagination-loop")
    }

    @Test("a source that makes smaller pages than were asked for is read to its end, and named")
    func pagesThatTheSourceCuts() async throws {
        let pages = [0..<20, 20..<40, 40..<43].map { page in
            Script.Reply.json("{\"items\":[\(page.map { "{\"id\":\($0)}" }.joined(separator: ","))]}")
        }
        let bench = try Self.bench("page: {number: {param: p}, stop: short}", "{path: /t, query: {limit: 100}}")
        let reading = try await bench.read(from: Script(pages[0], pages[1], pages[2]))
        #expect(reading.ids == Array(0..<43))
        #expect(reading.isComplete)
        #expect(bench.events.warnings == ["page-cut"])

        // A last page that happens to be round costs one more request.
        let source = Script(pages[0], .json(#"{"items":[]}"#))
        let whole = try Self.bench("page: {number: {param: p}, stop: short}", "{path: /t, query: {limit: 100}}")
        #expect(try await whole.read(from: source).ids == Array(0..<20))
        #expect(source.sent.count == 2)
        #expect(whole.events.warnings == [])
    }

    @Test(
        "a first page that may be cut, without a member for the token, is told",
        arguments: [
            // So many records, what else the answer says, and whether it is told.
            (20, "", true), (25, "", true), (37, "", false), (9, "", false), (20, #","next":null"#, false),
            (20, #","more":false"#, false), (20, #","total":20"#, false),
        ]
    )
    func tokenThatMayBeMissing(count: Int, rest: String, isTold: Bool) async throws {
        let items = (0..<count).map { "{\"id\":\($0)}" }.joined(separator: ",")
        let rule = ["more", "total"].filter(rest.contains).map { ", \($0): .\($0)" }.joined()
        let bench = try Self.bench(
            "page: {cursor: {from: .next, param: c}\(rule)}",
            "{path: /t, query: {limit: 100}}"
        )
        let reading = try await bench.read(from: Script(.json("{\"items\":[\(items)]\(rest)}")))
        #expect(reading.error == nil && reading.isComplete && reading.ids.count == count)
        #expect(bench.events.warnings == (isTold ? ["page-token-doubtful"] : []))
        let messages = bench.events.all.compactMap { if case .warning(_, let text) = $0.kind { text } else { nil } }
        let told =
            "plug.yaml:6:133: GET https://api.test/t gives \(count) of the 100 records requested, and its answer has "
            + "no member for 'page.cursor.from' (.next): if \(count) is the service's page size, there are more pages; "
            + "if the last page leaves the member out, write '.next // null'"
        #expect(messages == (isTold ? [told] : []))
    }

    @Test(
        "a page without a member for the token that looks full is told, whatever size was requested",
        arguments: [
            // Pages of so many records; what else the last one says; what is told of it.
            (
                [20], "",
                "20 records, and its answer has no member for 'page.cursor.from' (.next): if 20 is the service's page size"
            ),
            ([19], "", nil), ([20], #","next":null"#, nil), ([20], #","total":20"#, nil),
            ([3, 3], "", "3 records, as many as the pages before, and its answer has no member"),
            ([3, 2], "", nil), ([3, 4], "", nil), ([1, 1], "", nil), ([3, 3], #","next":false"#, nil),
            ([3, 3], #","total":6"#, nil), ([3, 2, 3], "", "3 records, as many as the pages before, and its answer"),
        ] as [([Int], String, String?)]
    )
    func fullLastPageWithoutToken(counts: [Int], rest: String, told: String?) async throws {
        var first = 0
        let pages = counts.enumerated().map { at, count in
            let items = (first..<(first + count)).map { "{\"id\":\($0)}" }.joined(separator: ",")
            first += count
            return Script.Reply.json("{\"items\":[\(items)]\(at + 1 < counts.count ? ",\"next\":\"p\(at)\"" : rest)}")
        }
        let total = rest.contains("total") ? ", total: .total" : ""
        let bench = try Self.bench("page: {cursor: {from: .next, param: c}\(total)}")
        let reading = try await bench.read(from: Script { _, at in pages[at] })
        #expect(reading.error == nil && reading.isComplete && reading.ids == Array(0..<first))
        #expect(bench.events.warnings == (told == nil ? [] : ["page-token-doubtful"]))
        let messages = bench.events.all.compactMap { if case .warning(_, let text) = $0.kind { text } else { nil } }
        #expect(messages.allSatisfy { $0.hasPrefix("plug.yaml:6:112: GET https://api.test/t gives \(told ?? "")") })
    }

    @Test("a run that continues at a full last page goes by the size requested")
    func fullLastPageOfAContinuedPass() async throws {
        let bench = try Self.bench("page: {cursor: {from: .next, param: c}}", "{path: /t, query: {limit: 2}}")
        let states = MemoryStates()
        let source = Script { request, _ in
            .json(
                request.parameter("c") == nil
                    ? #"{"items":[{"id":1},{"id":2}],"next":"b"}"# : #"{"items":[{"id":3},{"id":4}]}"#
            )
        }
        _ = try await bench.read(from: source, states, pages: 1)
        let reading = try await bench.read(from: source, states)
        #expect(reading.error == nil && reading.isComplete && reading.ids == [3, 4])
        #expect(bench.events.warnings == ["page-token-doubtful"])
    }

    @Test("a hostile Link header costs time in proportion to its length")
    func hostileLinkHeaders() {
        for part in ["<,", "/,", "/a;", "?, ", "'http,", "<>", ";rel='"] {
            let field = String(repeating: part, count: 500_000)
            #expect(LinkHeader.target(in: [field], relation: "next") == .none, "\(part)")
        }
        #expect(LinkHeader.target(in: ["<a, <b>; rel=next"], relation: "next") == .link("a, <b"))
    }
}

struct PageLimitTests {
    private static func read(_ body: String, limit: String = "64KiB") async throws -> Reading {
        try await Bench(
            "http: {base: \"https://api.test\", max_body: \(limit)}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items}}\n"
        ).read(from: Script(.json(body)))
    }

    @Test("a page of too many records is refused before they are collected")
    func records() async throws {
        let items = Array(repeating: "{}", count: 1025).joined(separator: ",")
        let reading = try await Self.read("{\"items\":[\(items)]}")
        #expect(reading.error?.code == "page-too-large")
        #expect(
            reading.error?.message == "GET https://api.test/t was answered with more than 1024 records, the limit that "
                + "'http.max_body' (64 KiB) sets"
        )
        #expect(try await Self.read("{\"items\":[\(items)]}", limit: "128KiB").records.count == 1025)
    }

    @Test("a page of too many values is refused before it is read")
    func values() async throws {
        let items = Array(repeating: "1", count: 16_000).joined(separator: ",")
        let reading = try await Self.read("{\"items\":[],\"other\":[\(items)]}")
        #expect(reading.error?.code == "page-too-large")
        #expect(reading.error?.message.contains("more than 16384 JSON values and punctuation marks") == true)
    }

    @Test("the transport is told how large an answer may be")
    func bytes() async throws {
        let source = Script(.json(#"{"items":[]}"#))
        let bench = try Bench(
            "http: {base: \"https://api.test\", max_body: 1MiB}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items}}\n"
        )
        _ = try await bench.read(from: source)
        #expect(source.sent.map(\.bodyLimit) == [1 << 20])
    }
}

struct CredentialHostTests {
    private static func yaml(_ base: String) -> String {
        "auth: {bearer: {token: \"{{ config.key }}\"}}\nconfig: {key: {type: string, secret: true}}\n\(base)"
            + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: {next: .next}}}\n"
    }

    @Test("a link to another host of 'hosts' is followed without the credential")
    func linkToAnotherHost() async throws {
        var bench = try Bench(Self.yaml("http: {base: \"https://api.test\"}\n"), hosts: "[api.test, files.test]")
        bench.config = ["key": .text("s3cret")]
        let source = Script(
            .json(#"{"items":[{"id":1}],"next":"https://files.test/t?page=2"}"#),
            .json(#"{"items":[{"id":2}],"next":"https://api.test/t?page=3"}"#),
            .json(#"{"items":[{"id":3}],"next":null}"#)
        )
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1, 2, 3] && reading.error == nil)
        #expect(source.sent.map { $0.header("Authorization") } == ["Bearer s3cret", nil, "Bearer s3cret"])
    }

    @Test("a redirect to another host of 'hosts' is followed without the credential")
    func redirectToAnotherHost() async throws {
        var bench = try Bench(Self.yaml("http: {base: \"https://api.test\"}\n"), hosts: "[api.test, files.test]")
        bench.config = ["key": .text("s3cret")]
        let source = Script(
            .status(302, HTTPHeader("Location", "https://files.test/t")),
            .json(#"{"items":[{"id":1}],"next":null}"#)
        )
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1])
        #expect(source.sent.map { $0.header("Authorization") } == ["Bearer s3cret", nil])
    }
}

struct FutureCursorTests {
    @Test("a place in the future, left by a clock that was ahead, is not gone on from")
    func cursorInTheFuture() async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, "
                + "since: {field: .at, type: time, send: {query: {from: time}}}}}\n"
        )
        let states = MemoryStates()
        states.commit(["": StreamState(Array(#"{"v":1,"watermark":"2027-11-21T12:00:00Z"}"#.utf8))])
        let source = Script(.json(#"{"items":[{"id":1,"at":"2026-11-20T00:00:00Z"}]}"#))
        _ = try await bench.read(from: source, states)
        #expect(bench.events.warnings == ["cursor-in-future"])
        _ = try await bench.read(from: source, states)
        #expect(source.sent.map { $0.parameter("from") } == [nil, "2026-11-20T00%3A00%3A00Z"])
    }

    @Test("seconds and milliseconds since 1970 are times like any other", arguments: ["epoch", "epoch_ms"])
    func numbersThatAreTimes(type: String) async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, "
                + "since: {field: .at, type: \(type), send: {query: {from: time}}}}}\n"
        )
        let zeros = type == "epoch" ? "" : "000"
        let states = MemoryStates()
        // A record of the year 2100, and then a run whose clock was a year ahead.
        let source = Script(.json("{\"items\":[{\"id\":1,\"at\":4102444800\(zeros)}]}"))
        _ = try await bench.read(from: source, states)
        #expect(states.value()?["watermark"]?.stringText == "2026-11-21T12:00:00Z")
        states.commit(["": StreamState(Array(#"{"v":1,"watermark":"2027-11-21T12:00:00Z"}"#.utf8))])
        _ = try await bench.read(from: source, states)
        #expect(bench.events.warnings == ["cursor-in-future"])
        #expect(source.sent.map { $0.parameter("from") } == [nil, nil])
    }

    @Test("of a number that only counts nothing is known: it stays, until the place is forgotten")
    func numbersThatCount() async throws {
        let bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, "
                + "since: {field: .seq, type: integer, send: {query: {after: value}}}}}\n"
        )
        let states = MemoryStates()
        let source = Script { request, _ in
            let after = request.parameter("after").flatMap { Int($0) } ?? 0
            return .json(after == 0 ? #"{"items":[{"id":1,"seq":4102444800000}]}"# : #"{"items":[]}"#)
        }
        _ = try await bench.read(from: source, states)
        _ = try await bench.read(from: source, states)
        #expect(bench.events.warnings == [])
        #expect(source.sent.map { $0.parameter("after") } == [nil, "4102444800000"])
        #expect(states.text() == #"{"v":1,"watermark":4102444800000}"#)
        _ = try await bench.read(from: source, MemoryStates())
        #expect(source.sent.last?.parameter("after") == nil)
    }
}
