import PlugCore
import PlugStorage
import TestKit
import Testing

/// Every promise of `PlugStore`, for every implementation.
@Suite(.serialized)
struct PlugStoreContract {
    // MARK: Connections

    @Test(arguments: StoreUnderTest.allCases)
    func aConnectionIsMadeOnceAndRemembered(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let made = try await store.openConnection(bob, plug: "spotify", pda: pda)
            let again = try await store.openConnection(bob, plug: "spotify", pda: pda)
            #expect(made == again)
            #expect(made.id == bob && made.plug == "spotify" && made.pda == pda)
            #expect(made.fingerprintKey.count == 32)
            #expect(made.createdAt > 1_700_000_000_000_000)
            let alice = try await store.openConnection(ConnectionID("alice"), plug: "spotify", pda: pda)
            #expect(alice.fingerprintKey != made.fingerprintKey)
            #expect(try await store.connections() == [alice, made])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aConnectionStaysWithItsPDAAndPlug(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "spotify", pda: pda)
            let error = await #expect(throws: PlugError.self) {
                _ = try await store.openConnection(bob, plug: "spotify", pda: "https://eve.example.org")
            }
            #expect(error?.code == "connection-elsewhere")
            #expect(error?.exit == .configuration)
            #expect(error?.message.contains(pda) == true)
            #expect(error?.message.contains("https://eve.example.org") == true)
            #expect(error?.advice?.contains("--connection") == true)
            #expect(
                await code { _ = try await store.openConnection(bob, plug: "twitter", pda: pda) }
                    == "connection-elsewhere"
            )
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func erasingAConnectionTakesEverythingAlongAndNothingElse(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let eve = StreamID(connection: ConnectionID("eve"), stream: "plays")
            let before = try await store.openConnection(bob, plug: "p", pda: pda)
            _ = try await store.openConnection(eve.connection, plug: "p", pda: pda)
            for stream in [plays, eve] {
                try await store.commit(try fullCommit(stream))
                try await store.keepToken(KeptToken(token: Secret("t"), issuedAt: 5), of: stream.connection)
                _ = try await store.beginRun(RunStart(connection: stream.connection, version: "1.0.0", at: 1))
                let grant = GrantID(connection: stream.connection, name: "oauth2")
                #expect(try await store.keepGrant(Secret("g"), as: grant, replacing: nil) == 1)
            }
            try await store.eraseConnection(bob)
            #expect(try await store.connections().map(\.id) == [eve.connection])
            #expect(try await everything(store, plays) == Everything())
            #expect(try await everything(store, eve).letters == 1)
            #expect(try await everything(store, eve).batches == 1)
            #expect(try await store.runs(of: nil, limit: 9).map(\.start.connection) == [eve.connection])
            let after = try await store.openConnection(bob, plug: "p", pda: "https://other.example.org")
            #expect(after.fingerprintKey != before.fingerprintKey)
            #expect(try await everything(store, plays) == Everything())
            try await store.eraseConnection(ConnectionID("nobody"))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func writesForAnUnknownConnectionAreRefused(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let codes = [
                await code { try await store.commit(StreamCommit(stream: plays, pass: 1)) },
                await code { try await store.keepToken(KeptToken(token: Secret("t"), issuedAt: 1), of: bob) },
                await code { _ = try await store.beginRun(RunStart(connection: bob, version: "1", at: 1)) },
                await code { _ = try await store.keepGrant(Secret("g"), as: oauth, replacing: nil) },
                await code { _ = try await store.lockGrant(oauth) },
                await code { try await store.settle(1, leaving: nil, with: StreamCommit(stream: plays, pass: 1)) },
            ]
            #expect(codes == Array(repeating: "connection-unknown", count: 6))
            let left = try await everything(store, plays)
            #expect(left == Everything())
        }
    }

    // MARK: Tokens

    @Test(arguments: StoreUnderTest.allCases)
    func onlyANewerTokenReplacesTheKeptOne(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            #expect(try await store.keptToken(of: bob) == nil)
            let second = KeptToken(token: Secret("second"), issuedAt: 20)
            let older = KeptToken(token: Secret("first"), issuedAt: 10)
            let twin = KeptToken(token: Secret("twin"), issuedAt: 20)
            for token in [second, older, twin] {
                try await store.keepToken(token, of: bob)
                #expect(try await store.keptToken(of: bob) == second)
            }
            let third = KeptToken(token: Secret("third"), issuedAt: 21)
            try await store.keepToken(third, of: bob)
            #expect(try await store.keptToken(of: bob) == third)
        }
    }

    // MARK: Runs

    @Test(arguments: StoreUnderTest.allCases)
    func runsAreListedNewestFirstWithTheirEnds(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            _ = try await store.openConnection(ConnectionID("eve"), plug: "p", pda: pda)
            let start = RunStart(connection: bob, version: "1.2.0", at: 7)
            let first = try await store.beginRun(start)
            let second = try await store.beginRun(RunStart(connection: ConnectionID("eve"), version: "1.2.0", at: 8))
            let third = try await store.beginRun(RunStart(connection: bob, version: "1.3.0", at: 9))
            #expect(first < second && second < third)
            try await store.endRun(first, outcome: "done", report: Array("{}".utf8))
            let runs = try await store.runs(of: bob, limit: 10)
            #expect(runs.map(\.id) == [third, first])
            #expect(runs[0].outcome == nil && runs[0].endedAt == nil && runs[0].report == [])
            #expect(runs[1].start == start && runs[1].outcome == "done" && runs[1].report == Array("{}".utf8))
            #expect((runs[1].endedAt ?? 0) > 1_700_000_000_000_000)
            #expect(try await store.runs(of: nil, limit: 2).map(\.id) == [third, second])
            #expect(await code { try await store.endRun(99, outcome: "done", report: []) } == "run-unknown")
        }
    }
}
