import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugRuntime

/// Equal rows of a file, wherever reading and delivering it ends.
struct EqualRowsTests {
    private static let rows = [5, 5, 6, 5, 6, 7, 5].map { #"{"day":1,"sum":\#($0)}"# }
    private static let delivered = [
        (5, "1,5"), (5, "1,5,2"), (6, "1,6"), (5, "1,5,3"), (6, "1,6,2"), (7, "1,7"), (5, "1,5,4"),
    ]
    .map { #"{"_id":"demo/items/\#($0.1)","day":1,"sum":\#($0.0)}"# }

    private static func bench() throws -> Bench {
        var bench = try Bench(["key: [.day, .sum]", "version: none", "equal: count"])
        bench.isOneAnswer = true
        bench.source.set(rows)
        return bench
    }

    @Test func eachIsDeliveredOnce() async throws {
        let bench = try Self.bench()
        #expect(await bench.run().line == "done 0: items 7 fetched, 7 delivered")
        #expect(bench.pda.stored == Self.delivered)
        #expect(await bench.run().line == "done 0: items 7 fetched, 7 known")
        bench.source.set(Self.rows + [#"{"day":1,"sum":7}"#])
        #expect(await bench.run().line == "done 0: items 8 fetched, 1 delivered, 7 known")
        #expect(bench.pda.stored.last == #"{"_id":"demo/items/1,7,2","day":1,"sum":7}"#)
    }

    @Test("reading ends behind any page, and the next run has the same rows", arguments: [0, 2, 4, 6])
    func readingEnds(line: Int) async throws {
        let bench = try Self.bench()
        bench.source.fail(at: line)
        _ = await bench.run()
        #expect(bench.pda.stored == Array(Self.delivered.prefix(line)))
        bench.source.fail(at: nil)
        #expect(await bench.run().exit == .done)
        #expect(bench.pda.stored == Self.delivered)
        #expect(await bench.run().line == "done 0: items 7 fetched, 7 known")
    }

    @Test(
        "delivering ends at any request, before or after the PDA has stored it",
        arguments: 1...4,
        [ModelPDA.Fault.cancelled, .cancelledAfter, .lostBefore, .lostAfter]
    )
    func deliveringEnds(request: Int, fault: ModelPDA.Fault) async throws {
        let bench = try Self.bench()
        bench.pda.fault(fault, at: request)
        _ = await bench.run()
        for _ in 0..<2 { _ = await bench.run() }
        #expect(bench.pda.stored.sorted() == Self.delivered.sorted())
        #expect(await bench.run().line == "done 0: items 7 fetched, 7 known")
    }
}
