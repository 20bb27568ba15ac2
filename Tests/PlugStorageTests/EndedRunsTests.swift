import Foundation
import PlugCore
import TestKit
import Testing

@testable import PlugStorage

/// Sums of runs that end in one transaction.
struct EndedRunsTests {
    private struct Mine: Error {}

    /// Ends runs of ten connections in one transaction, and so in two if another write of it fails.
    @Test(arguments: [false, true])
    func theyCountOnceHoweverOftenTheirTransactionIsRepeated(fails: Bool) async throws {
        let clock = MovableClock()
        try await withFolder { folder in
            try await withSQLiteStore(folder, clock: clock) { store async throws in
                var runs: [OpenedRun] = []
                for number in 0..<10 {
                    let name = ConnectionID("person-\(number)")
                    let start = RunStart(connection: name, version: "1.\(number % 2).0", at: clock.now())
                    runs.append(try await store.openRun(start, plug: "p", pda: pda, streams: []))
                    clock.advance(.seconds(1))
                }
                let writer = try #require(store.content?.writer)
                let (gate, before) = (DispatchSemaphore(value: 0), writer.groupCount)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await writer.perform { _ in gate.wait() } }
                    while writer.groupCount == before { await Task.yield() }
                    for (number, run) in runs.enumerated() {
                        group.addTask {
                            let tally = RunTally(requests: 1, records: 2, error: number < 3 ? "map-failed" : nil)
                            try await store.endRun(
                                run.id,
                                outcome: number < 3 ? "failed" : "done",
                                report: [],
                                tally: tally
                            )
                        }
                    }
                    group.addTask { try? await writer.perform { _ in if fails { throw Mine() } } }
                    while writer.waitingCount < 11 { await Task.yield() }
                    gate.signal()
                    try await group.waitForAll()
                }
                #expect(writer.groupCount - before == (fails ? 3 : 2))
                for plug in ["p", nil] {
                    let sums = try await store.runSums(of: plug, since: 0)
                    #expect(sums.map(\.outcome) == ["done", "failed"] && sums.map(\.runs) == [7, 3])
                    #expect(sums.map(\.tally.requests) == [7, 3] && sums.map(\.tally.records) == [14, 6])
                    #expect(sums.map(\.microseconds) == [28_000_000, 27_000_000])
                }
                #expect(try await store.errorCounts(of: "p", since: 0, limit: 9).map(\.runs) == [3])
                let versions = try await store.versions(of: "p")
                #expect(versions.map(\.version) == ["1.1.0", "1.0.0"])
                #expect(versions.map(\.runs) == [5, 5] && versions.map(\.failed) == [1, 2])
                #expect(versions.map { $0.began.upperBound - $0.began.lowerBound } == [8_000_000, 8_000_000])
                for run in runs { run.lease?.end() }
            }
        }
    }
}
