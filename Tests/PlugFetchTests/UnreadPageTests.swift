import CurlTransport
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// Streams that read one page where the service may have more.
struct UnreadPageTests {
    private static func bench(_ lines: String, _ request: String = "{path: /t}") throws -> Bench {
        var bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: \(request), records: .items, \(lines)}}\n"
        )
        bench.options.isTrial = true
        return bench
    }

    private static func items(_ count: Int) -> String {
        "[\((0..<count).map { "{\"id\":\($0)}" }.joined(separator: ","))]"
    }

    @Test(
        "a full page without a link to another one is told where links lead to pages",
        arguments: [
            // The request; so many records; the 'Link' header; what is told.
            ("{path: /t, query: {per_page: 3}}", 3, nil, "3 records, as many as requested"),
            ("{path: /t, query: {per_page: 3}}", 2, nil, nil), ("{path: /t}", 20, nil, "20 records"),
            ("{path: /t}", 19, nil, nil), ("{path: /t}", 20, "<https://api.test/t>; rel=\"first\"", nil),
            ("{path: /t}", 20, "<https://api.test/t.css>; rel=\"style\"", "20 records"),
        ] as [(String, Int, String?, String?)]
    )
    func fullPageWithoutLink(request: String, count: Int, link: String?, told: String?) async throws {
        let bench = try Self.bench("page: {link: next}", request)
        let headers = link.map { [HTTPHeader("Link", $0)] } ?? []
        let reading = try await bench.read(
            from: Script { _, _ in Script.Reply(headers: headers, body: "{\"items\":\(Self.items(count))}") }
        )
        #expect(reading.error == nil && reading.isComplete && reading.ids.count == count)
        #expect(bench.events.warnings == (told == nil ? [] : ["page-token-doubtful"]))
        for message in bench.events.messages {
            #expect(message.contains("https://api.test/t gives \(told ?? ""), and its answer has no 'Link' header"))
        }
    }

    @Test("a full last page is not told where a link led to it, and none where the answer says how many there are")
    func fullLastPageAfterALink() async throws {
        let next = HTTPHeader("Link", "<https://api.test/t?page=2>; rel=\"next\"")
        let bench = try Self.bench("page: {link: next}", "{path: /t, query: {per_page: 2}}")
        let reading = try await bench.read(
            from: Script(.json(#"{"items":[{"id":1},{"id":2}]}"#, next), .json(#"{"items":[{"id":3},{"id":4}]}"#))
        )
        #expect(reading.ids == [1, 2, 3, 4])
        #expect(bench.events.warnings == [])

        let counted = try Self.bench("page: {link: next, total: .total}", "{path: /t, query: {per_page: 2}}")
        _ = try await counted.read(from: Script(.json(#"{"items":[{"id":1},{"id":2}],"total":2}"#)))
        #expect(counted.events.warnings == [])
    }

    @Test(
        "an answer that says that there is more is told where the stream has no 'page'",
        arguments: [
            (#""has_more":true"#, ".has_more", "number: {param: …}, more: "),
            (#""hasMore":true"#, ".hasMore", "number: {param: …}, more: "),
            (#""more":true"#, ".more", "number: {param: …}, more: "),
            (#""next_page":2"#, ".next_page", "cursor: {from: "),
            (#""nextPageToken":"a""#, ".nextPageToken", "cursor: {from: "),
            (#""next":"https://api.test/t?page=2""#, ".next", "next: "),
            (#""@odata.nextLink":"/a""#, #"."@odata.nextLink""#, "next: "),
            (#""response_metadata":{"next_cursor":"a"}"#, ".response_metadata.next_cursor", "cursor: {from: "),
            (#""_links":{"next":{"href":"/t?page=2"}}"#, "._links.next.href", "next: "),
            (
                #""data":{"viewer":{"pageInfo":{"hasNextPage":true}}}"#, ".data.viewer.pageInfo.hasNextPage",
                "number: {param: …}, more: "
            ),
            (#""has_more":false,"next":null,"next_page":0,"nextPageToken":"","more":[]"#, nil, nil),
            (#""data":{"next":"Tuesday"}"#, nil, nil), (#""x":1"#, nil, nil),
        ] as [(String, String?, String?)]
    )
    func moreWithoutAPageKey(rest: String, path: String?, page: String?) async throws {
        let bench = try Self.bench("every: 1h")
        _ = try await bench.read(from: Script(.json(#"{"items":[{"id":1,"has_more":true}],\#(rest)}"#)))
        #expect(bench.events.warnings == (path == nil ? [] : ["page-key-missing"]))
        let end = page?.hasPrefix("cursor") == true ? ", param: …}}" : "}"
        let expected = path.map { path in
            "plug.yaml:6:11: the stream has no 'page', but the answer to GET https://api.test/t says with '\(path)' that "
                + "there is more, which is not read: write 'page: {\(page ?? "")\(path)\(end)'"
        }
        #expect(bench.events.messages == [expected].compactMap(\.self))
    }

    @Test("a link in the headers says so too, in runs, too, and nothing is told of streams with 'page'")
    func linksAndRuns() async throws {
        let next = HTTPHeader("Link", "<https://api.test/t?page=2>; rel=\"next\"")
        let answer = Script(.json(#"{"items":[{"id":1}],"next":null}"#, next))
        let bench = try Self.bench("every: 1h")
        _ = try await bench.read(from: answer)
        #expect(bench.events.messages.first?.contains("says with a 'Link' header with rel=\"next\"") == true)

        let paged = try Self.bench("page: {next: .next}")
        _ = try await paged.read(from: answer)
        #expect(paged.events.warnings == [])

        var run = try Self.bench("every: 1h")
        run.options.isTrial = false
        _ = try await run.read(from: answer)
        #expect(run.events.warnings == ["page-key-missing"])
    }

    @Test("'page: none' says that one page is enough", arguments: ["", "defaults: {page: {next: .next}}\n"])
    func onePageIsEnough(_ defaults: String) async throws {
        var bench = try Bench(
            "http: {base: \"https://api.test\"}\n\(defaults)"
                + "streams: {things: {endpoint: t, key: .id, version: none, request: {path: /t}, records: .items, page: none}}\n"
        )
        bench.options.isTrial = true
        _ = try await bench.read(from: Script(.json(#"{"items":[{"id":1}],"next":"/t?page=2"}"#)))
        #expect(bench.events.warnings == [])
    }

    @Test(
        "a page with as many records as the request asks for is told where the stream has no other page",
        arguments: [
            // The request; 'page'; so many records; whether it is a trial; what is told.
            ("{path: /t, query: {count: 12}}", "every: 1h", 12, false, "as many as 'count' asks for"),
            ("{path: '/t?count=12'}", "every: 1h", 12, false, "as many as 'count' asks for"),
            (
                "{path: /t, method: POST, json: {filter: {top: 12}}}", "every: 1h", 12, false,
                "as many as 'top' asks for"
            ),
            (
                "{path: /t, graphql: {query: '{items(first: 12) {id}}'}}", "every: 1h", 12, false,
                "as many as 'first' asks for"
            ),
            ("{path: /t, query: {count: 12}}", "every: 1h", 11, true, nil),
            ("{path: /t, query: {v: 2}}", "every: 1h", 2, true, nil),
            ("{path: /t, query: {count: 12}}", "page: none", 12, false, nil),
            ("{path: /t, query: {count: 12}}", "page: none", 12, true, "as many as 'count' asks for"),
            ("{path: /t}", "every: 1h", 100, true, "which is a usual size of a page"),
            ("{path: /t}", "page: none", 100, true, nil), ("{path: /t}", "every: 1h", 100, false, nil),
        ] as [(String, String, Int, Bool, String?)]
    )
    func fullOnlyPage(request: String, page: String, count: Int, isTrial: Bool, told: String?) async throws {
        var bench = try Self.bench(page, request)
        bench.options.isTrial = isTrial
        _ = try await bench.read(from: Script(.json("{\"items\":\(Self.items(count))}")))
        #expect(bench.events.warnings == (told == nil ? [] : ["page-key-missing"]))
        for message in bench.events.messages { #expect(message.contains(told ?? ""), "\(message)") }
    }

    @Test("a full page that the next run continues is not told")
    func fullPageInOrder() async throws {
        let bench = try Self.bench(
            "since: {field: .id, type: integer, order: asc, send: {query: {after: value}}}",
            "{path: /t, query: {count: 12}}"
        )
        _ = try await bench.read(from: Script(.json("{\"items\":\(Self.items(12))}")))
        #expect(bench.events.warnings == [])
    }
}
