import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugRuntime

private let three = [#"{"id":1,"n":1}"#, #"{"id":2,"n":2}"#, #"{"id":3,"n":3}"#]

struct RunTests {
    @Test func deliversOnceAndKnowsItAfterwards() async throws {
        let bench = try Bench()
        bench.source.set(three)
        #expect(await bench.run().line == "done 0: items 3 fetched, 3 delivered")
        #expect(
            bench.pda.stored == [
                #"{"_id":"demo/items/1","id":1,"n":1}"#, #"{"_id":"demo/items/2","id":2,"n":2}"#,
                #"{"_id":"demo/items/3","id":3,"n":3}"#,
            ]
        )
        #expect(bench.pda.requests == 2)
        #expect(try await bench.state() == "0")
        #expect(await bench.run().line == "done 0: items 3 fetched, 3 known")
        #expect(bench.pda.requests == 2)
    }

    @Test(arguments: [
        ["key: [.id]"], ["key: [.id]", "version: .n"], ["key: [.id]", "version: none"], ["identity: off"],
    ])
    func knowsUnchangedRecordsWithEveryKindOfIdentity(_ lines: [String]) async throws {
        let bench = try Bench(lines)
        bench.source.set(three)
        await bench.run()
        let requests = bench.pda.requests
        for _ in 0..<2 { #expect(await bench.run().line == "done 0: items 3 fetched, 3 known") }
        #expect(bench.pda.requests == requests)
    }

    @Test(arguments: [
        (["key: [.id]"], "done 0: items 3 fetched, 1 delivered, 2 known"),
        (["key: [.id]", "version: none"], "done 0: items 3 fetched, 3 known"),
        (["key: [.id]", "version: '\"1\"'"], "done 0: items 3 fetched, 3 known"),
        (["identity: off"], "done 0: items 3 fetched, 1 delivered, 2 known"),
    ])
    func sendsChangedContentOnlyWhereNoVersionIsDeclared(_ lines: [String], _ second: String) async throws {
        let bench = try Bench(lines)
        bench.source.set(three)
        await bench.run()
        bench.source.set([three[0], #"{"id":2,"n":"changed"}"#, three[2]])
        #expect(await bench.run().line == second)
    }

    @Test func takesAChangedMapForNoChangeOfTheRecords() async throws {
        var bench = try Bench()
        bench.source.set(three)
        await bench.run()
        bench.manifest = try manifest([("items", ["key: [.id]", "map: '{id: .id, m: .n}'"])])
        #expect(await bench.run().line == "done 0: items 3 fetched, 3 known")
        bench.source.set([three[0], #"{"id":2,"n":"changed"}"#, three[2]])
        #expect(await bench.run().line == "done 0: items 3 fetched, 1 delivered, 2 known")
    }

    @Test func resendsWhatTheLedgerKnowsAndLearnsThatItIsThere() async throws {
        let bench = try Bench()
        bench.source.set(three)
        await bench.run()
        #expect(await bench.run { $0.resends = true }.line == "done 0: items 3 fetched, 3 duplicates")
        #expect(bench.pda.stored.count == 3)
        #expect(await bench.run().line == "done 0: items 3 fetched, 3 known")
    }

    @Test func aKeyIsANumberAndNotItsText() async throws {
        let bench = try Bench()
        for form in ["1", "1.0", "1e0", "10e-1"] {
            bench.source.set([#"{"id":\#(form),"n":1}"#])
            await bench.run()
        }
        #expect(bench.pda.stored == [#"{"_id":"demo/items/1","id":1,"n":1}"#])
    }

    @Test func sendsARecordOnceThatAPassGivesTwice() async throws {
        let bench = try Bench()
        bench.source.set([three[0], three[0], three[1], three[0]])
        #expect(await bench.run().line == "done 0: items 4 fetched, 2 delivered, 2 known")
        #expect(bench.pda.stored.count == 2)
    }

    @Test func countsALostAnswerAsDelivered() async throws {
        let bench = try Bench()
        bench.source.set(three)
        bench.pda.fault(.lostAfter, at: 1)
        #expect(await bench.run().line == "done 0: items 3 fetched, 3 delivered")
        #expect(bench.pda.stored.count == 3)
    }

    @Test func findsOutWhatThePDAHasAfterTheStateIsLost() async throws {
        let bench = try Bench()
        bench.source.set(three)
        await bench.run()
        let report = await bench.run(MemoryStore(clock: StillClock()))
        #expect(report.line == "done 0: items 3 fetched, 3 duplicates")
        #expect(bench.pda.stored.count == 3)
    }

    @Test func keepsRecordsThatDoNotFitAsDeadLettersOnce() async throws {
        let bench = try Bench(["key: [.id]", "map: '{id: .id, n: (.n + 1)}'"])
        bench.source.set([three[0], #"{"id":2,"n":"two"}"#, three[2]])
        #expect(await bench.run().line == "partial 1: items 3 fetched, 2 delivered, 1 dead")
        #expect(await bench.run().line == "done 0: items 3 fetched, 3 known")
        let letters = try await bench.letters().map { String(decoding: $0.record, as: UTF8.self) }
        #expect(letters == [#"{"id":2,"n":"two"}"#])
    }

    @Test func stopsAtAPageOfWhichMoreThanHalfDoesNotFit() async throws {
        let bench = try Bench(["key: [.id]", "map: '{id: .id, n: (.n + 1)}'"])
        bench.source.set([three[0], three[1], #"{"id":3,"n":"a"}"#, #"{"id":4,"n":"b"}"#])
        let report = await bench.run()
        #expect(report.exit == .data)
        #expect(report.line == "partial 65 records-do-not-fit: items 2 fetched, 2 delivered")
        #expect(try await bench.state() == "2")
        #expect(try await bench.letters().isEmpty)
    }

    @Test func letsOtherStreamsRunWhereOneIsBroken() async throws {
        var bench = try Bench()
        bench.manifest = try manifest(["a", "b", "c"].map { ($0, ["key: [.id]"]) })
        bench.source.set([three[0]], of: "a")
        bench.source.set([three[1]], of: "b")
        bench.source.set([three[2]], of: "c")
        bench.source.fail(at: 0, of: "a")
        bench.source.fail(at: 0, of: "c")
        let report = await bench.run()
        #expect(report.line == "partial 65 lines-broken: a ; b 1 fetched, 1 delivered; c ")
        #expect(report.error?.stream == "a")
        #expect(bench.warnings.all == ["lines-broken"])
    }

    @Test func refusesABoundThatNoStreamUnderstands() async throws {
        let bench = try Bench()
        #expect(await bench.run { $0.since = "7d" }.line == "failed 64 since-unused: ")
    }

    @Test func refusesAStreamThatThePlugDoesNotHave() async throws {
        let bench = try Bench()
        #expect(await bench.run { $0.streams = ["others"] }.line == "failed 64 unknown-stream: ")
        #expect(bench.pda.requests == 0)
    }

    @Test func touchesNothingInADryRun() async throws {
        let bench = try Bench()
        bench.source.set(three)
        #expect(await bench.run { $0.isDryRun = true }.line == "done 0: items 3 fetched, 3 undelivered")
        #expect(bench.pda.requests == 0)
        #expect(try await bench.store.connections().isEmpty)
        #expect(
            bench.warnings.all == [1, 2, 3].map { #"demo/items {"_id":"demo/items/\#($0)","id":\#($0),"n":\#($0)}"# }
        )
    }

    @Test func printsItsReportAsOneObject() async throws {
        let bench = try Bench()
        bench.source.set(three)
        var report = await bench.run()
        report.seconds = 0.0416
        #expect(
            report.json.compactText == #"{"plug":"demo","connection":"ada","pda":"https://alice.example","#
                + #""outcome":"done","seconds":0.042,"error":null,"#
                + #""runs_without_progress":0,"outbox":{"drained":0,"dead_letters":0,"waiting":0,"waiting_records":0},"#
                + #""streams":{"items":{"requests":2,"pages":2,"#
                + #""fetched":3,"delivered":3,"known":0,"duplicates":0,"dead_letters":0,"queued":0,"undelivered":0,"#
                + #""deleted":0,"id_conflicts":0,"dropped":0,"filtered":0,"skipped_parents":0,"repaired":0,"bytes_in":20,"bytes_out":20,"#
                + #""waiting":0,"cursor":null}}}"#
        )
    }

    @Test func writesTheSameReportIntoTheStoreThatItGives() async throws {
        let bench = try Bench()
        bench.source.set(three)
        bench.pda.onRequest { _ in bench.clock.advance(.milliseconds(1250)) }
        let report = await bench.run()
        #expect(report.seconds == 2.5)
        let run = try #require(try await bench.store.runs(of: ConnectionID("ada"), limit: 1).first)
        #expect(String(decoding: run.report, as: UTF8.self) == report.json.compactText)
    }
}
