import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch
@testable import PlugManifest

/// Bodies of requests, lists as parameters, GraphQL, and where paging puts its parameters.
struct BodyTests {
    private static func yaml(_ request: String, _ page: String = "") -> String {
        "config: {ids: {type: string, default: x}}\nhttp: {base: \"https://api.test\"}\n"
            + "streams: {things: {endpoint: t, key: .id, version: none, records: .items, "
            + "request: {path: /things, \(request)}\(page)}}\n"
    }
    private static func page(_ id: Int, next: String?) -> Script.Reply {
        .json("{\"items\":[{\"id\":\(id)}],\"next\":\(next.map { "\"\($0)\"" } ?? "null")}")
    }
    /// Two pages, of which the first names the second.
    private static var pages: Script { Script(page(1, next: "a b&c"), page(2, next: nil)) }

    private static func body(_ request: HTTPRequest) -> String { String(decoding: request.body ?? [], as: UTF8.self) }
    private static func header(_ request: HTTPRequest, _ name: String) -> String? {
        request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    @Test func aFormIsEncoded() async throws {
        let yaml = Self.yaml(
            "method: POST, form: {a: 'x y&z', n: 5, none: '{{ page.cursor // null }}', ids: '{{ [1, 2] }}'}"
        )
        let source = Script(Self.page(1, next: nil))
        #expect(try await Bench(yaml).read(from: source).ids == [1])
        #expect(source.sent.map(Self.body) == ["a=x+y%26z&n=5&ids=1&ids=2"])
        #expect(source.sent.first.flatMap { Self.header($0, "content-type") } == "application/x-www-form-urlencoded")
    }

    @Test(arguments: ["GET", "PUT", "PATCH", "PROPFIND", "REPORT", "SEARCH", "QUERY"])
    func eachMethodMayHaveABody(method: String) async throws {
        let yaml = Self.yaml(
            "method: \(method), json: {q: 1}",
            ", page: {cursor: {from: .next, param: after}, in: json}"
        )
        let source = Self.pages
        #expect(try await Bench(yaml).read(from: source).ids == [1, 2])
        #expect(source.sent.map(\.method) == [method, method])
        #expect(source.sent.map(Self.body) == [#"{"q":1}"#, #"{"q":1,"after":"a b&c"}"#])
    }

    @Test(arguments: [
        ("PROPFIND", 301, true), ("REPORT", 302, true), ("SEARCH", 307, true), ("QUERY", 308, true),
        ("GET", 302, true), ("REPORT", 303, false), ("GET", 303, false), ("POST", 307, false), ("PUT", 301, false),
        ("PATCH", 308, false),
    ])
    func whatOnlyAsksIsRedirectedWithItsBody(method: String, status: Int, isFollowed: Bool) async throws {
        let source = Script(.status(status, HTTPHeader("Location", "/moved")), Self.page(1, next: nil))
        let reading = try await Bench(Self.yaml("method: \(method), text: <q/>")).read(from: source)
        guard isFollowed else {
            #expect(reading.error?.code == "source-refused" && source.sent.count == 1)
            return
        }
        #expect(reading.ids == [1])
        #expect(source.urls == ["https://api.test/things", "https://api.test/moved"])
        #expect(source.sent.map(\.method) == [method, method] && source.sent.map(Self.body) == ["<q/>", "<q/>"])
    }

    @Test func aTextIsSentAsItIs() async throws {
        let source = Script(Self.page(1, next: nil))
        _ = try await Bench(Self.yaml("method: POST, text: 'fields *; where id = {{ config.ids }};'")).read(
            from: source
        )
        #expect(source.sent.map(Self.body) == ["fields *; where id = x;"])
        #expect(source.sent.first.flatMap { Self.header($0, "content-type") } == "text/plain; charset=utf-8")
    }

    @Test(
        arguments: [
            ("repeat", "ids=1&ids=2&one=a"), ("brackets", "ids%5B%5D=1&ids%5B%5D=2&one=a"),
            ("comma", "ids=1%2C2&one=a"),
        ]
    )
    func aListIsSpelledAsTheServiceWantsIt(style: String, query: String) async throws {
        let source = Script(Self.page(1, next: nil))
        let yaml = Self.yaml("arrays: \(style), query: {ids: '{{ [1, 2] }}', one: a, none: '{{ [] }}'}")
        _ = try await Bench(yaml).read(from: source)
        #expect(try source.urls.map { try HTTPURL($0).query } == [query])
    }

    @Test(
        arguments: [
            (
                "method: POST, json: {filter: {user: 7}}", "{cursor: {from: .next, param: filter.after}, in: json}",
                [#"{"filter":{"user":7}}"#, #"{"filter":{"user":7,"after":"a b&c"}}"#]
            ),
            (
                "method: POST, form: {q: x}", "{cursor: {from: .next, param: after}, in: form}",
                ["q=x", "q=x&after=a+b%26c"]
            ),
            (
                "graphql: {query: 'query($n: Int, $after: ID) { a(n: $n, after: $after) }', variables: {n: 5}}",
                "{cursor: {from: .next, param: after}, in: variables}",
                [
                    #"{"query":"query($n: Int, $after: ID) { a(n: $n, after: $after) }","variables":{"n":5}}"#,
                    #"{"query":"query($n: Int, $after: ID) { a(n: $n, after: $after) }","variables":{"n":5,"after":"a b&c"}}"#,
                ]
            ),
            (
                "method: POST, json: {after: '{{ page.cursor // null }}'}", "{cursor: {from: .next}}",
                [#"{"after":null}"#, #"{"after":"a b&c"}"#]
            ),
        ]
    )
    func aTokenGoesWhereTheServiceWantsIt(request: String, page: String, bodies: [String]) async throws {
        let source = Self.pages
        let reading = try await Bench(Self.yaml(request, ", page: \(page)")).read(from: source)
        #expect(reading.ids == [1, 2] && reading.error == nil)
        #expect(source.sent.map(Self.body) == bodies)
    }

    @Test func aTokenGoesIntoAHeader() async throws {
        let source = Self.pages
        let page = ", page: {cursor: {from: .next, param: X-After}, in: header}"
        let reading = try await Bench(Self.yaml("headers: {X-After: start}", page)).read(from: source)
        #expect(reading.ids == [1, 2])
        #expect(source.sent.map { Self.header($0, "x-after") } == ["start", "a b&c"])
    }

    @Test func aTokenWithALineBreakIsNotSent() async throws {
        let source = Script(.json(#"{"items":[{"id":1}],"next":"a\r\nX-Evil: 1"}"#))
        let page = ", page: {cursor: {from: .next, param: X-After}, in: header}"
        let reading = try await Bench(Self.yaml("query: {a: 1}", page)).read(from: source)
        #expect(reading.error?.code == "header-control" && source.sent.count == 1)
    }

    @Test func theLastRecordCanBeTheToken() async throws {
        let source = Script(
            .json(#"{"items":[{"id":1},{"id":2}]}"#),
            .json(#"{"items":[{"id":3}]}"#),
            .json(#"{"items":[]}"#)
        )
        let page = ", page: {cursor: {from: '.items | last.id', param: after}, stop: empty}"
        let reading = try await Bench(Self.yaml("query: {a: 1}", page)).read(from: source)
        #expect(reading.ids == [1, 2, 3] && reading.error == nil)
        #expect(source.sent.map { $0.parameter("after") } == [nil, "2", "3"])
    }

    @Test func someParametersAreForTheFirstPageOnly() async throws {
        let source = Self.pages
        let yaml = """
            http: {base: "https://api.test"}
            streams:
              things:
                endpoint: t
                key: .id
                version: none
                records: .items
                request: {path: /things, query: {q: x, size: 5}}
                since: {field: .at, type: integer, from: 7, send: {query: {min: value}}}
                page: {cursor: {from: .next, param: after}, only_first: [q, since]}

            """
        _ = try await Bench(yaml).read(from: source)
        #expect(try source.urls.map { try HTTPURL($0).query } == ["q=x&size=5&min=7", "size=5&after=a%20b%26c"])
    }

    @Test(
        arguments: [
            (#"{"errors":[{"message":"no such field"}],"data":null}"#, "has 'errors'; it says: no such field"),
            (#"{"errors":[{"message":"slow"}],"data":{"items":[]}}"#, "has 'errors' beside 'data'; it says: slow"),
        ]
    )
    func anAnswerWithErrorsIsNoPage(body: String, text: String) async throws {
        let reading = try await Bench(Self.yaml("graphql: {query: '{ a }'}")).read(from: Script(.json(body)))
        #expect(reading.error?.code == "graphql-errors" && reading.records == [])
        #expect(reading.error?.message == "the answer to POST https://api.test/things \(text)")
    }

    @Test func rulesSayWhatErrorsMean() async throws {
        let rules = ", on: [{status: 200, if: '.errors[0].type == \"THROTTLED\"', do: limit}]"
        let source = Script(.json(#"{"errors":[{"type":"THROTTLED"}]}"#), .json(#"{"items":[{"id":1}],"errors":[]}"#))
        let reading = try await Bench(Self.yaml("graphql: {query: '{ a }'}", rules)).read(from: source)
        #expect(reading.ids == [1] && reading.error == nil && source.sent.count == 2)
    }

    @Test(
        arguments: [
            ("{cursor: {from: .next}}", "query: {a: 1}", ["cursor-unused"]),
            ("{cursor: {from: .next, param: c}, in: json}", "query: {a: 1}", ["json-needs-post"]),
            ("{cursor: {from: .next, param: c}, in: json}", "method: POST, text: a", ["body-missing"]),
            ("{cursor: {from: .next, param: c}, in: variables}", "method: POST, json: {}", ["body-missing"]),
            ("{next: .next, only_first: [a]}", "query: {a: 1}", ["place-without-param"]),
            ("{number: {param: p}, only_first: [a]}", "query: {a: 1}", ["place-without-param"]),
            ("{number: {param: p}, add_query: true}", "query: {a: 1}", ["place-without-param"]),
            ("{cursor: {from: .next, param: c}, add_query: true}", "query: {a: 1}", ["place-without-param"]),
            ("{next: .next, add_query: true, only_first: [b]}", "query: {a: 1}", ["wrong-value"]),
            ("{number: {param: p}, in: form}", "method: POST", ["body-missing"]),
            ("{cursor: {from: .n, param: a b}, in: header}", "query: {a: 1}", ["header-name"]),
            ("{cursor: {from: .n, param: a..b}, in: json}", "method: POST, json: {}", ["bad-name"]),
            ("{cursor: {from: .n}}", "query: {n: '{{ page.index }}'}", ["cursor-unused"]),
            ("{number: {from: 0}}", "query: {n: '{{ page.index }}'}", ["cursor-unused"]),
            ("{offset: {size: 2}}", "query: {a: 1}", ["cursor-unused"]),
            ("{number: {omit_first: true}}", "query: {a: '{{ page.number }}'}", ["place-without-param"]),
            ("{offset: {size: 2}, in: form}", "query: {a: '{{ page.offset }}'}", ["place-without-param"]),
            ("{cursor: {from: .next, param: c}, only_first: [b]}", "query: {a: 1}", ["wrong-value"]),
            ("{cursor: {from: .next, param: c}, only_first: [since]}", "query: {a: 1}", ["wrong-value"]),
            ("{link: next}", "method: POST, form: {a: 1}, json: {}", ["two-kinds"]),
            ("{link: next}", "form: {a: 1}", ["json-needs-post"]),
            ("{link: next}", "method: GET, graphql: {query: '{ a }'}", ["json-needs-post"]),
            ("{cursor: {from: .next, param: c}, in: json}", "method: GET", ["json-needs-post"]),
            ("{link: next}", "graphql: {}", ["missing-key"]),
            ("{link: next}", "graphql: {query: a, variables: [1]}", ["wrong-type"]),
        ]
    )
    func mistakesAreTold(page: String, request: String, codes: [String]) {
        let head = "plug: test\napi: 1\nversion: 1.0.0\nhosts: [api.test]\n"
        let text = head + Self.yaml(request, ", page: \(page)")
        let result = ManifestReader.read(path: "plug.yaml", text: Array(text.utf8))
        #expect(result.diagnostics.filter { $0.severity == .error }.map(\.code.text) == codes)
    }
}
