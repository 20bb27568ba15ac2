import CurlTransport
import LosslessJSON
import PlugCore
import PlugFetch
import TestKit
import Testing

/// Answers of JSON that are too large to be held, and are read in pieces of their list.
@Suite(.fewAtATime)
struct LargeJSONTests {
    private static let filling = String(repeating: "x", count: 2000)

    /// So many things of some 2,050 bytes each; every third has `keep`.
    private static func things(_ ids: Range<Int>) -> String {
        let things = ids.map { id in
            "{\"id\": \(id), \"keep\": \(id % 3 == 0), \"at\": \(1_700_000_000 + id), \"text\": \"\(filling)\"}"
        }
        return "[" + things.joined(separator: ",\n") + "]"
    }

    /// Some 4.5 MB.
    private static let many = 2200
    private static let first = things(0..<many)
    private static let second = things(many..<(2 * many))

    @Test("a list of 16 MB is read block by block, and no block counts for more than itself")
    func sixteenMegabytes() async throws {
        let body = "{\"about\": {\"items\": 1}, \"items\": \(Self.things(0..<8000)), \"next\": null}"
        try await LargeAnswers.with(.json(body), "records: '.items[]'") { bench, transport, space in
            var (records, bytes, largest) = (0, 0, 0)
            var ends: [Bool] = []
            try await bench.fetcher(transport).withReader(of: "things", from: MemoryStates()) { reader in
                while let page = try await reader.next() {
                    if records == 0 { #expect(space.openModes == [0o600]) }
                    #expect(page.preceding == records)
                    records += page.records.count
                    bytes += page.cost.bytes
                    largest = max(largest, page.weight ?? page.cost.bytes)
                    ends.append(page.endsPass)
                }
            }
            #expect(records == 8000)
            #expect(bytes == body.utf8.count)
            #expect(largest > 900_000 && largest < 1_200_000)
            #expect(ends.filter(\.self).count == 1 && ends.last == true && ends.count > 12)
        }
    }

    /// Reads the answers in pieces, and once more as a whole: nothing else may differ.
    ///
    /// - Parameter isInPieces: Whether they are read in pieces at all.
    private static func same(
        _ keys: String,
        isInPieces: Bool = true,
        _ answer: @escaping @Sendable (SourceServer.Request, Int) -> SourceServer.Answer
    ) async throws -> ReadingOutcome {
        var found: ReadingOutcome?
        try await LargeAnswers.with(answer, keys) { bench, transport, _, server in
            func outcome(largestWholePage: Int?) async throws -> (ReadingOutcome, pages: Int) {
                var bench = bench
                bench.events = Events()
                bench.options.largestWholePage = largestWholePage
                let (states, before) = (MemoryStates(), server.asked.count)
                let reading = try await bench.read(from: transport, states)
                let asked = server.asked.dropFirst(before).map(\.target)
                return (ReadingOutcome(reading, states, bench, asked), reading.pages.count)
            }
            let (pieces, pages) = try await outcome(largestWholePage: 4 << 20)
            let (whole, answers) = try await outcome(largestWholePage: nil)
            #expect(pieces == whole)
            #expect((pages > answers) == isInPieces)
            found = pieces
        }
        return try #require(found)
    }

    /// Pages of `many` things each, with something beside them that says where they go on.
    private static func pages(_ count: Int, _ body: @escaping @Sendable (String, _ page: Int, _ isLast: Bool) -> String)
        -> @Sendable (SourceServer.Request, Int) -> SourceServer.Answer
    {
        { request, _ in
            let page = request.parameter("after").flatMap { Int($0) } ?? 0
            return .json(body(page == 0 ? first : second, page, page + 1 == count))
        }
    }

    @Test("tokens, addresses and counts beside the list lead on, before it and behind it")
    func pagesBesideTheList() async throws {
        let token = try await Self.same(
            "records: .data.items, page: {cursor: {from: .meta.next, param: after}}",
            Self.pages(2) { "{\"meta\": {\"next\": \($2 ? "null" : "\($1 + 1)")}, \"data\": {\"items\": \($0)}}" }
        )
        #expect(token.ids == Array(0..<(2 * Self.many)) && token.isComplete && token.error == nil)
        #expect(token.asked == ["/t", "/t?after=1"])
        let behind = try await Self.same(
            "records: '.[\"the items\"][] | select(.keep)', page: {next: '.next // empty'}",
            Self.pages(2) {
                "{\"x\": \"]}\\\"\", \"the items\": \($0), \"y\": [{\"z\": 1}]\($2 ? "" : ", \"next\": \"/t?after=\($1 + 1)\"")}"
            }
        )
        #expect(behind.ids == Array(0..<(2 * Self.many)).filter { $0 % 3 == 0 } && behind.isComplete)
        let more = try await Self.same(
            "records: '.items | map(select(.keep))', page: {number: {param: after, from: 0}, more: .more, total: .total}",
            Self.pages(2) { "{\"items\": \($0), \"total\": \(2 * Self.many), \"more\": \(!$2)}" }
        )
        #expect(more.asked == ["/t?after=0", "/t?after=1"] && more.isComplete)
    }

    @Test("the last element's value leads on")
    func lastElement() async throws {
        let outcome = try await Self.same("page: {cursor: {from: '.[-1].id', param: last}}") { request, _ in
            .json(request.parameter("last") == nil ? Self.first : "[]")
        }
        #expect(outcome.asked == ["/t", "/t?last=\(Self.many - 1)"])
        #expect(outcome.ids.count == Self.many && outcome.isComplete)
    }

    @Test("a new watermark is that of all blocks")
    func since() async throws {
        let outcome = try await Self.same(
            "records: .items, since: {field: .at, type: integer, send: {query: {from: value}}}"
        ) { _, _ in
            .json("{\"items\": \(Self.first)}")
        }
        #expect(outcome.state?.contains("\(1_700_000_000 + Self.many - 1)") == true)
    }

    @Test("what needs the whole answer has it")
    func whole() async throws {
        let answer: @Sendable (SourceServer.Request, Int) -> SourceServer.Answer = { _, _ in
            .json("{\"items\": \(Self.first)}", "Content-Type: application/json; charset=UTF-8")
        }
        for keys in [
            "records: '.items | sort_by(.id)'",
            "records: .items, page: {number: {param: page}, more: '.items | length > 5000'}",
            "records: .items, on: [{status: 200, if: '.items | length > 5000', do: skip}]",
        ] {
            let outcome = try await Self.same(keys, isInPieces: false, answer)
            #expect(outcome.ids.count == Self.many && outcome.error == nil)
        }
        let skipped = try await Self.same(
            "records: .items, on: [{status: 200, if: '.items | length > 5', do: skip}]",
            isInPieces: false,
            answer
        )
        #expect(skipped.ids == [] && skipped.error == nil)
    }

    @Test(
        "an answer without that list is judged as a whole, and named as ever",
        arguments: [
            "{\"items\": {\"a\": {\"id\": 1, \"text\": \"LONG\"}}}", "{\"error\": \"LONG\"}",
            "{\"items\": null, \"text\": \"LONG\"}",
            "<html>LONG</html>", "{\"items\": [], \"text\": \"LONG\"}", "[{\"id\": 1, \"text\": \"LONG\"}]",
            "{\"items\": [LONG]}",
            "{\"items\": \"LONG\"}",
        ]
    )
    func noList(_ body: String) async throws {
        let body = body.replacing("LONG", with: String(repeating: "x", count: 4_300_000))
        _ = try await Self.same("records: '.items[]'", isInPieces: false) { _, _ in .json(body) }
    }

    @Test("text in another encoding than UTF-8 is read as the header says")
    func otherEncoding() async throws {
        let outcome = try await Self.same("records: .items", isInPieces: false) { _, _ in
            .json("{\"items\": \(Self.first)}", "Content-Type: application/json; charset=ISO-8859-1")
        }
        #expect(outcome.ids.count == Self.many)
    }

    @Test("a broken element is a dead letter with its line, and the others are given")
    func brokenElement() async throws {
        let body = Self.first.replacing("\"id\": 1000,", with: "\"id\": 1000,,")
        try await LargeAnswers.with(.json(body), "records: .") { bench, transport, _ in
            let reading = try await bench.read(from: transport)
            #expect(reading.error == nil && reading.isComplete)
            #expect(reading.ids == (0..<Self.many).filter { $0 != 1000 })
            let broken = reading.pages.flatMap(\.broken)
            #expect(broken.map { String($0.reason.prefix(27)) } == ["line 1001: it is not JSON: "])
        }
    }

    @Test("what stands before a fault is given, and the next run reads the answer again")
    func cutShort() async throws {
        let body = String("{\"items\": \(Self.first)".dropLast(1000))
        try await LargeAnswers.with(.json(body), "records: .items") { bench, transport, _ in
            let states = MemoryStates()
            let reading = try await bench.read(from: transport, states)
            #expect(reading.error?.code == "page-not-decoded")
            #expect(reading.error?.message.hasSuffix("line \(Self.many): the JSON ends too soon") == true)
            #expect(reading.ids == Array(0..<(Self.many - 1)))
            #expect(!reading.isComplete)
        }
    }

    @Test("what stands beside the list has to be JSON where it is looked at")
    func brokenRest() async throws {
        let body = "{\"items\": \(Self.first), \"next\": nul}"
        try await LargeAnswers.with(.json(body), "records: .items, page: {next: .next}") { bench, transport, _ in
            let reading = try await bench.read(from: transport)
            #expect(reading.error?.code == "page-not-decoded")
            #expect(reading.error?.message.contains("what is beside the list is not JSON") == true)
            #expect(reading.ids == Array(0..<Self.many) && !reading.isComplete)
        }
    }

    @Test("a pass that compares is complete, though the first block gives no record")
    func comparing() async throws {
        let outcome = try await Self.same(
            "records: '.items[] | select(.id > 1500)', deletes: {missing: true}, page: {cursor: {from: .next, param: after}}",
            Self.pages(1) { things, _, _ in "{\"items\": \(things), \"next\": null}" }
        )
        #expect(outcome.ids == Array(1501..<Self.many) && outcome.error == nil && outcome.isComplete)
    }

    @Test(
        "a last element that is larger than any limit of a page leads on all the same",
        arguments: ["{link: next}", "{next: .next}"]
    )
    func hugeLastElement(_ page: String) async throws {
        let huge = "{\"id\": 1, \"text\": \"\(String(repeating: "x", count: 65 << 20))\"}"
        try await LargeAnswers.with(
            { _, at in
                if at > 0 { return .json("{\"items\": [{\"id\": 2}]}") }
                return .json(
                    "{\"next\": \"/t?after=1\", \"items\": [{\"id\": 0}, \(huge)]}",
                    "Link: </t?after=1>; rel=next"
                )
            },
            "records: .items, page: \(page)",
            limit: "128MiB"
        ) { bench, transport, _, server in
            let reading = try await bench.read(from: transport)
            #expect(reading.ids == [0, 1, 2] && reading.error == nil && reading.isComplete)
            #expect(server.asked.map(\.target) == ["/t", "/t?after=1"])
        }
    }

    @Test("a disk that does not take an answer leaves it in memory, where it fits")
    func noDisk() async throws {
        try await LargeAnswers.with(.json("{\"items\": \(Self.first)}"), "records: .items") { bench, transport, space in
            for full in [true, false] {
                var bench = bench
                if full {
                    bench.options.scratchRoom = ScratchRoom(limit: 4_300_000)
                } else {
                    bench.options.scratchFolder = space.path + "/missing"
                }
                let reading = try await bench.read(from: transport)
                #expect(reading.ids == Array(0..<Self.many) && reading.error == nil && reading.isComplete)
                #expect(reading.pages.count > 1)
                #expect(space.openModes == [])
            }
        }
    }

    @Test("a dry run looks beside the list for more than the stream reads")
    func unread() async throws {
        let body = "{\"items\": \(Self.first), \"next_page\": 2}"
        try await LargeAnswers.with(.json(body), "records: .items") { bench, transport, _ in
            var bench = bench
            bench.options.isTrial = true
            let reading = try await bench.read(from: transport)
            #expect(reading.ids.count == Self.many && reading.pages.count > 1)
            #expect(bench.events.warnings == ["page-key-missing"])
        }
    }
}
