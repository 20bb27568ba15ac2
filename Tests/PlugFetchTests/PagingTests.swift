import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

struct PagingTests {
    private static let head = "http: {base: \"https://api.test/v1\"}\n"
    private static func stream(_ page: String, _ request: String = "{path: /things}") -> String {
        "\(head)streams: {things: {endpoint: things, key: .id, version: none, request: \(request), records: .items, "
            + "page: \(page)}}\n"
    }

    /// Pages of two records each, `id` 1 to `count`.
    private static func items(_ first: Int, _ count: Int, size: Int = 2) -> String {
        (first..<max(first, min(first + size, count + 1))).map { "{\"id\":\($0)}" }.joined(separator: ",")
    }

    @Test func readsASinglePage() async throws {
        let source = Script(.json(#"{"items":[{"id":1},{"id":2}]}"#))
        let reading = try await Bench(
            Self.head
                + "streams: {things: {endpoint: things, key: .id, version: none, request: {path: /things}, records: .items}}"
        ).read(from: source)
        #expect(reading.ids == [1, 2])
        #expect(reading.isComplete && reading.error == nil)
        #expect(source.urls == ["https://api.test/v1/things"])
        #expect(reading.pages[0].origin == "https://api.test/v1/things")
        #expect(reading.pages[0].cost == FetchedPage.Cost(requests: 1, pages: 1, bytes: 29))
    }

    @Test func followsNumbers() async throws {
        let source = Script { request, _ in
            let page = Int(request.parameter("p") ?? "") ?? 0
            return .json("{\"items\":[\(Self.items(page * 2 + 1, 5))]}")
        }
        let reading = try await Bench(Self.stream("{number: {param: p, from: 0}}")).read(from: source)
        #expect(reading.ids == [1, 2, 3, 4, 5])
        #expect(source.urls.map { $0.split(separator: "?").last ?? "" } == ["p=0", "p=1", "p=2", "p=3"])
        #expect(reading.pages.map(\.endsPass) == [false, false, false, true])
    }

    @Test(
        arguments: [
            ("{number: {param: p, omit_first: true, size: 2, size_param: n}}", [nil, "2", "3"]),
            ("{offset: {param: p, omit_first: true, size: 2, size_param: n}}", [nil, "2", "3"]),
        ]
    )
    func theFirstPageIsRequestedWithoutItsNumber(page: String, sent: [String?]) async throws {
        let isOffset = page.contains("offset")
        let source = Script { request, _ in
            let asked = Int(request.parameter("p") ?? "") ?? (isOffset ? 0 : 1)
            return .json("{\"items\":[\(Self.items(isOffset ? asked + 1 : asked * 2 - 1, 3))]}")
        }
        let reading = try await Bench(Self.stream(page)).read(from: source)
        #expect(reading.ids == [1, 2, 3])
        #expect(source.sent.map { $0.parameter("p") } == sent)
        #expect(source.sent.map { $0.parameter("n") } == ["2", "2", "2"])
    }

    @Test func templatesSendTheNumberAndLeaveOutTheFirst() async throws {
        let source = Script { request, _ in
            let page = Int(request.parameter("p") ?? "") ?? 0
            return .json("{\"items\":[\(Self.items(page * 2 + 1, 3))]}")
        }
        let request = "{path: /things, query: {p: '{{ if page.number == 0 then null else page.number end }}'}}"
        let reading = try await Bench(Self.stream("{number: {from: 0}}", request)).read(from: source)
        #expect(reading.ids == [1, 2, 3])
        #expect(source.sent.map { $0.parameter("p") } == [nil, "1", "2"])
    }

    @Test func templatesSendTheOffsetInsideAText() async throws {
        let source = Script { request, _ in
            let skip = Int(request.parameter("q")?.split(separator: "-").last ?? "") ?? 0
            return .json("{\"items\":[\(Self.items(skip + 1, 3))]}")
        }
        let request = "{path: /things, query: {q: 'from-{{ page.offset }}'}}"
        let reading = try await Bench(Self.stream("{offset: {size: 2}}", request)).read(from: source)
        #expect(reading.ids == [1, 2, 3])
        #expect(source.sent.map { $0.parameter("q") } == ["from-0", "from-2", "from-3"])
    }

    @Test func followsOffsets() async throws {
        let source = Script { request, _ in
            .json("{\"items\":[\(Self.items((Int(request.parameter("skip") ?? "") ?? 0) + 1, 5))]}")
        }
        let page = "{offset: {param: skip, size: 2, size_param: limit}, stop: short}"
        let reading = try await Bench(Self.stream(page)).read(from: source)
        #expect(reading.ids == [1, 2, 3, 4, 5])
        #expect(
            source.urls.map { $0.split(separator: "?").last ?? "" } == [
                "skip=0&limit=2", "skip=2&limit=2", "skip=4&limit=2",
            ]
        )
    }

    /// As SCIM, SRU and FDSN do: the first record is number 1.
    @Test func followsOffsetsThatBeginAtOne() async throws {
        let source = Script { request, _ in
            .json("{\"items\":[\(Self.items(Int(request.parameter("start") ?? "") ?? 0, 5))]}")
        }
        let page = "{offset: {param: start, from: 1, size: 2}, stop: short}"
        let reading = try await Bench(Self.stream(page, "{path: /s, query: {at: '{{ page.offset }}'}}")).read(
            from: source
        )
        #expect(reading.ids == [1, 2, 3, 4, 5])
        #expect(
            source.urls.map { $0.split(separator: "?").last ?? "" } == ["at=1&start=1", "at=3&start=3", "at=5&start=5"]
        )
    }

