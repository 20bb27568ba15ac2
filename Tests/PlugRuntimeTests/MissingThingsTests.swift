import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugRuntime

/// Things that a complete pass does not find any more, with `deletes: {missing: true}`.
struct MissingThingsTests {
    private static let lines = ["key: [.id]", "version: .at", "deletes: {missing: true, max: 50%}"]

    private func thing(_ id: Int, at version: Int = 1) -> String { #"{"at":\#(version),"id":\#(id)}"# }

    private func gone(_ id: Int, at version: Int = 1) -> String {
        #"{"_id":"demo/items/\#(id)@\#(version)@deleted","deleted":true,"of":"demo/items/\#(id)"}"#
    }

    @Test func aThingThatIsMissingIsToldOfOnce() async throws {
        let bench = try Bench(Self.lines)
        bench.source.set((1...5).map { thing($0) })
        #expect(await bench.run().line == "done 0: items 5 fetched, 5 delivered")
        bench.source.set([thing(1), thing(2), thing(4), thing(5)])
        let report = await bench.run()
        #expect(report.line == "done 0: items 5 fetched, 1 delivered, 4 known")
        #expect(report.streams[0].counts.deleted == 1)
        #expect(bench.pda.stored.suffix(1) == [gone(3)])
        #expect(await bench.run().line == "done 0: items 4 fetched, 4 known")
    }

    @Test func aThingThatComesBackWithAnotherVersionMayGoAgain() async throws {
        let bench = try Bench(Self.lines)
        for things in [[thing(1), thing(2)], [thing(1)], [thing(1), thing(2, at: 2)], [thing(1)]] {
            bench.source.set(things)
            await bench.run()
        }
        #expect(bench.pda.stored.suffix(3) == [gone(2), #"{"_id":"demo/items/2@2","at":2,"id":2}"#, gone(2, at: 2)])
    }

    @Test func aPassThatDoesNotEndSaysNothing() async throws {
        let bench = try Bench(Self.lines)
        bench.source.set((1...6).map { thing($0) })
        await bench.run()
        bench.source.set((1...5).map { thing($0) })
        bench.source.fail(at: 4)
        #expect(await bench.run().exit == .data)
        #expect(bench.pda.stored.count == 6)
        bench.source.fail(at: nil)
        // It may have moved to a page that was read before.
        #expect(await bench.run().line == "done 0: items 1 fetched, 1 known")
        #expect(await bench.run().line == "done 0: items 6 fetched, 1 delivered, 5 known")
        #expect(bench.pda.stored.suffix(1) == [gone(6)])
    }

    @Test func whatAnInterruptedPassMissesMayBeThereInTheNext() async throws {
        let bench = try Bench(Self.lines)
        bench.source.set((1...6).map { thing($0) })
        await bench.run()
        bench.source.set((1...5).map { thing($0) })
        bench.source.fail(at: 4)
        #expect(await bench.run().exit == .data)
        bench.source.fail(at: nil)
        await bench.run()
        bench.source.set((1...6).map { thing($0) })
        #expect(await bench.run().line == "done 0: items 6 fetched, 5 known, 1 duplicates")
        bench.source.set((2...6).map { thing($0) })
        #expect(await bench.run().line == "done 0: items 6 fetched, 1 delivered, 5 known")
        #expect(bench.pda.stored.suffix(1) == [gone(1)])
    }

    @Test("more missing things than allowed are held back, until a person accepts them or they are there again")
    func theBrake() async throws {
        let bench = try Bench(Self.lines)
        bench.source.set((1...9).map { thing($0) })
        await bench.run()
        for _ in 0..<2 {
            bench.source.set((1...4).map { thing($0) })
            let report = await bench.run()
            #expect(report.line == "partial 1 deletions-held: items 4 fetched, 4 known")
            #expect(
                report.error?.message
                    == "plug.yaml:14:5: 5 of 9 things are missing, more than 50%: no deletion was delivered, because the "
                    + "source may have given a part of its list only"
            )
        }
        bench.source.set((1...6).map { thing($0) })
        #expect(await bench.run().line == "done 0: items 9 fetched, 3 delivered, 4 known, 2 duplicates")
        bench.source.set([])
        #expect(await bench.run().error?.code == "deletions-held")
        let report = await bench.run { $0.acceptsDeletions = true }
        #expect(report.line == "done 0: items 6 fetched, 6 delivered")
        #expect(Set(bench.pda.stored.suffix(9)) == Set((1...9).map { gone($0) }))
    }

