import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugRuntime

private let five = (1...5).map { #"{"id":\#($0)}"# }
private let all = (1...5).map { #"{"_id":"demo/items/\#($0)","id":\#($0)}"# }
private let poison = #"{"id":9,"poison":true}"#

extension Bench {
    /// The `_id`s of what waits, a list for each batch.
    func waiting(_ stream: String = "items") async throws -> [[String]] {
        let id = StreamID(connection: ConnectionID("ada"), stream: stream)
        return try await store.outbox(of: id, limit: 99).map { stored in
            let records = stored.batch.records
            return records.entries.map { String(decoding: records.identities[$0.identity], as: UTF8.self) }
        }
    }
}

struct OutboxTests {
    @Test func keepsPagesWhileThePDAIsAwayAndSendsThemFirstWhenItIsBack() async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.pda.isAway(true)
        let clock = bench.clock
        bench.pda.onRequest { _ in clock.advance(.seconds(30)) }
        let away = await bench.run()
        #expect(away.line == "partial 75 pda-no-answer: items 5 fetched, 5 queued")
        #expect(away.outbox == tally(waiting: 3, records: 5))
        #expect(
            try await bench.waiting() == [
                ["demo/items/1", "demo/items/2"], ["demo/items/3", "demo/items/4"], ["demo/items/5"],
            ]
        )
        #expect(try await bench.state() == "0")
        // One page was tried, five times, then its two records alone; the others were not.
        #expect(bench.pda.requests == 7)

        bench.pda.isAway(false)
        bench.source.set(five + [#"{"id":6}"#])
        let back = await bench.run()
        #expect(back.line == "done 0: items 6 fetched, 1 delivered, 5 known")
        #expect(back.outbox == tally(drained: 5))
        #expect(bench.pda.stored == all + [#"{"_id":"demo/items/6","id":6}"#])
        #expect(await bench.run().line == "done 0: items 6 fetched, 6 known")
    }

    @Test func saysOfRecordsOfEarlierRunsThatTheyWait() async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.pda.isAway(true)
        #expect(await bench.run().streams[0].counts.waiting == 5)
        bench.source.set(five + [#"{"id":6}"#])
        let second = await bench.run()
        #expect(second.line == "partial 75 pda-no-answer: items 6 fetched, 5 known, 1 queued")
        #expect(second.streams[0].counts.waiting == 6)
        #expect(second.outbox == tally(waiting: 4, records: 6))
        #expect(second.error?.message.hasSuffix("; 6 records wait in the outbox") == true)
        bench.pda.isAway(false)
        let third = await bench.run()
        #expect(third.streams[0].counts.waiting == 0 && third.outbox == tally(drained: 6))
    }

    @Test func readsNoMoreOnceTheOutboxIsFull() async throws {
        let bench = try Bench()
        bench.source.set((1...9).map { #"{"id":\#($0)}"# })
        bench.pda.isAway(true)
        let small: @Sendable (inout RunRequest) -> Void = { $0.limits.outbox.streamBytes = 100 }
        let first = await bench.run(nil, small)
        // Two pages pass the bound of 100 bytes; the third one was read already and stays with the source.
        #expect(first.line == "partial 75 outbox-full: items 6 fetched, 4 queued, 2 undelivered")
        #expect(try await bench.state() == "4")
        let reads = bench.source.reads
        #expect(await bench.run(nil, small).line == "failed 75 outbox-full: items ")
        #expect(bench.source.reads == reads)
        bench.pda.isAway(false)
        #expect(await bench.run(nil, small).line == "done 0: items 5 fetched, 5 delivered")
        #expect(bench.pda.stored.count == 9)
    }

    @Test func boundsTheWholeHostToo() async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.pda.isAway(true)
        await bench.run { $0.limits.outbox.hostBytes = 1 }
        let other = await bench.run {
            $0.connection = "bob"
            $0.limits.outbox.hostBytes = 1
        }
        #expect(other.error?.code == "pda-no-answer")
        #expect(try await bench.store.outboxSize(of: nil).batches == 1)
        #expect(other.streams[0].counts.isBalanced)
    }

    @Test func sendsEverythingThroughTheOutboxWhereThatIsAsked() async throws {
        let bench = try Bench()
        bench.source.set(five)
        let report = await bench.run { $0.queuesEverything = true }
        #expect(report.line == "done 0: items 5 fetched, 5 delivered")
        #expect(report.outbox == tally())
        #expect(bench.pda.stored == all)
        #expect(await bench.run { $0.queuesEverything = true }.line == "done 0: items 5 fetched, 5 known")
    }

    @Test func keepsWhatCannotBeReadAgainBeforeItIsSent() async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.source.isOneShot(true)
        bench.pda.fault(.unauthorised, at: 2)
        let report = await bench.run()
        #expect(report.line == "partial 77 pda-token: items 4 fetched, 2 delivered, 2 queued")
        #expect(try await bench.waiting() == [["demo/items/3", "demo/items/4"]])
        #expect(await bench.run().line == "done 0: items 1 fetched, 1 delivered")
        #expect(bench.pda.stored == all)
    }

    @Test func losesAndDoublesNothingWhereverTheStoreFails() async throws {
        for n in 1... {
            let bench = try Bench()
            bench.source.set([poison] + five)
            bench.pda.isAway(true)
            await bench.run { $0.limits.outbox.streamBytes = 60 }
            bench.pda.isAway(false)
            let store = FailingStore(bench.store, at: n)
            let broken = await bench.run(store) { $0.queuesEverything = true }
            guard await store.hasFailed else { break }
            #expect(broken.error?.code == "store-failed")
            #expect(broken.streams.allSatisfy { $0.counts.isBalanced })
            for _ in 0..<3 { await bench.run() }
            #expect(bench.pda.stored.sorted() == all)
            #expect(try await bench.letters().map(\.identity) == ["demo/items/9"])
            #expect(try await bench.waiting().isEmpty)
        }
    }

    @Test func aRefusedRecordOfTheOutboxHoldsUpNobody() async throws {
        let bench = try Bench()
        bench.source.set([poison] + five)
        bench.pda.isAway(true)
        await bench.run()
        bench.pda.isAway(false)
        let report = await bench.run()
        // It went to the end of the queue, and was refused again after others had been taken.
        #expect(report.line == "partial 1: items 6 fetched, 6 known")
        #expect(report.outbox == tally(drained: 5, deadLetters: 1))
        #expect(bench.pda.stored == all)
        #expect(try await bench.letters().map(\.identity) == ["demo/items/9"])
        #expect(await bench.run().line == "done 0: items 6 fetched, 6 known")
    }

    @Test func aRefusedRecordAloneInTheOutboxIsConvictedInItsThirdRun() async throws {
        let bench = try Bench()
        bench.source.set([poison])
        bench.pda.isAway(true)
        await bench.run()
        bench.pda.isAway(false)
        for _ in 0..<2 {
            #expect(await bench.run().line == "partial 75 pda-refuses-records: items 1 fetched, 1 known")
            #expect(try await bench.letters().isEmpty)
        }
        let third = await bench.run()
        #expect(third.line == "partial 1: items 1 fetched, 1 known")
        #expect(third.outbox == tally(deadLetters: 1))
        #expect(try await bench.letters().map(\.identity) == ["demo/items/9"])
    }

    @Test func makesNoDeadLettersOfTheOutboxWhereThePDARefusesEverything() async throws {
        let bench = try Bench()
        bench.source.set((1...20).map { #"{"id":\#($0)}"# })
        bench.pda.isAway(true)
        await bench.run()
        bench.pda.isAway(false)
        bench.pda.refuseAll(true)
        for _ in 0..<4 { #expect(await bench.run().exit == .tryLater) }
        #expect(try await bench.letters().isEmpty)
        bench.pda.refuseAll(false)
        #expect(await bench.run().outcome == .done)
        #expect(bench.pda.stored.count == 20)
        #expect(try await bench.waiting().isEmpty)
    }

    @Test func aRetryLearnsAcrossBatchesThatThePDARefusesEverything() async throws {
        var bench = try Bench()
        bench.pageSize = 5
        bench.source.set((1...40).map { #"{"id":\#($0)}"# })
        bench.pda.isAway(true)
        await bench.run()
        bench.pda.isAway(false)
        bench.pda.refuseAll(true)
        for _ in 0..<4 {
            let (counts, error) = try await OutboxRetry(bench.resending()).run()
            #expect(counts.deadLetters == 0 && counts.drained == 0)
            #expect(error?.exit == .tryLater)
        }
        #expect(try await bench.letters().isEmpty)
        bench.pda.refuseAll(false)
        #expect(await bench.run().outbox == tally(drained: 40))
    }

    @Test func whatOneStreamQueuedIsSentOnceAnotherFindsThePDAAgain() async throws {
        var bench = try Bench()
        bench.manifest = try manifest([("items", ["key: [.id]"]), ("others", ["key: [.id]"])])
        bench.source.set(five)
        bench.source.set((6...9).map { #"{"id":\#($0)}"# }, of: "others")
        bench.pda.isAway(true)
        let (pda, clock) = (bench.pda, bench.clock)
        bench.source.onRead("others") {
            pda.isAway(false)
            clock.advance(.seconds(60))
        }
        let report = await bench.run()
        #expect(report.line == "done 0: items 5 fetched, 5 delivered; others 4 fetched, 4 delivered")
        #expect(report.outbox == tally())
        #expect(bench.pda.stored.count == 9)
    }

    @Test func saysWhatIsQueuedOnlyWhereItIsKept() async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.pda.isAway(true)
        // The run's begin, and the first page's commit fails.
        let store = FailingStore(bench.store, at: 2)
        let report = await bench.run(store)
        #expect(await store.hasFailed)
        #expect(report.line == "failed 75 store-failed: items 2 fetched, 2 undelivered")
    }

    @Test func onePoisonedRecordOfFiveHundredCostsAtMostThreeRequests() async throws {
        var bench = try Bench()
        bench.pageSize = 500
        let good = (1...1_499).map { #"{"id":\#($0)}"# }
        bench.source.set(good[..<250] + [#"{"id":9999,"poison":true}"#] + good[250...])
        #expect(await bench.run().line == "partial 1: items 1500 fetched, 1499 delivered, 1 dead")
        // Three batches, and for the poison: skipping errors, alone, and alone again once the second batch was taken.
        #expect(bench.pda.requests == 3 + 3)
    }

    @Test func aDayWithoutThePDAIsCheap() async throws {
        let bench = try Bench()
        let limits: @Sendable (inout RunRequest) -> Void = {
            $0.limits.outbox.streamBytes = 300
            $0.token = token(expiresIn: 200_000)
        }
        bench.pda.isAway(true)
        let clock = bench.clock
        bench.pda.onRequest { _ in clock.advance(.seconds(30)) }
        for hour in 0..<24 {
            bench.source.set((0...hour).flatMap { hour in (1...5).map { #"{"id":\#(hour * 5 + $0)}"# } })
            let report = await bench.run(nil, limits)
            // Once the outbox is full nothing moves, and after ten runs of that somebody should look.
            #expect(report.exit == (report.runsWithoutProgress < 10 ? .tryLater : .stuck))
            try await bench.clock.sleep(for: .seconds(3600))
            #expect(try await bench.store.outboxSize(of: nil).bytes < 300 + 2 * 60)
        }
        #expect(try await bench.letters().isEmpty)
        #expect(bench.pda.requests <= 24 * 7)
        bench.pda.isAway(false)
        let before = bench.pda.requests
        #expect(await bench.run(nil, limits).outcome == .done)
        #expect(bench.pda.stored.count == 120)
        // What was kept and what was read: one request for each page, and none for what was known.
        #expect(bench.pda.requests - before <= 61)
    }
}

private func tally(drained: Int = 0, deadLetters: Int = 0, waiting: Int = 0, records: Int = 0) -> OutboxTally {
    var tally = OutboxTally()
    (tally.drained, tally.deadLetters, tally.waiting, tally.waitingRecords) = (drained, deadLetters, waiting, records)
    return tally
}
