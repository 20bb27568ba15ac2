import CurlTransport
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugFetch

/// A list of JSON that is read in pieces gives what the whole answer does.
struct PieceTests {
    private static func outcome(
        _ keys: String,
        _ bodies: [String],
        block: Int?,
        _ headers: [HTTPHeader] = [],
        isTrial: Bool = false
    ) async throws -> ReadingOutcome {
        var bench = try Bench(
            "http: {base: \"https://api.test\"}\n"
                + "streams: {things: {endpoint: t, key: '.id? // .', version: none, request: {path: /t}, \(keys)}}\n"
        )
        bench.options.largestWholePage = block == nil ? nil : 0
        bench.options.blockRecords = block
        bench.options.isTrial = isTrial
        let script = Script { _, at in
            Script.Reply(headers: at + 1 < bodies.count ? headers : [], body: bodies[min(at, bodies.count - 1)])
        }
        let states = MemoryStates()
        let reading = try await bench.read(from: script, states)
        return ReadingOutcome(reading, states, bench, script.urls)
    }

    /// Nothing may differ but what was given before an error, with the state at the answer.
    private static func compare(
        _ keys: String,
        _ bodies: [String],
        _ headers: [HTTPHeader] = [],
        isTrial: Bool = false
    ) async throws -> ReadingOutcome {
        let whole = try await outcome(keys, bodies, block: nil, headers, isTrial: isTrial)
        for block in 1...3 {
            var pieces = try await outcome(keys, bodies, block: block, headers, isTrial: isTrial)
            if whole.error != nil {
                #expect(pieces.records.starts(with: whole.records), "\(keys), \(bodies), \(block)")
                // Before the first page there is no state at all.
                #expect(
                    pieces.state == whole.state || whole.state == nil && pieces.state?.contains(#""pages":0"#) == true
                )
                (pieces.records, pieces.ids, pieces.received) = (whole.records, whole.ids, whole.received)
                (pieces.state, pieces.message) = (whole.state, whole.message)
                if pieces.error == "page-not-decoded" { pieces.error = "page-not-json" }
            }
            #expect(pieces == whole, "\(keys), \(bodies), \(block)")
        }
        return whole
    }

    private static let sources = [
        ".items", ".items[]", ".items // []", ".items[]?", ".items[] | select(.keep)", ".items[] | select(.n > 1)",
        ".items[] | .payload", ".items[].payload", ".items[].payload?", ".items[] | .rows", ".items[] | .rows[]?",
        ".items[] | {id, n}", ".items | map(select(.keep))", "[.items[] | .payload?]", ".items[] | .rows // empty",
        ".items[] | (.payload, .rows)?", ".items | .[] | .n?", ".items[] | [.]", ".items[] | select(.n == 2) | .rows",
        "[.items[]]", ".items | map(.rows?)", ".items[] | .tags[]",
    ]
    private static let elements = [
        #"{"id": 1, "keep": true, "n": 1, "payload": {"id": 11}, "rows": [{"id": 12}, {"id": 13}]}"#,
        #"{"id": 2, "keep": false, "n": 2, "payload": null, "rows": [{"id": 14}]}"#,
        #"{"id": 3, "n": 2.0, "payload": [{"id": 15}], "rows": [], "tags": [1]}"#,
        #"{"id": 4, "keep": true, "payload": "x"}"#, "null", "[]", #"[{"id": 5}, {"id": 6}]"#, "7", "\"]\"", "{}",
    ]

    @Test("every program makes the same of a list and of its pieces", .timeLimit(.minutes(60)), arguments: sources)
    func programs(_ program: String) async throws {
        var random = SplitMix(state: 11)
        for round in 0..<60 {
            let pool = round < 20 ? Array(Self.elements.prefix(4)) : Self.elements
            let list = (0..<Int.random(in: 0...5, using: &random)).compactMap { _ in pool.randomElement(using: &random)
            }
            let body = "{\"a\": [1], \"items\": [\(list.joined(separator: ", "))], \"b\": {\"items\": 1}}"
            _ = try await Self.compare("records: '\(program)'", [body])
        }
    }

