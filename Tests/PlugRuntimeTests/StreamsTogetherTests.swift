import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import TestKit
import Testing

@testable import PlugRuntime

/// Reads lines, each stream once all of them have begun; a stream that is read alone is not kept waiting for ever.
private struct GatheringFetcher: Fetcher {
    let lines: LineFetcher
    let gauge: Gauge
    let count: Int
    var readsStreamsTogether: Bool { true }

    func withReader<Result>(
        of stream: String,
        from states: any StreamStates,
        _ body: (any PageReader) async throws -> Result
    ) async throws -> Result {
        gauge.enter()
        defer { gauge.leave() }
        for _ in 0..<1000 where gauge.most < count { await Task.yield() }
        return try await lines.withReader(of: stream, from: states, body)
    }
}

struct StreamsTogetherTests {
    private func run(_ bench: Bench, _ gauge: Gauge, _ pda: ModelPDA) async throws -> RunReport {
        var request = RunRequest(
            manifest: bench.manifest,
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada")]
        )
        request.connection = "ada"
        let lines = LineFetcher(source: bench.source, pageSize: 2)
        let run = PlugRun(
            request,
            store: bench.store,
            transport: pda,
            clock: bench.clock,
            fetcher: GatheringFetcher(lines: lines, gauge: gauge, count: 3)
        )
        return await run.run()
    }

    private func bench(to endpoint: (String) -> String = { $0 }) throws -> Bench {
        var bench = try Bench()
        bench.manifest = try manifest(["a", "b", "c"].map { (name: $0, lines: ["key: [.id]"]) }, to: endpoint)
        for (at, name) in ["a", "b", "c"].enumerated() {
            bench.source.set((0..<5).map { #"{"id":"\#(name)\#(at * 10 + $0)"}"# }, of: name)
        }
        return bench
    }

    @Test("the streams of a connection are read at the same time, and each keeps its order")
    func together() async throws {
        let (bench, gauge) = (try bench(), Gauge())
        let report = try await run(bench, gauge, bench.pda)
        #expect(gauge.most == 3)
        #expect(report.streams.map { fates($0.counts) } == Array(repeating: "5 fetched, 5 delivered", count: 3))
        for (name, first) in [("a", 0), ("b", 10), ("c", 20)] {
            let ids = bench.pda.ids.filter { $0.hasPrefix(name) }
            #expect(ids == (first..<(first + 5)).map { "\(name)\($0)" })
        }
        let again = try await run(bench, gauge, bench.pda)
        #expect(again.streams.map { fates($0.counts) } == Array(repeating: "5 fetched, 5 known", count: 3))
    }

    @Test("streams of one endpoint follow one another, because they may give the same things")
    func inTurn() async throws {
        let (bench, gauge) = (try bench(to: { _ in "items" }), Gauge())
        let report = try await run(bench, gauge, bench.pda)
        #expect(gauge.most == 1)
        #expect(report.streams.map { fates($0.counts) } == Array(repeating: "5 fetched, 5 delivered", count: 3))
    }

    @Test("a stream that fails leaves the others alone")
    func failingStream() async throws {
        let (bench, gauge) = (try bench(), Gauge())
        bench.source.fail(at: 2, of: "b")
        let report = try await run(bench, gauge, bench.pda)
        #expect(report.error?.code == "lines-broken")
        #expect(
            report.streams.map { fates($0.counts) }
                == ["5 fetched, 5 delivered", "2 fetched, 2 delivered", "5 fetched, 5 delivered"]
        )
    }
}
