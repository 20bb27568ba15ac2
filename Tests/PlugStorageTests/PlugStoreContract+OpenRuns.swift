import PlugCore
import PlugStorage
import TestKit
import Testing

/// Runs that hold their connections.
extension PlugStoreContract {
    private func open(_ connection: ConnectionID, _ store: any PlugStore, _ clock: MovableClock) async throws
        -> OpenedRun
    {
        let start = RunStart(connection: connection, version: "1.0.0", at: clock.now())
        return try await store.openRun(start, plug: "p", pda: pda, streams: ["plays"])
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aRunThatHoldsItsConnectionIsSummedUpOnce(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            let opened = try await open(bob, store, clock)
            try await store.commit(StreamCommit(stream: plays, pass: 1, states: ["": StreamState([1])]))
            clock.advance(.seconds(2))
            for outcome in ["failed", "done"] {
                try await store.endRun(opened.id, outcome: outcome, report: [7], tally: RunTally(records: 3))
            }
            opened.lease?.end()
            let sums = try await store.runSums(of: "p", since: 0)
            #expect(sums.map(\.outcome) == ["failed"] && sums.map(\.microseconds) == [2_000_000])
            #expect(try await store.run(opened.id)?.report == [7])
            #expect(try await store.state(of: plays, part: "") == StreamState([1]))
        }
    }

    /// No program erases a connection without its lease; where one did, a run's writes must not go anywhere else.
    @Test(arguments: StoreUnderTest.allCases)
    func whatWasErasedDuringARunIsNotWrittenAgain(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            let opened = try await open(bob, store, clock)
            _ = try await store.eraseConnection(bob)
            _ = try await store.openConnection(ConnectionID("eve"), plug: "p", pda: pda)
            #expect(await code { try await store.commit(StreamCommit(stream: plays, pass: 1)) } == "connection-unknown")
            #expect(await code { try await store.endRun(opened.id, outcome: "done", report: []) } == "run-unknown")
            #expect(try await store.runSums(of: "p", since: 0) == [])
            opened.lease?.end()
        }
    }
}
