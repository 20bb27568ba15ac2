import PlugCore
import PlugStorage
import TestKit
import Testing

extension PlugStoreContract {
    @Test(arguments: StoreUnderTest.allCases)
    func statesStayUntilTheyAreReplaced(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            #expect(try await store.state(of: plays, part: "") == nil)
            try await store.commit(
                StreamCommit(stream: plays, pass: 1, states: ["": StreamState([1]), "album/1": StreamState([2, 3])])
            )
            try await store.commit(StreamCommit(stream: plays, pass: 1, states: ["": StreamState([])]))
            #expect(try await store.state(of: plays, part: "") == StreamState([]))
            #expect(try await store.state(of: plays, part: "album/1") == StreamState([2, 3]))
            #expect(try await store.state(of: plays, part: "album/2") == nil)
            #expect(try await store.state(of: StreamID(connection: bob, stream: "likes"), part: "") == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aProfileStaysUntilItIsReplaced(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            #expect(try await store.profile(of: plays) == nil)
            let known = KnownMembers(
                origin: ".items",
                passes: 2,
                names: [[97]: true, [97, 0, 98]: false],
                isCut: true
            )
            let profile = StreamProfile(hidden: HiddenMembers(["email", ""], hidesIdentity: true), members: known)
            try await store.commit(
                StreamCommit(stream: plays, pass: 1, states: ["": StreamState([1])], profile: profile)
            )
            try await store.commit(StreamCommit(stream: plays, pass: 1, completesPass: true))
            #expect(try await store.profile(of: plays) == profile)
            #expect(try await store.snapshot(of: plays).profile == profile)
            try await store.commit(StreamCommit(stream: plays, pass: 2, profile: StreamProfile()))
            #expect(try await store.profile(of: plays) == StreamProfile())
            await #expect(throws: PlugError.self) {
                try await store.commit(StreamCommit(stream: plays, pass: 1, profile: profile))
            }
            #expect(try await store.profile(of: plays) == StreamProfile())
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aLedgerHoldsTheLastCompletePassAndTheOpenOne(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            #expect(try await store.currentPass(of: plays) == 1)
            try await store.commit(StreamCommit(stream: plays, pass: 1, ledger: packed(1, 2)))
            try await store.commit(StreamCommit(stream: plays, pass: 1))
            try await store.commit(StreamCommit(stream: plays, pass: 1, ledger: packed(3), completesPass: true))
            #expect(try await store.currentPass(of: plays) == 2)
            try await store.commit(StreamCommit(stream: plays, pass: 2, ledger: packed(4)))
            #expect(
                try await ledger(store, plays) == [
                    LedgerRow(pass: 1, packed: packed(1, 2)), LedgerRow(pass: 1, packed: packed(3)),
                    LedgerRow(pass: 2, packed: packed(4)),
                ]
            )
            try await store.commit(StreamCommit(stream: plays, pass: 2, completesPass: true))
            #expect(try await ledger(store, plays) == [LedgerRow(pass: 2, packed: packed(4))])
            #expect(try await store.currentPass(of: plays) == 3)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func anInventoryHoldsTheLastCompletePassAndTheOpenOne(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(StreamCommit(stream: plays, pass: 1, inventory: [1]))
            try await store.commit(StreamCommit(stream: plays, pass: 1, inventory: [2, 3], completesPass: true))
            try await store.commit(StreamCommit(stream: plays, pass: 2, inventory: [4]))
            #expect(try await inventory(store, plays, pass: 1) == [[1], [2, 3]])
            #expect(try await inventory(store, plays, pass: 2) == [[4]])
            try await store.commit(StreamCommit(stream: plays, pass: 2, completesPass: true))
            #expect(try await inventory(store, plays, pass: 1) == [])
            #expect(try await inventory(store, plays, pass: 2) == [[4]])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aCommitOfAnotherPassStoresNothing(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(StreamCommit(stream: plays, pass: 1, completesPass: true))
            let before = try await everything(store, plays)
            for pass: Int64 in [1, 3] {
                let error = await #expect(throws: PlugError.self) {
                    try await store.commit(try fullCommit(plays, pass: pass))
                }
                #expect(error?.code == "commit-stale")
                #expect(error?.exit == .tryLater)
                #expect(error?.stream == "plays")
            }
            #expect(try await everything(store, plays) == before)
            #expect(before.pass == 2)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aLedgerOfBrokenFingerprintsIsOurBug(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let commit = StreamCommit(stream: plays, pass: 1, ledger: [1, 2, 3])
            #expect(await code { try await store.commit(commit) } == "ledger-malformed")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func refusalsAreCountedUntilTheyAreSettled(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let (one, two) = (RecordFingerprint(high: .max, low: 0), RecordFingerprint(high: 0, low: 2))
            try await store.commit(StreamCommit(stream: plays, pass: 1, refused: [one, two]))
            try await store.commit(StreamCommit(stream: plays, pass: 1, completesPass: true, refused: [one]))
            #expect(try await store.refusals(of: plays) == [one: 2, two: 1])
            try await store.commit(StreamCommit(stream: plays, pass: 2, settled: [one]))
            #expect(try await store.refusals(of: plays) == [two: 1])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func manyStreamsCommitAtOnceAndOneFailureStaysAlone(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let results = await withTaskGroup(of: (Int, String?).self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let stream = StreamID(connection: bob, stream: "s\(number)")
                        // Every fifth is of a pass that has not begun.
                        let commit = StreamCommit(
                            stream: stream,
                            pass: number.isMultiple(of: 5) ? 7 : 1,
                            states: ["": StreamState([UInt8(number)])],
                            ledger: packed(UInt64(number))
                        )
                        return (number, await code { try await store.commit(commit) })
                    }
                }
                return await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
            }
            for number in 0..<200 {
                let fails = number.isMultiple(of: 5)
                let stream = StreamID(connection: bob, stream: "s\(number)")
                #expect(results[number] == .some(fails ? "commit-stale" : nil))
                let state = try await store.state(of: stream, part: "")
                #expect(state == (fails ? nil : StreamState([UInt8(number)])))
                #expect(try await ledger(store, stream).count == (fails ? 0 : 1))
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aCancelledTaskStillGetsItsCommitDone(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    let commit = StreamCommit(stream: plays, pass: 1, ledger: packed(1))
                    #expect(await code { try await store.commit(commit) } == nil)
                }
            }
            #expect(try await ledger(store, plays) == [LedgerRow(pass: 1, packed: packed(1))])
        }
    }
}
