import CurlTransport
import LosslessJSON
import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugRuntime

struct BoundedRunTests {
    /// A clock whose waits end when the PDA is asked.
    private struct SignalledClock: HostClock {
        let base = StillClock()
        let isAsked: @Sendable () -> Bool
        func now() -> Int64 { base.now() }
        func random() -> Double { 0.5 }
        func sleep(for duration: Duration) async throws {
            while !isAsked() {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    /// A PDA that never answers.
    private final class SilentPDA: HTTPSending {
        private let asked = Latch()
        var isAsked: Bool { asked.isSet }
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            asked.set()
            while !Task.isCancelled { await Task.yield() }
            throw HTTPError(.cancelled, "cancelled", mayHaveArrived: true)
        }
    }

    @Test("a run ends when its time is over, says so, and keeps its place")
    func timeLimit() async throws {
        let bench = try Bench()
        bench.source.set([#"{"id":1}"#])
        let pda = SilentPDA()
        var request = RunRequest(
            manifest: bench.manifest,
            pda: "https://alice.example",
            token: token(),
            config: ["user": .text("ada")]
        )
        request.connection = "ada"
        request.limits.time = .seconds(5400)
        let run = PlugRun(
            request,
            store: bench.store,
            transport: pda,
            clock: SignalledClock { pda.isAsked },
            fetcher: LineFetcher(source: bench.source, pageSize: 2)
        )
        let report = await run.run()
        #expect(report.error?.code == "run-time-limit")
        #expect(report.error?.message == "the run reached its time limit (90m)")
        #expect(report.exit == .tryLater)
        #expect(await bench.run().line == "done 0: items 1 fetched, 1 delivered")
    }

    @Test("a run that is asked to make room ends behind a page, and goes on there")
    func yieldingRun() async throws {
        var bench = try Bench()
        bench.pageSize = 2
        bench.source.set([#"{"id":1}"#, #"{"id":2}"#, #"{"id":3}"#, #"{"id":4}"#, #"{"id":5}"#])
        let signal = YieldSignal()
        signal.ask()
        let report = await bench.run { $0.yielding = signal }
        #expect(report.line == "partial 75 run-yielded: items 2 fetched, 2 delivered")
        #expect(report.error?.message == "the run made room for others that were due")
        #expect(await bench.run().line == "done 0: items 3 fetched, 3 delivered")
    }

    @Test("records of one page with one _id and different contents are all delivered, and end the run with 1")
    func identityConflicts() async throws {
        var bench = try Bench(["key: [.type]", "version: none"])
        bench.pageSize = 3
        bench.source.set([
            #"{"type":"a","n":1}"#, #"{"type":"b","n":2}"#, #"{"type":"a","n":3}"#, #"{"type":"c","n":4}"#,
            #"{"type":"c","n":4}"#,
        ])
        let report = await bench.run()
        #expect(report.line == "partial 1 id-conflict: items 5 fetched, 4 delivered, 1 known")
        #expect(
            report.error?.message
                == "plug.yaml:12:5: 1 record has the _id of another record of this pass but different contents; the first: "
                + "'demo/items/a'"
        )
        let dry = await bench.run { $0.isDryRun = true }
        #expect(dry.line == "partial 1 id-conflict: items 5 fetched, 1 known, 4 undelivered")
    }

    @Test("a list that has become empty is told apart from one with nothing new")
    func emptyPass() async throws {
        let bench = try Bench()
        bench.source.set([#"{"id":1}"#])
        #expect(await bench.run().line == "done 0: items 1 fetched, 1 delivered")
        #expect(await bench.run().line == "done 0: items 1 fetched, 1 known")
        #expect(bench.warnings.all == [])
        bench.source.set([])
        #expect(await bench.run().line == "done 0: items ")
        #expect(bench.warnings.all == ["source-empty"])
    }

    @Test("a change that 'version: none' rules out is told, and one that 'version' does not show is not")
    func changesWithoutAVersion() async throws {
        for (version, warnings) in [("version: none", ["version-none"]), ("version: .v", [])] {
            let bench = try Bench(["key: [.id]", version])
            bench.source.set([#"{"id":1,"v":1,"n":1}"#])
            #expect(await bench.run().line == "done 0: items 1 fetched, 1 delivered")
            bench.source.set([#"{"id":1,"v":1,"n":2}"#])
            #expect(await bench.run().line == "done 0: items 1 fetched, 1 known")
            #expect(bench.warnings.all == warnings)
        }
    }

    @Test(
        "a key that repeats on different pages is found",
        arguments: ["", "version: none", "version: .v"]
    )
    func conflictsBetweenPages(version: String) async throws {
        var bench = try Bench(["key: [.id]"] + (version.isEmpty ? [] : [version]))
        bench.pageSize = 20
        bench.source.set((0..<40).map { #"{"id":\#($0 % 25),"n":\#($0),"v":1}"# })
        let report = await bench.run()
        #expect(report.line == "partial 1 id-conflict: items 40 fetched, 40 delivered")
        #expect(report.error?.message.contains("15 records have the _id of another record") == true)
        #expect(await bench.run().line == "done 0: items 40 fetched, 40 known")
        let dry = await bench.run { $0.isDryRun = true }
        #expect(dry.error?.code == "id-conflict")
    }

    @Test(
        "a record that moves to the next page unchanged is no conflict",
        arguments: ["", "version: none", "version: .v"]
    )
    func movedRecords(version: String) async throws {
        var bench = try Bench(["key: [.id]"] + (version.isEmpty ? [] : [version]))
        bench.pageSize = 20
        bench.source.set((0..<40).map { #"{"id":\#($0 % 25),"v":1}"# })
        for count in ["25 delivered, 15 known", "40 known"] {
            #expect(await bench.run().line == "done 0: items 40 fetched, \(count)")
        }
    }

    @Test(
        "a secret that a service repeats in a record's key is not shown",
        arguments: [
            // The secret, the lines of the stream, and what is shown of the `_id`.
            ("s3cret", ["key: [.id]", "version: none"], "demo/items/a <redacted> b"),
            ("s3,c@r%t", ["key: [.id, .n]", "version: .v"], "demo/items/a <redacted> b,1@2"),
        ],
        [false, true]
    )
    func secretInTheKey(conflict: (secret: String, lines: [String], shown: String), isDryRun: Bool) async throws {
        let bench = try Bench(conflict.lines)
        bench.source.set([1, 2].map { #"{"id":"a \#(conflict.secret) b","n":1,"v":2,"other":\#($0)}"# })
        let report = await bench.run {
            $0.isDryRun = isDryRun
            $0.config["key"] = .text(conflict.secret)
        }
        #expect(
            report.error?.message
                == "plug.yaml:12:5: 1 record has the _id of another record of this pass but different contents; the first: "
                + "'\(conflict.shown)'"
        )
    }

    @Test("a long key is cut where no secret stands")
    func longKeyWithASecret() async throws {
        let bench = try Bench(["key: [.id]", "version: none"])
        let long = String(repeating: "x", count: 87)
        bench.source.set([1, 2].map { #"{"id":"\#(long)s3cret-and-more","n":\#($0)}"# })
        let report = await bench.run { $0.config["key"] = .text("s3cret-and-more") }
        #expect(report.error?.message.hasSuffix("the first: 'demo/items/\(long)<r'") == true)
    }

    @Test("a dry run counts what does not fit, and says so by its exit code")
    func dryRunMisfits() async throws {
        var bench = try Bench()
        bench.pageSize = 4
        bench.source.set([#"{"id":1}"#, #"{"id":2}"#, #"{"n":3}"#, #"{"id":4}"#])
        let report = await bench.run { $0.isDryRun = true }
        #expect(report.line == "partial 1: items 4 fetched, 1 dead, 3 undelivered")
        #expect(bench.warnings.all.contains("key-null"))
    }

    @Test("a version that none of many records has is an error", arguments: [false, true])
    func unmetVersions(isDryRun: Bool) async throws {
        let bench = try Bench(["key: [.id]", "version: .updatd"])
        bench.source.set((1...20).map { #"{"id":\#($0)}"# })
        let report = await bench.run { $0.isDryRun = isDryRun }
        #expect(report.error?.code == "version-unmet")
        #expect(report.exit == .failed)
        #expect(bench.pda.stored.count == (isDryRun ? 0 : 20))
    }

    @Test(
        "a version that is null as long as nothing has changed is none that is missing",
        arguments: [(".editedAt", #""editedAt":null"#), (".edit.at", #""edit":null"#), ("(.a // .b)", #""c":1"#)]
    )
    func nullVersions(version: String, member: String) async throws {
        let bench = try Bench(["key: [.id]", "version: \(version)"])
        bench.source.set((1...20).map { #"{"id":\#($0),\#(member)}"# })
        let report = await bench.run()
        #expect(report.error == nil)
        #expect(report.exit == .done)
        #expect(bench.pda.stored.count == 20)
    }

    @Test("a cast that meets its member in none of many records is named, with its place", arguments: [false, true])
    func unmetCasts(isDryRun: Bool) async throws {
        let bench = try Bench(["key: [.id]", "fields: {id: integer, creatdAt: time}"])
        bench.source.set((1...19).map { #"{"id":\#($0)}"# })
        await bench.run { $0.isDryRun = isDryRun }
        // The member may be one that is seldom there.
        #expect(!bench.warnings.all.contains("cast-unmet"))
        bench.source.set((1...20).map { #"{"id":\#($0)}"# })
        let report = await bench.run { $0.isDryRun = isDryRun }
        // Nothing is missing, so that it is a warning.
        #expect(report.exit == .done)
        #expect(bench.warnings.all.filter { $0 == "cast-unmet" }.count == 1)
    }

    @Test("a program that drops every one of many records is named, with its place", arguments: [false, true])
    func allDropped(isDryRun: Bool) async throws {
        let bench = try Bench(["key: [.id]", "drop_if: .delted | not"])
        bench.source.set((1...19).map { #"{"id":\#($0)}"# })
        await bench.run { $0.isDryRun = isDryRun }
        #expect(bench.warnings.all == [])
        bench.source.set((1...20).map { #"{"id":\#($0)}"# })
        let report = await bench.run { $0.isDryRun = isDryRun }
        #expect(report.exit == .done)
        #expect(bench.warnings.all.filter { $0 == "all-dropped" }.count == 1)
        // One that is left says that the program works.
        bench.source.set((1...20).map { #"{"id":\#($0)}"# } + [#"{"id":21,"delted":true}"#])
        await bench.run { $0.isDryRun = isDryRun }
        #expect(bench.warnings.all.filter { $0 == "all-dropped" }.count == 1)
    }

    @Test("ten runs in a row that move nothing end with a code of their own, and one that moves something begins anew")
    func standstill() async throws {
        let bench = try Bench()
        bench.source.set([#"{"id":1}"#])
        bench.pda.isAway(true)
        var exits: [PlugCore.ExitStatus] = []
        var counts: [Int] = []
        for _ in 0..<12 {
            // What is queued waits, and has not moved.
            bench.source.set([#"{"id":\#(counts.count)}"#])
            let report = await bench.run()
            exits.append(report.exit)
            counts.append(report.runsWithoutProgress)
        }
        #expect(exits == Array(repeating: .tryLater, count: 9) + [.stuck, .stuck, .stuck])
        #expect(counts == Array(1...12))
        bench.pda.isAway(false)
        let healed = await bench.run()
        #expect(healed.exit == .done && healed.runsWithoutProgress == 0)
    }
}
