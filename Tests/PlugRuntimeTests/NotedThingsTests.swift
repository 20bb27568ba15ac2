import LosslessJSON
import PlugCore
import PlugManifest
import PlugStorage
import Synchronization
import TestKit
import Testing

@testable import PlugRuntime

/// What an open pass has found is written down once, however often it begins anew.
struct NotedThingsTests {
    /// Gives the source's things on two pages and fails then, so that each run begins anew; or does not.
    private struct Restarting: Fetcher {
        let records: [String]
        let fails: Bool

        func withReader<Result>(
            of stream: String,
            from states: any StreamStates,
            _ body: (any PageReader) async throws -> Result
        ) async throws -> Result {
            var pages: [FetchedPage] = []
            let middle = records.count / 2
            for (at, part) in [records[..<middle], records[middle...]].enumerated() {
                let records = try part.map { try JSONDocument(bytes: Array($0.utf8)).root }
                let isLast = at == 1
                var page = FetchedPage(
                    records: records,
                    states: ["": StreamState(Array("{}".utf8))],
                    endsPass: isLast && !fails,
                    origin: "here"
                )
                page.beginsPass = at == 0
                pages.append(page)
            }
            return try await body(Pages(pages, fails))
        }
    }

    private actor Pages: PageReader {
        private var pages: [FetchedPage]
        private let fails: Bool
        init(_ pages: [FetchedPage], _ fails: Bool) { (self.pages, self.fails) = (pages, fails) }
        func next() throws -> FetchedPage? {
            if pages.isEmpty, fails { throw PlugError("children-failed", exit: .failed, "one failed") }
            return pages.isEmpty ? nil : pages.removeFirst()
        }
    }

    private let bench: Bench

    init() throws { bench = try Bench(["key: [.id]", "version: .at", "deletes: {missing: true, max: 100%}"]) }

    private func thing(_ id: Int, at version: Int = 1) -> String { #"{"at":\#(version),"id":\#(id)}"# }

    @discardableResult
    private func run(_ records: [String], fails: Bool = true) async -> String? {
        var request = RunRequest(
            manifest: bench.manifest,
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada")]
        )
        request.connection = "ada"
        let fetcher = Restarting(records: records, fails: fails)
        let run = PlugRun(request, store: bench.store, transport: bench.pda, clock: bench.clock, fetcher: fetcher)
        return await run.run().error?.code.text
    }

    /// How many bytes are written down of the open pass.
    private func written() async throws -> Int {
        let count = Mutex(0)
        let stream = StreamID(connection: ConnectionID("ada"), stream: "items")
        let open = try await bench.store.snapshot(of: stream).pass
        try await bench.store.forEachInventoryRow(of: stream, pass: open, newestFirst: false) { row in
            count.withLock { $0 += row.count }
        }
        return count.withLock { $0 }
    }

    @Test func aPassThatBeginsAnewInEachRunDoesNotGrow() async throws {
        let things = (1...6).map { thing($0) }
        #expect(await run(things) == "children-failed")
        let first = try await written()
        #expect(first > 6 * 15)
        for _ in 0..<5 { await run(things) }
        #expect(try await written() == first)
        // What has changed is new once.
        let changed = [thing(1, at: 2)] + things.dropFirst()
        await run(changed)
        let second = try await written()
        #expect(second > first && second < first + 40)
        for _ in 0..<5 { await run(changed) }
        #expect(try await written() == second)
    }

    @Test("of what goes to and fro the last word counts")
    func toAndFro() async throws {
        let others = [thing(2), thing(3)]
        for version in [1, 2, 1, 2, 2, 3] { await run([thing(1, at: version)] + others) }
        #expect(await run([thing(1, at: 2)] + others, fails: false) == nil)
        #expect(await run(others, fails: false) == nil)
        let gone = #"{"_id":"demo/items/1@2@deleted","deleted":true,"of":"demo/items/1"}"#
        #expect(bench.pda.stored.suffix(1) == [gone])
    }

    @Test("what an attempt has found that is gone by the next is told of by the pass after it")
    func goneBetweenAttempts() async throws {
        await run([thing(1), thing(2), thing(3)])
        #expect(await run([thing(2), thing(3)], fails: false) == nil)
        #expect(await run([thing(2), thing(3)], fails: false) == nil)
        let gone = #"{"_id":"demo/items/1@1@deleted","deleted":true,"of":"demo/items/1"}"#
        #expect(bench.pda.stored.suffix(1) == [gone])
    }
}
