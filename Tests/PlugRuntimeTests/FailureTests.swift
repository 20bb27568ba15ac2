import LosslessJSON
import PlugCore
import PlugStorage
import Synchronization
import TestKit
import Testing

@testable import PlugRuntime

private let five = (1...5).map { #"{"id":\#($0)}"# }
private let all = (1...5).map { #"{"_id":"demo/items/\#($0)","id":\#($0)}"# }
private let poison = #"{"id":9,"poison":true}"#

struct FailureTests {
    @Test(arguments: [ModelPDA.Fault.cancelled, .cancelledAfter])
    func continuesAnInterruptedRun(_ fault: ModelPDA.Fault) async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.pda.fault(fault, at: 2)
        let task = Mutex<Task<RunReport, Never>?>(nil)
        bench.pda.onRequest { if $0 == 2 { task.withLock { $0?.cancel() } } }
        // Handed over before it begins, so that the second request finds it.
        let running = task.withLock { task in
            let new = Task { await bench.run() }
            task = new
            return new
        }
        let report = await running.value
        #expect(report.outcome == .interrupted)
        #expect(report.exit == .interrupted)
        #expect(try await bench.state() == "2")
        let next = await bench.run()
        #expect(next.outcome == .done)
        #expect(bench.pda.stored == all)
    }

    @Test func losesAndDoublesNothingWhereverTheStoreFails() async throws {
        var failures = 0
        for n in 1... {
            let bench = try Bench()
            bench.source.set(five)
            let store = FailingStore(bench.store, at: n)
            let broken = await bench.run(store)
            guard await store.hasFailed else { break }
            failures += 1
            #expect(broken.error?.code == "store-failed")
            #expect(broken.streams.allSatisfy { $0.counts.isBalanced })
            #expect(await bench.run().outcome == .done)
            #expect(bench.pda.stored == all)
            #expect(await bench.run().line == "done 0: items 5 fetched, 5 known")
        }
        // The run's begin, its first page, the two others in one commit, and its end.
        #expect(failures == 4)
    }

    @Test func stopsAtOnceWhereThePDATakesTheTokenNoMore() async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.pda.fault(.unauthorised, at: 2)
        let report = await bench.run()
        #expect(report.exit == .authorisation)
        #expect(fates(report.streams[0].counts) == "4 fetched, 2 delivered, 2 undelivered")
        #expect(try await bench.state() == "2")
    }

    @Test func takesARecordForPoisonOnceOthersAreAccepted() async throws {
        let bench = try Bench()
        bench.source.set([poison] + five)
        #expect(await bench.run().line == "partial 1: items 6 fetched, 5 delivered, 1 dead")
        #expect(bench.pda.stored == all)
        #expect(try await bench.letters().map(\.identity) == ["demo/items/9"])
        #expect(await bench.run().line == "done 0: items 6 fetched, 6 known")
    }

    @Test func convictsALoneRecordInItsThirdRun() async throws {
        let bench = try Bench()
        bench.source.set([poison])
        for _ in 0..<2 {
            #expect(await bench.run().line == "failed 75 pda-refuses-records: items 1 fetched, 1 undelivered")
            #expect(try await bench.letters().isEmpty)
        }
        #expect(await bench.run().line == "partial 1: items 1 fetched, 1 dead")
        #expect(await bench.run().line == "done 0: items 1 fetched, 1 known")
    }

    @Test func runsTheOtherStreamsWhereOneHasARefusedRecord() async throws {
        var bench = try Bench()
        bench.manifest = try manifest([("items", ["key: [.id]"]), ("others", ["key: [.id]"])])
        bench.source.set([poison])
        bench.source.set(five, of: "others")
        let report = await bench.run()
        #expect(
            report.line == "partial 75 pda-refuses-records: items 1 fetched, 1 undelivered; "
                + "others 5 fetched, 5 delivered"
        )
        #expect(bench.pda.stored == all)
        #expect(try await bench.letters().isEmpty)
    }

    @Test func makesNoDeadLettersWhereThePDARefusesEverything() async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.pda.refuseAll(true)
        let report = await bench.run()
        #expect(report.exit == .tryLater)
        #expect(try await bench.letters().isEmpty)
        #expect(report.streams[0].counts.isBalanced)
        bench.pda.refuseAll(false)
        #expect(await bench.run().outcome == .done)
        #expect(bench.pda.stored == all)
    }

    @Test func remembersRefusalsAndBalancesWhereTheSourceFailsMeanwhile() async throws {
        var bench = try Bench()
        bench.pageSize = 1
        bench.source.set([poison] + five)
        bench.source.fail(at: 1)
        let report = await bench.run()
        #expect(report.line == "failed 65 lines-broken: items 1 fetched, 1 undelivered")
        let stream = StreamID(connection: ConnectionID("ada"), stream: "items")
        #expect(try await bench.store.refusals(of: stream).map(\.value) == [1])
        #expect(try await bench.state() == nil)
    }

    @Test func keepsWhatIsProvedWhileARefusedRecordWaitsForItsVerdict() async throws {
        var bench = try Bench(["key: [.id]", "fields: {n: integer}"])
        bench.pageSize = 3
        let known = (1...3).map { #"{"id":\#($0),"n":\#($0)}"# }
        bench.source.set(known)
        await bench.run()
        bench.source.set(
            [#"{"id":9,"n":1,"poison":true}"#] + known[..<2] + [#"{"id":8,"n":"x"}"#] + known[1...] + known
        )
        // The run's begin, and the proof of two pages (the third has nothing new): then the stream's end fails.
        let store = FailingStore(bench.store, at: 4)
        let report = await bench.run(store)
        #expect(await store.hasFailed)
        #expect(report.error?.code == "store-failed")
        #expect(report.streams[0].counts.isBalanced)
        #expect(try await bench.letters().map(\.record) == [Array(#"{"id":8,"n":"x"}"#.utf8)])
        // The place did not move: the refused record is read again.
        #expect(try await bench.state() == "0")
        #expect(
            await bench.run().line
                == "partial 75 pda-refuses-records: items 9 fetched, 8 known, 1 undelivered"
        )
    }

    @Test func refusesAnExpiredTokenBeforeAnyRequest() async throws {
        let bench = try Bench()
        bench.source.set(five)
        let report = await bench.run { $0.token = token(expiresIn: -1) }
        #expect(report.line == "failed 77 token-expired: items ")
        #expect(bench.pda.requests == 0)
    }

    @Test func keepsARefreshedTokenForTheNextRunUntilTheFileHasANewerOne() async throws {
        let bench = try Bench()
        bench.source.set([five[0]])
        let kept = token(age: 30)
        bench.pda.giveToken(kept.reveal())
        await bench.run()
        bench.source.set([five[0], five[1]])
        await bench.run()
        bench.source.set([five[2]])
        await bench.run { $0.token = token(age: 10) }
        #expect(bench.pda.tokens == [token().reveal(), kept.reveal(), token(age: 10).reveal()])
    }

    @Test(arguments: [
        token(expiresIn: -1), token(age: 300), token(age: -86_400), token(issuer: "bob.example"), Secret("no token"),
    ])
    func aWorseTokenFromAnAnswerReplacesNone(_ worse: Secret) async throws {
        let bench = try Bench()
        bench.source.set(five)
        bench.pda.giveToken(worse.reveal())
        await bench.run()
        bench.source.set([#"{"id":6}"#])
        #expect(await bench.run().outcome == .done)
        #expect(Set(bench.pda.tokens) == [token().reveal()])
    }

    @Test func namesAConnectionWithoutItsSecrets() throws {
        let bench = try Bench()
        func name(_ user: String, _ key: String) -> String {
            PlugRun.connectionName(
                for: RunRequest(
                    manifest: bench.manifest,
                    pda: "https://alice.example",
                    token: token(),
                    config: ["user": .text(user), "key": .text(key)]
                )
            )
        }
        #expect(name("ada", "one") == name("ada", "two"))
        #expect(name("ada", "one") != name("bob", "one"))
        #expect(name("ada", "one").hasPrefix("demo-"))
    }

    @Test func aConnectionKeepsItsNameWhenItsManifestGainsAKeyWithADefault() async throws {
        let bench = try Bench()
        bench.source.set(five)
        func run(_ config: JSONObject, answered: Set<String>?) async -> RunReport {
            await bench.run {
                $0.connection = nil
                $0.config = config
                $0.answered = answered
            }
        }
        let before = await run(["user": .text("ada")], answered: ["user"])
        let after = await run(["user": .text("ada"), "market": .text("GB")], answered: ["user"])
        #expect(after.connection == before.connection)
        #expect(after.line == "done 0: items 5 fetched, 5 known")
        let other = await run(["user": .text("ada"), "market": .text("DE")], answered: ["user", "market"])
        #expect(other.connection != before.connection)
    }

    @Test func aConnectionThatAnEarlierVersionNamedByItsDefaultsIsFoundAgain() async throws {
        let bench = try Bench()
        bench.source.set(five)
        // As an earlier version named it: the market counted, and the manifest had no language yet.
        let old = await bench.run {
            $0.connection = nil
            $0.config = ["user": .text("ada"), "market": .text("GB")]
        }
        let new = await bench.run {
            $0.connection = nil
            $0.config = ["user": .text("ada"), "market": .text("GB"), "language": .text("en")]
            $0.answered = ["user"]
        }
        #expect(new.connection == old.connection)
        #expect(try await bench.store.connections().count == 1)
        let somebodyElse = await bench.run {
            $0.connection = nil
            $0.config = ["user": .text("bob"), "market": .text("GB"), "language": .text("en")]
            $0.answered = ["user"]
        }
        #expect(somebodyElse.connection != old.connection)
    }
}
