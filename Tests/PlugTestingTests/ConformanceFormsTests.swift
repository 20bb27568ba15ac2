import Foundation
import PlugFetch
import PlugTesting
import TestKit
import Testing

@testable import PlugTesting

/// Good plugs are accused of nothing, however their services list and name things.
struct ConformanceFormsTests {
    struct Form: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The streams of the manifest.
        var streams: String
        /// Paths with queries, and the answers to them; none without a fixture.
        var answers: [(String, String)] = []
        /// Headers of the answers.
        var headers = "{}"
    }

    private static func item(_ number: Int) -> String {
        """
        {"id": "a\(number)", "name": "Number \(number)", "ts": \(1_764_583_200 + number * 86_400), "gone": false,
         "at": "2025-12-0\(number)T10:00:00Z", "day": "2025-12-0\(number)"}
        """
    }

    private static func stream(_ lines: String) -> String {
        "  items:\n    endpoint: items\n" + lines.split(separator: "\n").map { "    \($0)\n" }.joined()
    }

    private static let two = "[\(item(1)), \(item(2))]"

    static let forms = [
        Form(
            testDescription: "a token in an object that is null on the last page",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {cursor: {from: .next.token, param: after, size: 2, size_param: per}}
                since: {field: .at, type: time, send: {query: {since: time}}}
                key: [.id]
                version: content
                """
            ),
            answers: [
                ("i?per=2", #"{"items": \#(two), "next": {"token": "abc"}}"#),
                ("i?after=abc&per=2", #"{"items": \#(two), "next": null}"#),
            ]
        ),
        Form(
            testDescription: "page numbers and a total",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {number: {param: page, size: 2, size_param: per}, total: .total}
                key: [.id]
                version: content
                """
            ),
            answers: [("i?page=1&per=2", #"{"items": \#(two), "total": 2}"#)]
        ),
        Form(
            testDescription: "a number of pages in a header",
            streams: stream(
                """
                request: {path: /i}
                records: .
                page: {number: {param: page, size: 2}, pages: 'headers["x-pages"] | tonumber'}
                key: [.id]
                version: none
                """
            ),
            answers: [("i?page=1", two)],
            headers: #"{"X-Pages": "1"}"#
        ),
        Form(
            testDescription: "offsets, the newest first",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {offset: {param: offset, from: 1, size: 50, size_param: limit}, stop: short}
                since: {field: .at, type: time, order: desc, stop: known}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "the address of the next page",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {next: .links.next}
                since: {field: .ts, type: epoch, send: {query: {since: epoch}}, overlap: 1d}
                key: [.id]
                version: .at
                """
            ),
            answers: [
                ("i", #"{"items": \#(two), "links": {"next": "https://api.example.org/i?x=2"}}"#),
                ("i?x=2", #"{"items": [\#(item(3))], "links": {}}"#),
            ]
        ),
        Form(
            testDescription: "a Link header",
            streams: stream(
                """
                request: {path: /i}
                records: .
                page: {link: next}
                key: [.id]
                version: .at
                """
            )
        ),
        Form(
            testDescription: "a cursor in a JSON body",
            streams: stream(
                """
                request: {method: POST, path: /s, json: {q: all, start: "{{ page.cursor // null }}"}}
                records: .items
                page: {cursor: {from: .next}}
                key: [.id]
                version: .at
                """
            )
        ),
        Form(
            testDescription: "offsets at a path in a JSON body, not on the first page",
            streams: stream(
                """
                request: {method: POST, path: /s, json: {a: 1}}
                records: '.items // []'
                page: {offset: {param: page.o, omit_first: true, size: 50, size_param: page.l}, in: json}
                key: [.id]
                version: content
                """
            )
        ),
        Form(
            testDescription: "page numbers at a path in a JSON body, which lacks the rest of the path",
            streams: stream(
                """
                request: {method: POST, path: /s, json: {a: {b: 1}}}
                records: .items
                page: {number: {param: a.p.n, omit_first: true, size: 3}, in: json}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "offsets at a path in the variables of GraphQL",
            streams: stream(
                """
                request: {path: /g, graphql: {query: 'query($p: P) { i(p: $p) { nodes { id } } }'}}
                records: .data.i.nodes
                page: {offset: {param: p.o, omit_first: true, size: 3}, in: variables}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "bounds with dots in their names",
            streams: stream(
                """
                request: {path: /i, query: {sort: at}}
                records: .items
                page: {number: {param: page, omit_first: true, size: 50, size_param: per}}
                since: {field: .at, type: time, send: {query: {f.at.gt: time}}, until: {query: {f.at.lt: time}}}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "a first bound from a setting that is a text",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {cursor: {from: .next, param: after}}
                since: {field: .at, type: epoch, from: "{{ config.start }}", send: {query: {since: epoch}}}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "a flag for the last page",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {cursor: {from: '.items | last | .id', param: after}, more: '.last_page | not'}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "a count of what is left, beside a token",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {cursor: {from: .next, param: after}, more: '(.count // 0) >= 100 and .next != null'}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "a token of the last record, and a Link header for more",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {cursor: {from: '.items | last | .id', param: after}, more: 'headers["link"] // "" | contains("next")'}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "GraphQL",
            streams: stream(
                """
                request: {path: /g, graphql: {query: 'query($after: String) { i(after: $after) { nodes { id } } }'}}
                records: .data.i.nodes
                page: {cursor: {from: .data.i.pageInfo.endCursor, param: after}, in: variables, more: .data.i.pageInfo.more}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "windows of days",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                since: {field: .day, type: date, from: 2020-01-01, send: {query: {from: date}}, until: {query: {to: date}},
                        window: 30d, granule: 1d}
                key: [.id]
                version: content
                """
            )
        ),
        Form(
            testDescription: "a token that is the last record's number",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {cursor: {from: '.items | last | .ts', param: after}, stop: empty}
                since: {field: .ts, type: integer, order: asc, send: {query: {after: integer}}}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "a token that is the least id",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {cursor: {from: '[.items[].id] | min', param: max_id}}
                key: [.id]
                version: none
                """
            )
        ),
        Form(
            testDescription: "an object keyed by names",
            streams: stream(
                """
                request: {path: /i}
                records: '.byName | to_entries[] | .value + {n: .key}'
                key: [.n]
                version: none
                """
            ),
            answers: [("i", #"{"byName": {"ada": {"v": 1}, "bob": {"v": 2}}}"#)]
        ),
        Form(
            testDescription: "lists in lists",
            streams: stream(
                """
                request: {path: /i}
                records: '.groups[].items[]'
                page: {cursor: {from: .next, param: p}}
                key: [.id]
                version: none
                """
            ),
            answers: [("i", #"{"groups": [{"items": \#(two)}, {"items": [\#(item(3))]}], "next": null}"#)]
        ),
        Form(
            testDescription: "equal records are counted",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                key: [.day, .name]
                equal: count
                version: none
                """
            ),
            answers: [("i", #"{"items": \#(two)}"#)]
        ),
        Form(
            testDescription: "deletions",
            streams: stream(
                """
                request: {path: /i}
                records: .items
                page: {cursor: {from: .next, param: p}}
                key: [.id]
                version: .at
                deletes: {field: .gone}
                """
            ),
            answers: [("i", #"{"items": \#(two), "next": null}"#)]
        ),
        Form(
            testDescription: "one page is enough",
            streams: stream(
                """
                request: {path: /i, query: {limit: 2}}
                records: .items
                page: {cursor: {from: .next, param: p}, max: 1}
                key: [.id]
                version: .at
                """
            ),
            answers: [("i?limit=2", #"{"items": \#(two), "next": null}"#)]
        ),
        Form(
            testDescription: "the children of recorded parents",
            streams: """
                  lists:
                    request: {path: /lists}
                    records: .lists
                    key: [.id]
                    version: none
                  items:
                    endpoint: items
                    for_each: {in: lists, as: list}
                    request: {path: "/lists/{{ list.id }}/items"}
                    records: .items
                    page: {cursor: {from: .next, param: p}}
                    since: {field: .at, type: time, send: {query: {since: time}}}
                    key: [list.id, .id]
                    version: .at
                    map: '{id, list: list.id, at}'

                """,
            answers: [
                ("lists", #"{"lists": [{"id": "l1"}, {"id": "l2"}]}"#),
                ("lists/l1/items", #"{"items": \#(two), "next": "p2"}"#),
                ("lists/l1/items?p=p2", #"{"items": [\#(item(3))], "next": null}"#),
                ("lists/l2/items", #"{"items": [], "next": null}"#),
            ]
        ),
    ]

    private static let head = """
        plug: demo
        api: 1
        version: 1.0.0
        hosts: [api.example.org]
        config: {token: {type: string, secret: true}, start: {type: string, optional: true}}
        auth: {key: {in: query, name: k, value: "{{ config.token }}"}}
        http: {base: "https://api.example.org"}
        streams:

        """

    @Test(arguments: forms)
    func aGoodPlugIsNotAccused(form: Form) async throws {
        let exchanges = form.answers.map { path, body in
            let url = "https://api.example.org/\(path)\(path.contains("?") ? "&" : "?")k=0123456789"
            return """
                {"request": {"url": "\(url)"}, "response": {"status": 200, "headers": \(form.headers), "body": \(body)}}
                """
        }
        let fixture = #"{"config": {"token": "0123456789"}, "exchanges": [\#(exchanges.joined(separator: ",\n"))]}"#
        let cases = try await ConformancePlug.cases(
            of: Self.head + form.streams,
            fixture: exchanges.isEmpty ? nil : fixture
        )
        #expect(cases.filter { $0.outcome != .ok } == [])
        #expect(cases.contains { $0.name == "items: no secret in output" })
        #expect(
            cases.contains { $0.name == "items: empty stream" || form.testDescription == "an object keyed by names" }
        )
    }

    @Test func secretsAreFoundHoweverTheyAreWritten() {
        let search = SecretWords(["canary+secret/71"], takesEncodings: true)
        #expect(search.isMet(in: "Authorization: Bearer canary+secret/71"))
        #expect(search.isMet(in: "GET /a?k=canary%2Bsecret%2F71&b=1"))
        for before in ["", "a", "ab", "user:"] {
            let text = Data("\(before)canary+secret/71 and more".utf8).base64EncodedString()
            #expect(search.isMet(in: "Basic \(text)"), "behind '\(before)'")
        }
        #expect(!search.isMet(in: "Authorization: Bearer <secret>"))
        #expect(!search.blotted("k=canary+secret/71").contains("canary"))
    }

    @Test(arguments: [
        ("2025-12-31", "2026-01-01"), ("2025-12-31T23:59:59Z", "2026-01-01T23:59:59Z"),
        ("2025-12-31 08:00:00 UTC", "2026-01-01 08:00:00 UTC"),
        ("2025-12-31T08:00:00.123+02:00", "2026-01-01T08:00:00.123+02:00"), ("2025-12-31T08:00", "2026-01-01T08:00"),
    ])
    func aTimeKeepsItsForm(text: String, later: String) {
        #expect(WallTime(text)?.later(by: 86_400) == later)
    }

    @Test(arguments: ["2025-13-01", "2025-12-31x", "20251231", "12:00", "2025-12-31T8:00"])
    func whatIsNoTimeStaysWhatItIs(text: String) { #expect(WallTime(text) == nil) }

    @Test(arguments: [
        (".a.b", [["a", "b"]]),
        (".paging | select(.next) | .cursors.after", [["paging"], ["next"], ["cursors", "after"]]),
        ("config.user + .id", [["id"]]), (".items // []", [["items"]]), (".", []),
    ])
    func thePathsOfAProgramAreRead(source: String, paths: [[String]]) { #expect(MemberPaths.of(source) == paths) }
}
