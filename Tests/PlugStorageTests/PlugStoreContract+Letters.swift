import PlugCore
import PlugStorage
import Testing

extension PlugStoreContract {
    @Test(arguments: StoreUnderTest.allCases)
    func deadLettersAreListedOldestFirstAndFiltered(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let eve = StreamID(connection: ConnectionID("eve"), stream: "likes")
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            _ = try await store.openConnection(eve.connection, plug: "p", pda: pda)
            var odd = letter("b")
            odd.stage = .normalise
            odd.record = [0, 255, 10]
            odd.identity = ""
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), odd]))
            try await store.commit(StreamCommit(stream: eve, pass: 1, deadLetters: [letter("c")]))
            let all = try await store.deadLetters(DeadLetterFilter())
            #expect(all.map(\.letter) == [letter("a"), odd, letter("c")])
            #expect(all.map(\.connection) == [bob, bob, eve.connection])
            #expect(all.map(\.stream) == ["plays", "plays", "likes"])
            #expect(all.allSatisfy { $0.at > 1_700_000_000_000_000 })
            func ids(_ filter: DeadLetterFilter) async throws -> [Int64] {
                try await store.deadLetters(filter).map(\.id)
            }
            let (a, b, c) = (all[0].id, all[1].id, all[2].id)
            #expect(a < b && b < c)
            #expect(try await ids(DeadLetterFilter(connection: bob)) == [a, b])
            #expect(try await ids(DeadLetterFilter(stream: "likes")) == [c])
            #expect(try await ids(DeadLetterFilter(connection: bob, stream: "likes")) == [])
            #expect(try await ids(DeadLetterFilter(after: a, limit: 1)) == [b])
            #expect(try await store.deadLetter(b) == all[1])
            #expect(try await store.deadLetter(c + 1) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func anOpenedRunKnowsWhetherDeadLettersAreKept(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let eve = StreamID(connection: ConnectionID("eve"), stream: "likes")
            func hasDeadLetters() async throws -> Bool {
                let start = RunStart(connection: bob, version: "1.0.0", at: 7)
                let opened = try await store.openRun(start, plug: "p", pda: pda, streams: ["plays"])
                opened.lease?.end()
                return opened.hasDeadLetters
            }
            #expect(try await hasDeadLetters() == false)
            _ = try await store.openConnection(eve.connection, plug: "p", pda: pda)
            try await store.commit(StreamCommit(stream: eve, pass: 1, deadLetters: [letter("c")]))
            #expect(try await hasDeadLetters())
            _ = try await store.removeDeadLetters(try await store.deadLetters(DeadLetterFilter()).map(\.id))
            #expect(try await hasDeadLetters() == false)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func removedDeadLettersAreGoneAndTheirNumbersAreNotUsedAgain(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")]))
            let ids = try await store.deadLetters(DeadLetterFilter()).map(\.id)
            #expect(try await store.removeDeadLetters([ids[1], 4_711]) == 1)
            #expect(try await store.removeDeadLetters([ids[1]]) == 0)
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("c")]))
            let left = try await store.deadLetters(DeadLetterFilter())
            #expect(left.map(\.letter) == [letter("a"), letter("c")])
            #expect(left[1].id > ids[1])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aDeadLetterThatWasTriedAgainHasTheNewestReasonAndNothingElseChanges(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")]))
            var expected = try await store.deadLetters(DeadLetterFilter())
            try await store.renewDeadLetter(expected[1].id, reason: "400: again")
            try await store.renewDeadLetter(expected[1].id + 1, reason: "of nobody")
            expected[1].letter.reason = "400: again"
            #expect(try await store.deadLetters(DeadLetterFilter()) == expected)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func oneRecordIsOneDeadLetterHoweverOftenItIsRead(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let likes = StreamID(connection: bob, stream: "likes")
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")]))
            let before = try await store.deadLetters(DeadLetterFilter())
            var again = letter("a")
            again.reason = "400: again"
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [again]))
            var expected = before
            expected[0].letter = again
            #expect(try await store.deadLetters(DeadLetterFilter()) == expected)
            #expect(try await store.deadLetterSize(of: nil).letters == 2)

            // Another stream's, and another step's, are others.
            try await store.commit(StreamCommit(stream: likes, pass: 1, deadLetters: [again]))
            again.stage = .normalise
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [again]))
            #expect(try await store.deadLetters(DeadLetterFilter()).count == 4)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func theOutboxKeepsWhatRecordsWithoutIdentitiesAreAbout(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            var keyed = try batch("x")
            keyed.records = RecordBlock()
            for (at, key) in ["a", "", "c,d", ""].enumerated() {
                keyed.records.things.append(key.utf8, at: at)
                keyed.records.append("{}".utf8, identity: "".utf8)
            }
            keyed.fingerprints = packed(1, 2, 3, 4)
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(StreamCommit(stream: plays, pass: 1, outbox: [keyed, batch("y")]))
            #expect(try await store.outbox(of: plays, limit: 9).map(\.batch) == [keyed, batch("y")])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func theOutboxKeepsItsOrderWhicheverBatchIsSettled(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let likes = StreamID(connection: bob, stream: "likes")
            let (x, y, z) = (try batch("x"), try batch("y"), try batch("z"))
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(StreamCommit(stream: plays, pass: 1, outbox: [x, y]))
            try await store.commit(StreamCommit(stream: likes, pass: 1, outbox: [z]))
            let queued = try await store.outbox(of: plays, limit: 10)
            #expect(queued.map(\.batch) == [x, y])
            #expect(queued.allSatisfy { $0.stream == plays && $0.at > 1_700_000_000_000_000 })
            #expect(try await store.outbox(of: plays, limit: 1) == [queued[0]])
            #expect(try await store.outbox(of: plays, after: queued[0].id, limit: 9) == [queued[1]])
            #expect(try await store.outboxBatch(queued[1].id) == queued[1])
            #expect(try await store.outboxBatch(99) == nil)
            let bytes = "[{\"x\":1.10}]".utf8.count
            #expect(try await store.outboxSize(of: plays) == OutboxSize(batches: 2, bytes: 2 * bytes))
            #expect(try await store.outboxSize(of: nil) == OutboxSize(batches: 3, bytes: 3 * bytes))
            let waiting = WaitingOutbox(
                stream: plays,
                size: OutboxSize(batches: 2, bytes: 2 * bytes),
                records: 2,
                ids: queued[0].id...queued[1].id,
                since: queued[0].at
            )
            #expect(try await store.outboxes(of: bob).map(\.stream) == [plays, likes])
            #expect(try await store.outboxes(of: nil).first == waiting)
            #expect(try await store.outboxes(of: ConnectionID("nobody")) == [])

            let proof = StreamCommit(stream: plays, pass: 1, ledger: packed(9), deadLetters: [letter("a")])
            var early = proof
            early.pass = 2
            #expect(await code { try await store.settle(queued[0].id, leaving: nil, with: early) } == "commit-stale")
            #expect(try await everything(store, plays) == Everything(batches: 2))

            var rest = try batch("r")
            rest.unanswered = 1
            try await store.settle(queued[1].id, leaving: rest, with: StreamCommit(stream: plays, pass: 1))
            var left = queued[1]
            left.batch = rest
            #expect(try await store.outbox(of: plays, limit: 10) == [queued[0], left])
            #expect(try await store.outboxBatch(left.id) == left)
            #expect(try await store.outboxes(of: bob).map(\.unanswered) == [1, 0])

            try await store.settle(queued[0].id, leaving: nil, with: proof)
            #expect(try await store.outbox(of: plays, limit: 10) == [left])
            #expect(await code { try await store.settle(queued[0].id, leaving: rest, with: proof) } == "outbox-gone")
            let foreign = StreamCommit(stream: likes, pass: 1)
            #expect(await code { try await store.settle(left.id, leaving: nil, with: foreign) } == "outbox-gone")
            #expect(try await ledger(store, plays) == [LedgerRow(pass: 1, packed: packed(9))])
            #expect(try await store.deadLetters(DeadLetterFilter()).map(\.letter) == [letter("a")])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aBatchThatIsSettledLateCountsForItsOwnPass(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(
                StreamCommit(stream: plays, pass: 1, completesPass: true, outbox: [try batch("x"), try batch("y")])
            )
            try await store.commit(StreamCommit(stream: plays, pass: 2, ledger: packed(5)))
            let queued = try await store.outbox(of: plays, limit: 2).map(\.id)
            try await store.settle(
                queued[0],
                leaving: nil,
                with: StreamCommit(stream: plays, pass: 1, ledger: packed(9))
            )
            let both = [LedgerRow(pass: 1, packed: packed(9)), LedgerRow(pass: 2, packed: packed(5))]
            #expect(try await ledger(store, plays) == both)
            try await store.commit(StreamCommit(stream: plays, pass: 2, completesPass: true))
            try await store.settle(
                queued[1],
                leaving: nil,
                with: StreamCommit(stream: plays, pass: 1, ledger: packed(8))
            )
            #expect(try await ledger(store, plays) == [both[1]])
            #expect(try await store.currentPass(of: plays) == 3)
        }
    }
}
