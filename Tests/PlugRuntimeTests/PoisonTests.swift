import PlugCore
import PlugStorage
import TestKit
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

        // What is new does not wait for it.
        bench.source.set([Self.line(1), Self.stumbling(2), Self.line(3), Self.line(4), Self.line(5), Self.line(6)])
        let second = await bench.run()
        #expect(second.line == "partial 1 pda-unanswered: items 6 fetched, 1 delivered, 5 known")
        #expect(try await bench.waiting() == [["demo/items/2"]])

        bench.pda.stopStumbling()
        let third = await bench.run()
        #expect(third.line == "done 0: items 6 fetched, 6 known")
        #expect(third.outbox.drained == 1 && third.outbox.waiting == 0)
    }

    @Test("where nothing else is sent, what earlier runs have shown of the records that wait is said")
    func nothingElseToSend() async throws {
        var bench = try Bench()
        bench.pageSize = 3
        bench.source.set([Self.line(1), Self.stumbling(2), Self.line(3)])
        #expect(await bench.run().error?.code == "pda-unanswered")
        for _ in 0..<12 {
            let report = await bench.run()
            #expect(report.line == "partial 1 pda-unanswered: items 3 fetched, 3 known")
            #expect(
                report.error?.message
                    == "the PDA gave no answer to the records of 1 batch in the outbox, again in this run; it "
                    + "accepted others in an earlier run, and nothing else was sent in this one"
            )
        }
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

    @Test("a batch of which no record gets an answer holds up nothing behind it", arguments: [1, 3, 40])
    func aWholeBatch(bad: Int) async throws {
        var bench = try Bench()
        bench.pageSize = bad
        let good = (101...(100 + 2 * bad)).map(Self.line)
        bench.source.set((1...bad).map(Self.stumbling) + good)
        let first = await bench.run()
        #expect(first.exit == .failed && first.error?.code == "pda-unanswered")
        #expect(bench.pda.stored.count == good.count)
        #expect(try await bench.waiting().joined().count == bad)
        bench.pda.stopStumbling()
        #expect(await bench.run().exit == .done)
        #expect(bench.pda.stored.count == good.count + bad)
    }

    @Test("many batches in a row that get no answer hold up nothing behind them")
    func manyBatches() async throws {
        var bench = try Bench()
        bench.pageSize = 1
        bench.source.set((1...40).map(Self.stumbling) + (101...140).map(Self.line))
        #expect(await bench.run { $0.queuesEverything = true }.exit != .bug)
        bench.source.set([])
        // The model's chance is one half: the third batch that is tried is in the middle of those that remain.
        for _ in 0..<3 where bench.pda.stored.count < 40 { await bench.run() }
        #expect(bench.pda.stored.count == 40)
        #expect(try await bench.waiting().count == 40)
    }

    @Test("a stream of which nothing gets an answer holds up no other stream, whichever is sent first")
    func anotherStream() async throws {
        for bad in ["items", "others"] {
            var bench = try Bench()
            bench.manifest = try manifest([("items", ["key: [.id]"]), ("others", ["key: [.id]"])])
            bench.source.set((1...6).map(bad == "items" ? Self.stumbling : Self.line), of: "items")
            bench.source.set((7...12).map(bad == "others" ? Self.stumbling : Self.line), of: "others")
            let report = await bench.run()
            // Where nothing is sent after them, nothing shows that it is not the PDA.
            #expect(report.error?.code == (bad == "items" ? "pda-unanswered" : "pda-failing"))
            #expect(bench.pda.stored.count == 6)
            #expect(try await bench.waiting(bad).joined().count == 6)
        }
    }

    @Test("a newer version of a record that waits goes behind it, and arrives after it")
    func newerVersions() async throws {
        let bench = try Bench(["key: [.id]", "version: .v"])
        func line(_ version: Int, _ more: String = "") -> String { #"{"id":1,"v":\#(version)\#(more)}"# }
        let other = #"{"id":2,"v":1}"#
        bench.source.set([line(1, #","stumble":true"#), other])
        _ = await bench.run()
        bench.source.set([line(2), other])
        let second = await bench.run()
        #expect(second.line == "partial 75 pda-failing: items 2 fetched, 1 known, 1 queued")
        #expect(try await bench.waiting() == [["demo/items/1@1"], ["demo/items/1@2"]])
        bench.pda.stopStumbling()
        #expect(await bench.run().exit == .done)
        #expect(
            bench.pda.stored == [
                #"{"_id":"demo/items/2@1","id":2,"v":1}"#, #"{"_id":"demo/items/1@1","id":1,"stumble":true,"v":1}"#,
                #"{"_id":"demo/items/1@2","id":1,"v":2}"#,
            ]
        )
    }

    @Test("of very many such batches a run tries ten, by chance, so that each has its turn")
    func veryMany() async throws {
        var bench = try Bench()
        bench.pageSize = 1
        bench.source.set((1...20).map(Self.stumbling))
        await bench.run()
        // What is new shows that the PDA takes records.
        bench.source.set([Self.line(101)])
        for _ in 0..<3 { await bench.run() }
        #expect(bench.pda.stored.count == 1)
        #expect(try await bench.store.outboxes(of: ConnectionID("ada")).map(\.unanswered) == [20])

        let before = bench.pda.requests
        bench.source.set([Self.line(102)])
        #expect(await bench.run().error?.code == "pda-unanswered")
        #expect(bench.pda.stored.count == 2)
        // The model's chance is one half, and of 20 a half is to be tried: none this time.
        #expect(bench.pda.requests - before == 1)
    }
}