    @Test("a list that is the whole answer", arguments: [".", ".[]", ".[] | select(.n > 1)", "map(.payload)"])
    func lists(_ program: String) async throws {
        for count in 0...4 {
            let body = "[\(Self.elements.prefix(count).joined(separator: ","))]"
            _ = try await Self.compare("records: '\(program)'", [body])
        }
    }

    private static func page(_ ids: [Int], _ more: String = "") -> String {
        "{\"items\": [\(ids.map { "{\"id\": \($0), \"at\": \(100 - $0)}" }.joined(separator: ","))]\(more)}"
    }

    @Test("pages go on alike, and end alike")
    func pages() async throws {
        let next = [
            Self.page([1, 2, 3], ", \"next\": \"b\""), Self.page([4], ", \"next\": \"c\""),
            Self.page([], ", \"next\": null"),
        ]
        let ways = [
            ("page: {cursor: {from: .next, param: c}}", next),
            ("page: {cursor: {from: '.items[-1].id', param: c}}", next),
            ("page: {next: .next}", next), ("page: {number: {param: page}}", next),
            ("page: {number: {param: page}, more: '.next != null'}", next),
            ("page: {offset: {param: skip, size: 3}, stop: short}", next),
            ("page: {offset: {param: skip, size: 2}, stop: short}", next),
            ("page: {number: {param: page}, total: '.items | length'}", next),
            (
                "page: {number: {param: page}, total: .total}",
                [Self.page([1, 2], ", \"total\": 3"), Self.page([3], ", \"total\": 3")]
            ),
            (
                "page: {number: {param: page}, pages: .pages}",
                [Self.page([1, 2], ", \"pages\": 1"), Self.page([3, 4, 5])]
            ),
            // The service ignores the page.
            ("page: {number: {param: page}}", [Self.page([1, 2, 3])]),
            (
                "page: {number: {param: page}, max: 5}",
                [Self.page([1, 2, 3]), Self.page([1, 2, 4]), Self.page([1, 2, 5]), Self.page([])]
            ),
            ("page: {cursor: {from: .next, param: c}}", [Self.page([1, 2], ", \"next\": 7")]),
            ("page: {number: {param: page}, more: .more}", [Self.page([1, 2])]),
            ("page: {link: next}", next),
        ]
        for (way, bodies) in ways {
            for records in [".items", ".items[] | select(.id > 2)", ".items[] | select(.id == 3) | [.]"] {
                for since in ["", ", since: {field: .at, type: integer, order: desc, stop: known}"] {
                    let link = way.contains("link") ? [HTTPHeader("Link", "</t?page=2>; rel=next")] : []
                    _ = try await Self.compare("records: '\(records)', \(way)\(since)", bodies, link)
                }
            }
        }
    }

    @Test(
        "a dry run finds what says that there is more",
        arguments: ["", ", \"next_page\": 2", ", \"meta\": {\"next\": \"x\"}"]
    )
    func more(_ beside: String) async throws {
        _ = try await Self.compare("records: .items", [Self.page([1, 2], beside)], isTrial: true)
    }

    @Test("answers that are no such list")
    func others() async throws {
        for body in [
            "{}", "{\"items\": null}", "{\"items\": {\"a\": 1}}", "{\"items\": 7}", "[]", "null", "", "<html>",
            "{\"items\": [}",
            "{\"items\": []}", "{\"error\": {\"items\": [1]}}", "[{\"items\": [1]}]", "\"items\"", "{\"items\": [1],}",
            "{\"items\": [1]",
        ] {
            _ = try await Self.compare("records: '.items[]'", [body])
            _ = try await Self.compare("records: .items, page: {cursor: {from: .next, param: c}}", [body])
        }
    }
}
