import LosslessJSON
import PlugCore
import PlugManifest
import TestKit
import Testing

@testable import PlugRuntime

/// Parents that are left out because their records do not fit, where only changed ones are read again.
struct LeftOutParentsTests {
    /// Gives these pages, whatever the states say: each with a state, and one for where a parent was left out.
    private struct PageFetcher: Fetcher {
        var pages: [(records: String, ends: Bool)]
        /// Of the parents to which the pages belong.
        var part: @Sendable (Int) -> String = { "p\($0)" }
        /// What comes after them.
        var failure: PlugError?

        func withReader<Result>(
            of stream: String,
            from states: any StreamStates,
            _ body: (any PageReader) async throws -> Result
        ) async throws -> Result {
            var fetched: [FetchedPage] = []
            for (at, page) in pages.enumerated() {
                let records = try JSONDocument(bytes: Array(page.records.utf8)).root.elements ?? []
                let state = StreamState(Array("{\"page\":\(at)}".utf8))
                var next = FetchedPage(records: records, states: ["": state], endsPass: page.ends, origin: "here")
                next.states[part(at)] = state
                next.groups = [.init(part: part(at), count: records.count)]
                next.stateLeavingOut = StreamState(Array("{\"left\":\(at)}".utf8))
                fetched.append(next)
            }
            return try await body(Reader(fetched, failure))
        }
    }

    private actor Reader: PageReader {
        private var pages: [FetchedPage]
        private let failure: PlugError?

        init(_ pages: [FetchedPage], _ failure: PlugError?) { (self.pages, self.failure) = (pages, failure) }

        func next() throws -> FetchedPage? {
            if pages.isEmpty, let failure { throw failure }
            return pages.isEmpty ? nil : pages.removeFirst()
        }
    }

    private static func state(after pages: [(String, Bool)]) async throws -> (state: String?, code: String?) {
        let bench = try Bench(["key: [.id]", "version: none"])
        var request = RunRequest(
            manifest: bench.manifest,
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada")]
        )
        request.connection = "ada"
        let fetcher = PageFetcher(pages: pages.map { (records: $0.0, ends: $0.1) })
        let run = PlugRun(request, store: bench.store, transport: bench.pda, clock: bench.clock, fetcher: fetcher)
        let report = await run.run()
        return (try await bench.state(), report.error?.code.text)
    }

    @Test("a later page of a parent that was left out does not move its position")
    func laterPages() async throws {
        let bench = try Bench(["key: [.id]", "version: none"])
        var request = RunRequest(
            manifest: bench.manifest,
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada")]
        )
        request.connection = "ada"
        let pages = [(records: #"[{"x":1}]"#, ends: false), (#"[{"id":2}]"#, false), (#"[{"id":3}]"#, true)]
        let fetcher = PageFetcher(pages: pages) { $0 < 2 ? "first" : "second" }
        let run = PlugRun(request, store: bench.store, transport: bench.pda, clock: bench.clock, fetcher: fetcher)
        #expect(await run.run().error?.code.text == "records-do-not-fit")
        #expect(try await bench.state(part: "first") == nil)
        #expect(try await bench.state(part: "second") == #"{"page":2}"#)
    }

    @Test("a parent that was left out is told of, too, where another error ends the stream")
    func besideAnotherError() async throws {
        let bench = try Bench(["key: [.id]", "version: none"])
        var request = RunRequest(
            manifest: bench.manifest,
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada")]
        )
        request.connection = "ada"
        for failure in [PlugError(.runTimeLimit, "the source is closed"), nil] {
            let warnings = Notes()
            var fetcher = PageFetcher(pages: [(records: #"[{"x":1}]"#, ends: false), (#"[{"id":2}]"#, failure == nil)])
            fetcher.failure = failure
            let run = PlugRun(
                request,
                store: bench.store,
                transport: bench.pda,
                clock: bench.clock,
                fetcher: fetcher,
                observer: { if case .warning(let code, let message) = $0 { warnings.add("\(code): \(message)") } }
            )
            let report = await run.run()
            if failure != nil {
                #expect(report.error?.message == "the source is closed")
                #expect(warnings.all.count == 1)
                #expect(warnings.all.first?.hasPrefix("records-do-not-fit: ") == true)
                #expect(warnings.all.first?.hasSuffix("; 1 parent was left out; all others are done") == true)
            } else {
                #expect(report.error?.code.text == "records-do-not-fit" && warnings.all == [])
            }
        }
    }

    @Test func withoutThemThePlaceIsThatOfThePages() async throws {
        let (state, code) = try await Self.state(after: [(#"[{"id":1}]"#, false), (#"[{"id":2}]"#, true)])
        #expect(state == #"{"page":1}"# && code == nil)
    }

    @Test func withThemThePlaceRemembersThemOnThisPageAndLater() async throws {
        let misfit = #"[{"x":1}]"#
        for pages in [[(misfit, false), (#"[{"id":2}]"#, true)], [(#"[{"id":1}]"#, false), (misfit, true)]] {
            let (state, code) = try await Self.state(after: pages)
            #expect(state == #"{"left":1}"#)
            #expect(code == "records-do-not-fit")
        }
    }
}