    @Test("exactly as many as allowed are deletions")
    func theLimitItself() async throws {
        let bench = try Bench(["key: [.id]", "version: .at", "deletes: {missing: true}"])
        bench.source.set((1...10).map { thing($0) })
        await bench.run()
        bench.source.set((1...8).map { thing($0) })
        #expect(await bench.run().line == "done 0: items 10 fetched, 2 delivered, 8 known")
        bench.source.set((1...6).map { thing($0) })
        #expect(await bench.run().error?.code == "deletions-held")
    }

    @Test func whatTheSourceSaysIsGoneIsNotMissingAsWell() async throws {
        let bench = try Bench(["key: [.id]", "version: .at", "deletes: {field: .gone, missing: true, max: 100%}"])
        bench.source.set([thing(1), thing(2)])
        await bench.run()
        bench.source.set([thing(1), #"{"at":2,"gone":true,"id":2}"#])
        await bench.run()
        bench.source.set([thing(1)])
        await bench.run()
        #expect(bench.pda.stored.suffix(2) == [#"{"_id":"demo/items/2@1","at":1,"id":2}"#, gone(2, at: 2)])
    }

    @Test("a record that cannot be read may be about any thing, and one that only does not fit is there")
    func deadLetters() async throws {
        var bench = try Bench(Self.lines + ["fields: {n: integer}"])
        bench.pageSize = 20
        bench.source.set((1...8).map { thing($0) })
        await bench.run()
        bench.source.set((1...6).map { thing($0) } + [#"{"id":7,"at":2,"n":"x"}"#])
        #expect(await bench.run().line == "partial 1: items 8 fetched, 1 delivered, 6 known, 1 dead")
        #expect(bench.pda.stored.suffix(1) == [gone(8)])
        bench.source.set((1...5).map { thing($0) } + [thing(7, at: 3), #"{"at":1}"#])
        let report = await bench.run()
        #expect(report.line == "partial 1 deletions-held: items 7 fetched, 1 delivered, 5 known, 1 dead")
        bench.source.set((1...5).map { thing($0) } + [thing(7, at: 3)])
        await bench.run()
        #expect(bench.pda.stored.suffix(1) == [gone(6)])
    }

    @Test func anotherKeyGivesNewNamesAndSaysNothing() async throws {
        var bench = try Bench(Self.lines)
        bench.source.set((1...4).map { thing($0) })
        await bench.run()
        bench.manifest = try manifest([("items", ["key: ['\"n\\(.id)\"']"] + Self.lines.dropFirst())])
        bench.source.set((2...4).map { thing($0) })
        #expect(await bench.run().line == "done 0: items 3 fetched, 3 delivered")
        bench.source.set((3...4).map { thing($0) })
        await bench.run()
        #expect(
            bench.pda.stored.suffix(1) == [#"{"_id":"demo/items/n2@1@deleted","deleted":true,"of":"demo/items/n2"}"#]
        )
    }

    @Test func manyAreToldOfInSteps() async throws {
        var bench = try Bench(Self.lines)
        bench.pageSize = 5_000
        bench.source.set((1...12_000).map { thing($0) })
        await bench.run()
        bench.source.set((5_001...12_000).map { thing($0) })
        #expect(await bench.run().line == "done 0: items 12000 fetched, 5000 delivered, 7000 known")
        #expect(Set(bench.pda.stored.suffix(5_000)) == Set((1...5_000).map { gone($0) }))
    }

    @Test("things are counted, not how often a pass has met them, and the last version is the one that is gone")
    func severalVersions() async throws {
        var bench = try Bench(["key: [.id]", "version: .at", "deletes: {missing: true}"])
        bench.pageSize = 100
        bench.source.set((1...10).flatMap { id in (1...9).map { thing(id, at: $0) } })
        await bench.run()
        bench.source.set((1...9).flatMap { id in (1...9).map { thing(id, at: $0) } })
        await bench.run()
        #expect(bench.pda.stored.suffix(1) == [gone(10, at: 9)])
        bench.source.set([thing(1)])
        #expect(await bench.run().error?.code == "deletions-held")
    }

    @Test func whatAnInterruptedRunHeldBackStaysMissing() async throws {
        var bench = try Bench(["key: [.id]", "version: .at", "deletes: {missing: true}"])
        bench.pageSize = 40_000
        bench.source.set((1...40_000).map { thing($0) })
        await bench.run()
        bench.source.set((1...28_000).map { thing($0) })
        // The things that are kept are committed in steps: the process dies between them.
        let store = FailingStore(bench.store, at: 5)
        await bench.run(store)
        #expect(await store.hasFailed)
        #expect(await bench.run().error?.code == "deletions-held")
        #expect(bench.pda.stored.count == 40_000)
    }

    @Test("what the PDA has stored is told of when it is gone, wherever the process that sent it has died")
    func goneAfterADeath() async throws {
        var deaths = 0
        for call in 1...30 {
            let bench = try Bench(["key: [.id]", "version: .at", "deletes: {missing: true, max: 100%}"])
            bench.source.set((1...3).map { thing($0) })
            let store = FailingStore(bench.store, at: call)
            await bench.run(store)
            deaths += await store.hasFailed ? 1 : 0
            bench.source.set([thing(1)])
            for _ in 0..<3 { await bench.run() }
            for id in 2...3 where bench.pda.stored.contains(#"{"_id":"demo/items/\#(id)@1","at":1,"id":\#(id)}"#) {
                #expect(bench.pda.stored.contains(gone(id)), "\(id), with the commit \(call) missing")
            }
        }
        #expect(deaths > 2)
    }

    @Test("a pass that was read in part without comparing says nothing of what is missing")
    func gaps() async throws {
        var bench = try Bench(Self.lines)
        bench.source.set((1...8).map { thing($0) })
        await bench.run()
        let comparing = bench.manifest
        bench.manifest = try manifest([("items", Array(Self.lines.dropLast()))])
        bench.source.fail(at: 4)
        await bench.run()
        bench.source.fail(at: nil)
        bench.manifest = comparing
        #expect(await bench.run().exit == .done)
        #expect(bench.pda.stored.count == 8)
        #expect(await bench.run().line == "done 0: items 8 fetched, 8 known")
    }

    @Test("whatever is interrupted, what is there and what is gone is told in the end", arguments: 1...100)
    func interruptions(_ seed: UInt64) async throws {
        var numbers = SplitMix(state: seed)
        // What is left out keeps its place: the pages of this source do not shift.
        var bench = try Bench(Self.lines.dropLast() + ["deletes: {missing: true, max: 100%}", "drop_if: .hidden"])
        bench.pageSize = Int.random(in: 1...4, using: &numbers)
        var versions: [Int: Int] = [:]
        var there: Set<Int> = []
        for version in 1...8 {
            for id in 1...7 where Int.random(in: 0..<3, using: &numbers) == 0 {
                if there.remove(id) == nil {
                    there.insert(id)
                    versions[id] = version
                }
            }
            bench.source.set(
                (1...7).map { there.contains($0) ? thing($0, at: versions[$0] ?? 0) : #"{"hidden":true,"id":\#($0)}"# }
            )
            if Bool.random(using: &numbers) { bench.source.fail(at: Int.random(in: 0...7, using: &numbers)) }
            for _ in 0..<2 where Bool.random(using: &numbers) {
                let fault: [ModelPDA.Fault] = [.lostBefore, .lostAfter, .cancelled, .cancelledAfter]
                let request = bench.pda.requests + Int.random(in: 1...4, using: &numbers)
                bench.pda.fault(fault.randomElement(using: &numbers) ?? .lostAfter, at: request)
            }
            await bench.run()
            bench.source.fail(at: nil)
        }
        // An interrupted pass may have met what is gone since: the one after it tells.
        var done = 0
        for _ in 0..<30 where done < 2 { done = await bench.run().outcome == .done ? done + 1 : 0 }
        #expect(done == 2)
        var last: [String: Bool] = [:]
        for record in bench.pda.stored.compactMap({ try? JSONValue(parsing: Array($0.utf8)) }) {
            let id = record["_id"]?.stringText?.split(separator: "@").first.map(String.init) ?? ""
            last[id] = record["deleted"] == nil
        }
        #expect(Set(last.filter(\.value).keys) == Set(there.map { "demo/items/\($0)" }))
    }
}
