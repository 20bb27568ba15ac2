import PlugCore
import PlugStore
import Testing

@testable import PlugRuntime

/// Records at which the PDA fails while it takes all others: they wait, and nothing waits for them.
struct PoisonTests {
    private static func line(_ id: Int) -> String { #"{"id":\#(id)}"# }
    private static func stumbling(_ id: Int) -> String { #"{"id":\#(id),"stumble":true}"# }
    private static func stored(_ ids: Int...) -> Set<String> {
        Set(ids.map { #"{"_id":"demo/items/\#($0)","id":\#($0)}"# })
    }

    @Test("a record at which the PDA always fails waits alone, and the run says that somebody should look")
    func waitsAlone() async throws {
        var bench = try Bench()
        bench.pageSize = 3
        bench.source.set([Self.line(1), Self.stumbling(2), Self.line(3), Self.line(4), Self.line(5)])
        let first = await bench.run()
        #expect(first.line == "partial 1 pda-unanswered: items 5 fetched, 4 delivered, 1 queued")
        #expect(Set(bench.pda.stored) == Self.stored(1, 3, 4, 5))
        #expect(try await bench.waiting() == [["demo/items/2"]])

        // It is tried first by the next run, and what is new does not wait for it.
        bench.source.set([Self.line(1), Self.stumbling(2), Self.line(3), Self.line(4), Self.line(5), Self.line(6)])
        let second = await bench.run()
        #expect(second.line == "partial 1 pda-unanswered: items 6 fetched, 1 delivered, 5 known")
        #expect(try await bench.waiting() == [["demo/items/2"]])

        bench.pda.stopStumbling()
        let third = await bench.run()
        #expect(third.line == "done 0: items 6 fetched, 6 known")
        #expect(third.outbox.drained == 1 && third.outbox.waiting == 0)
    }

    @Test("a batch in the outbox with such a record holds up no other batch")
    func inTheOutbox() async throws {
        var bench = try Bench()
        bench.pageSize = 2
        bench.source.set([Self.stumbling(1), Self.line(2), Self.line(3), Self.line(4), Self.line(5)])
        #expect(await bench.run { $0.queuesEverything = true }.exit != .bug)
        bench.source.set([])
        _ = await bench.run()
        #expect(Set(bench.pda.stored) == Self.stored(2, 3, 4, 5))
        #expect(try await bench.waiting() == [["demo/items/1"]])
    }

    @Test("how long a record waits is counted from its first batch on")
    func keepsItsAge() async throws {
        let bench = try Bench()
        bench.source.set([Self.stumbling(1), Self.line(2)])
        _ = await bench.run()
        let id = StreamID(connection: ConnectionID("ada"), stream: "items")
        let since = try await bench.store.outbox(of: id, limit: 9).map(\.at)
        bench.clock.advance(.seconds(86_400))
        _ = await bench.run()
        #expect(try await bench.store.outbox(of: id, limit: 9).map(\.at) == since)
    }

    @Test("a PDA that fails at the only record there is may be out of order: the run asks to be run again")
    func theOnlyRecord() async throws {
        let bench = try Bench()
        bench.source.set([Self.stumbling(1)])
        let report = await bench.run()
        #expect(report.line == "partial 75 pda-failing: items 1 fetched, 1 queued")
        bench.pda.stopStumbling()
        #expect(await bench.run().line == "done 0: items 1 fetched, 1 known")
        #expect(Set(bench.pda.stored).count == 1)
    }
}