    @Test func sendsCursorsInTheBody() async throws {
        let source = Script { request, _ in
            let body = String(decoding: request.body ?? [], as: UTF8.self)
            return body == #"{"q":"x","after":12345678901234567890}"#
                ? .json(#"{"items":[{"id":2}],"next":null}"#)
                : .json(#"{"items":[{"id":1}],"next":12345678901234567890}"#)
        }
        let bench = try Bench(
            Self.stream("{cursor: {from: .next, param: after}, in: json}", "{method: POST, path: /s, json: {q: x}}")
        )
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1, 2])
        #expect(
            source.sent.map { String(decoding: $0.body ?? [], as: UTF8.self) } == [
                #"{"q":"x"}"#, #"{"q":"x","after":12345678901234567890}"#,
            ]
        )
        #expect(source.sent[0].header("Content-Type") == "application/json")
    }

    @Test func encodesCursorsInTheQuery() async throws {
        let source = Script(
            .json(#"{"items":[{"id":1}],"next":"a b/c&d=é"}"#),
            .json(#"{"items":[{"id":2}],"next":""}"#)
        )
        let reading = try await Bench(Self.stream("{cursor: {from: .next, param: after}}")).read(from: source)
        #expect(reading.ids == [1, 2])
        #expect(source.urls[1] == "https://api.test/v1/things?after=a%20b%2Fc%26d%3D%C3%A9")
    }

    @Test func sendsNextLinksAsTheyStand() async throws {
        let source = Script(
            .json(#"{"items":[{"id":1}],"next":"?page=2&x=%2f"}"#),
            .json(#"{"items":[{"id":2}],"next":"/v2/more"}"#),
            .json(#"{"items":[{"id":3}],"next":"https://api.test/end"}"#),
            .json(#"{"items":[{"id":4}]}"#)
        )
        let bench = try Bench(Self.stream("{next: .next}", "{path: /things, query: {limit: 50}}"))
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1, 2, 3, 4])
        #expect(
            source.urls == [
                "https://api.test/v1/things?limit=50", "https://api.test/v1/things?page=2&x=%2f",
                "https://api.test/v2/more", "https://api.test/end",
            ]
        )
    }

    @Test(arguments: ["", ", only_first: [since]"])
    func addsToLinksWhatTheyLackOfTheQuery(first: String) async throws {
        let source = Script(
            .json(#"{"items":[{"id":1,"at":8}],"next":"?page=2&l%69mit=5"}"#),
            .json(#"{"items":[{"id":2,"at":8}],"next":"https://api.test/end?a%5bb%5d=&from=1"}"#),
            .json(#"{"items":[{"id":3,"at":8}]}"#)
        )
        let request = "{path: '/things?in=path', query: {limit: 50, 'a[b]': x y}}"
        let since = ", since: {field: .at, type: integer, from: 7, send: {query: {from: value}}}"
        let bench = try Bench(Self.stream("{next: .next, add_query: true\(first)}\(since)", request))
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1, 2, 3])
        let from = first.isEmpty ? "&from=7" : ""
        #expect(
            source.urls == [
                "https://api.test/v1/things?in=path&limit=50&a%5Bb%5D=x%20y&from=7",
                "https://api.test/v1/things?page=2&l%69mit=5&a%5Bb%5D=x%20y\(from)",
                "https://api.test/end?a%5bb%5d=&from=1&limit=50",
            ]
        )
    }

    @Test func followsLinkHeaders() async throws {
        let source = Script(
            .json(
                #"{"items":[{"id":1}]}"#,
                HTTPHeader("link", #"</v1/things?page=2>; rel="next", </v1/things>; rel=first"#)
            ),
            .json(#"{"items":[{"id":2}]}"#, HTTPHeader("Link", #"</v1/things>; rel="first""#))
        )
        let reading = try await Bench(Self.stream("{link: next}")).read(from: source)
        #expect(reading.ids == [1, 2])
        #expect(reading.isComplete)
    }

    @Test func aLinkThatCannotBeReadIsNotTheEnd() async throws {
        let source = Script(.json(#"{"items":[{"id":1}]}"#, HTTPHeader("link", #"</v1/things?page=2; rel="next""#)))
        let reading = try await Bench(Self.stream("{link: next}")).read(from: source)
        #expect(reading.ids == [1])
        #expect(reading.error?.code.text == "page-link" && !reading.isComplete)
    }

    /// Readers of JSON differ on which of two members with one name counts.
    @Test(arguments: [
        (#"{"items":[{"id":1}],"items":[{"id":2}]}"#, "records-failed"),
        (#"{"items":[{"id":1}],"it\u0065ms":[]}"#, "records-failed"),
        (#"{"items":[{"id":1}],"next":null,"next":"b"}"#, "page-program-failed"),
        (#"{"items":[{"id":1,"a":1,"a":2}],"x":1,"x":2}"#, nil),
    ])
    func aMemberThatIsReadOccursOnce(_ page: String, _ code: String?) async throws {
        let reading = try await Bench(Self.stream("{cursor: {from: .next, param: c}}")).read(from: Script(.json(page)))
        #expect(reading.error?.code.text == code)
        #expect(reading.isComplete == (code == nil))
    }

    @Test(arguments: [
        ("{records: '.a[].items[]'}", #"{"a":[{"items":[{"id":1}],"items":[]}]}"#),
        ("{records: '.items[] | select(.id > 0)'}", #"{"items":[{"id":1}],"items":[{"id":2}]}"#),
        ("{records: '.a.items | map({id})'}", #"{"a":{"items":[{"id":1}]},"a":{"items":[{"id":2}]}}"#),
        ("{records: '.items[]', decode: jsonl}", #"{"items":[{"id":1}],"items":[{"id":2}]}"#),
    ])
    func aListThatOccursTwiceIsToldWhateverTheProgram(_ keys: String, _ page: String) async throws {
        let stream =
            "http: {base: \"https://api.test\"}\nstreams: {things: {endpoint: t, request: {path: /t}, key: [.id], version: none, page: none, "
        let reading = try await Bench(stream + keys.dropFirst() + "}").read(from: Script(.json(page)))
        #expect(reading.error?.code.text == "records-failed")
        #expect(reading.ids == [])
    }

    /// A part of an answer is not the answer, unless it was asked for, or counts something other than bytes.
    @Test(
        arguments: [
            ([], nil, "page-truncated"), ([HTTPHeader("content-range", "bytes 0-9/20")], nil, "page-truncated"),
            ([HTTPHeader("content-range", "0-9/20")], nil, nil),
            ([HTTPHeader("content-range", "items 0-9/20")], nil, nil),
            ([], "on: [{status: 206, do: ok}]", nil), ([], "headers: {Range: \"items=0-9\"}", nil),
        ] as [([HTTPHeader], String?, String?)]
    )
    func aPartOfAnAnswerIsNoPage(_ headers: [HTTPHeader], _ keys: String?, _ code: String?) async throws {
        let http = "http: {base: \"https://api.test\", \(keys ?? "headers: {}")}\n"
        let stream =
            "streams: {things: {endpoint: t, request: {path: /t}, records: .items, key: [.id], version: none, page: none}}"
        var reply = Script.Reply.status(206, body: #"{"items":[{"id":1}]}"#)
        reply.headers = headers
        let reading = try await Bench(http + stream).read(from: Script(reply))
        #expect(reading.error?.code.text == code)
        #expect(reading.ids == (code == nil ? [1] : []))
    }

    @Test func listensToMoreAndTotal() async throws {
        let more = Script(.json(#"{"items":[{"id":1}],"more":true}"#), .json(#"{"items":[{"id":2}],"more":false}"#))
        let first = try await Bench(Self.stream("{number: {param: p}, more: .more}")).read(from: more)
        #expect(first.ids == [1, 2] && first.isComplete)
        let total = Script(.json(#"{"items":[{"id":1}],"n":"2"}"#), .json(#"{"items":[{"id":2}],"n":"2"}"#))
        let second = try await Bench(Self.stream("{number: {param: p}, total: .n}")).read(from: total)
        #expect(second.ids == [1, 2] && second.isComplete)
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/admin", "https://evil.test/", "//evil.test", "https://api.test.evil.test/",
        "https://user:pa55w0rd@evil.test/", "https://api.test@evil.test/", "http://api.test/things",
        "https://api.test:8443/things", "ftp://api.test/", "javascript:alert(1)", "https://api.test\\@evil.test/",
        "https://[::1]/", "https://169.254.169.254/latest/meta-data?secret=1", "https://2130706433/",
        "//api.test.:443/",
    ])
    func refusesLinksThatLeadOutside(link: String) async throws {
        let escaped = JSONValue.text(link).compactText
        let byBody = Script(.json("{\"items\":[{\"id\":1}],\"next\":\(escaped)}"))
        let byHeader = Script(.json(#"{"items":[{"id":1}]}"#, HTTPHeader("Link", "<\(link)>; rel=next")))
        for (page, source) in [("{next: .next}", byBody), ("{link: next}", byHeader)] {
            let states = MemoryStates()
            let reading = try await Bench(Self.stream(page)).read(from: source, states)
            #expect(reading.error?.code == "pagination-escape")
            #expect(reading.error?.exit == .data)
            #expect(reading.error?.stream == "things")
            // The page itself is good; the place stays, and nothing was asked outside.
            #expect(reading.ids == [1])
            #expect(source.sent.count == 1)
            #expect(!reading.isComplete)
            let message = reading.error?.message ?? ""
            #expect(!message.contains("secret") && !message.contains("pa55w0rd"))
            let host = link.contains("evil.test") ? "evil.test" : String(link.prefix(8))
            #expect(message.contains(host))
        }
    }

    @Test func stopsAtALoop() async throws {
        // A, B, A: never the same token twice in a row.
        let source = Script { _, at in .json("{\"items\":[{\"id\":\(at)}],\"next\":\"\(at % 2 == 0 ? "b" : "a")\"}") }
        let states = MemoryStates()
        let reading = try await Bench(Self.stream("{cursor: {from: .next, param: c}}")).read(from: source, states)
        #expect(reading.error?.code == "pagination-loop")
        #expect(reading.ids == [0, 1, 2])
        #expect(states.text() == #"{"v":1}"#)
    }

    @Test func stopsWhereTheSourceIgnoresThePage() async throws {
        let source = Script(.json(#"{"items":[{"id":1},{"id":2}]}"#))
        let reading = try await Bench(Self.stream("{number: {param: page}}")).read(from: source)
        #expect(reading.error?.code == "pagination-loop")
        #expect(source.sent.count == 3)
    }

    @Test func doesNotFollowEmptyPagesForEver() async throws {
        let source = Script { _, at in .json("{\"items\":[],\"next\":\"t\(at)\"}") }
        let reading = try await Bench(Self.stream("{cursor: {from: .next, param: c}}")).read(from: source)
        #expect(reading.error?.code == "pagination-empty")
        #expect(source.sent.count == 21)
    }

    @Test func endsAtTheMaximum() async throws {
        let source = Script { _, at in .json("{\"items\":[{\"id\":\(at)}],\"next\":\"t\(at)\"}") }
        let bench = try Bench(Self.stream("{cursor: {from: .next, param: c}, max: 5}"))
        let states = MemoryStates()
        let reading = try await bench.read(from: source, states)
        #expect(reading.error?.code == "page-limit")
        #expect(reading.ids == [0, 1, 2, 3, 4])
        #expect(source.sent.count == 5)
    }

    @Test(arguments: [
        (#"{"items":[{"id":1}"#, "page-not-json", "at byte offset 18"), ("<html>", "page-not-json", "at byte offset 0"),
        ("", "page-not-json", "at byte offset 0"), (#"{"things":[]}"#, "records-missing", "gives null"),
        (#"{"items":null}"#, "records-missing", "gives null"), (#"[1]"#, "records-failed", "Cannot index array"),
        (#"{"items":[1],}"#, "page-not-json", "at byte offset 13"),
    ])
    func saysWhatIsWrongWithAPage(body: String, code: String, words: String) async throws {
        let source = Script(.json(body))
        let states = MemoryStates()
        let bench = try Bench(Self.stream("{number: {param: p}}", "{path: /things, query: {token: s3cret}}"))
        let reading = try await bench.read(from: source, states)
        #expect(reading.error?.code.text == code)
        #expect(reading.error?.exit == .data)
        #expect(reading.error?.stream == "things")
        let message = reading.error?.description ?? ""
        #expect(message.contains("https://api.test/v1/things"), "\(message)")
        #expect(message.contains(words), "\(message)")
        #expect(!message.contains("s3cret"))
        #expect(states.text() == nil)
    }

    @Test func takesAnObjectForOneRecord() async throws {
        let source = Script(.json(#"{"id":7,"big":12345678901234567890.10}"#))
        let yaml = Self.head + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /me}}}"
        let reading = try await Bench(yaml).read(from: source)
        #expect(reading.records == [#"{"id":7,"big":12345678901234567890.10}"#])
    }

    @Test func runsTheEngineWhereRecordsIsMoreThanAPath() async throws {
        let source = Script(.json(#"{"items":[{"id":1,"n":1.10},{"id":2,"gone":true}]}"#))
        let yaml =
            Self.head + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /me}, "
            + "records: '.items[] | select(.gone | not)'}}"
        let reading = try await Bench(yaml).read(from: source)
        #expect(reading.records == [#"{"id":1,"n":1.10}"#])
    }

    @Test(arguments: ["{number: {param: p}}", "{offset: {param: p, size: 2}}"])
    func aPageThatAFilterEmptiesIsNotTheLast(page: String) async throws {
        let source = Script { request, _ in
            switch request.parameter("p") {
            case "1", "0": .json(#"{"items":[{"id":1,"keep":true},{"id":2}]}"#)
            case "2": .json(#"{"items":[{"id":3},{"id":4}]}"#)
            case page.contains("offset") ? "4" : "3": .json(#"{"items":[{"id":5,"keep":true}]}"#)
            default: .json(#"{"items":[]}"#)
            }
        }
        let yaml =
            Self.head + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /me}, "
            + "records: '.items[] | select(.keep)', page: \(page)}}"
        let reading = try await Bench(yaml).read(from: source)
        #expect(reading.error == nil && reading.isComplete)
        #expect(reading.ids == [1, 5])
        #expect(source.sent.count == 4, "two full pages, one record, and an empty page")
    }

    @Test(arguments: ["-1", "0"])
    func aSourceThatDoesNotKnowItsTotalIsReadToItsEnd(total: String) async throws {
        let source = Script { request, _ in
            let items = request.parameter("p") == "1" ? #"[{"id":1}]"# : "[]"
            return .json(#"{"total":\#(total),"items":\#(items)}"#)
        }
        let bench = try Bench(Self.stream("{number: {param: p}, total: .total}"))
        let reading = try await bench.read(from: source)
        #expect(reading.ids == [1])
        #expect(source.sent.count == 2)
    }
}
