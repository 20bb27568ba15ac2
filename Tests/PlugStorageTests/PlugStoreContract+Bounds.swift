import PlugCore
import PlugStorage
import Testing

// What grows, and how it is kept from growing for ever.
extension PlugStoreContract {
    @Test(arguments: StoreUnderTest.allCases)
    func deadLettersAreCountedForAConnectionAndForAll(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let eve = StreamID(connection: ConnectionID("eve"), stream: "s")
            for stream in [plays, eve] {
                _ = try await store.openConnection(stream.connection, plug: "p", pda: pda)
                try await store.commit(StreamCommit(stream: stream, pass: 1, deadLetters: [letter("a"), letter("b")]))
            }
            let one = try await store.deadLetterSize(of: bob)
            #expect(one.letters == 2 && one.bytes > 20)
            let all = DeadLetterSize(letters: 4, bytes: 2 * one.bytes)
            #expect(try await store.deadLetterSize(of: nil) == all)
            #expect(try await store.deadLetterSize(of: ConnectionID("nobody")) == DeadLetterSize())
            let first = try #require(try await store.deadLetters(DeadLetterFilter(connection: bob)).first)
            try await store.renewDeadLetter(first.id, reason: "no a and a longer reason")
            let longer = try await store.deadLetterSize(of: bob)
            #expect(longer.bytes == one.bytes + 20)
            _ = try await store.removeDeadLetters([first.id])
            #expect(try await store.deadLetterSize(of: bob).letters == 1)
            try await store.eraseConnection(bob)
            #expect(try await store.deadLetterSize(of: nil) == one)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aHundredRunsAreRememberedWithTheLastGoodOne(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            func run(_ outcome: String?) async throws -> Int64 {
                let id = try await store.beginRun(RunStart(connection: bob, version: "1.0.0", at: 1))
                if let outcome { try await store.endRun(id, outcome: outcome, report: []) }
                return id
            }
            let done = try await run("done")
            let failed = try await run("failed")
            var newest: Int64 = 0
            for _ in 0..<150 { newest = try await run(nil) }
            let ids = try await store.runs(of: bob, limit: 1_000).map(\.id)
            #expect(ids.count <= 118 && ids.count >= 102)
            #expect(Array(ids.prefix(100)) == (0..<100).map { newest - $0 })
            #expect(Array(ids.suffix(2)) == [failed, done])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func partsThatCompletePassesListNoMoreAreForgotten(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let states = ["": "whole", "kept": "1", "gone": "2"].mapValues { StreamState(Array($0.utf8)) }
            try await store.commit(StreamCommit(stream: plays, pass: 1, states: states, completesPass: true))
            func pass(_ number: Int64, listsAll: Bool) async throws {
                try await store.commit(
                    StreamCommit(
                        stream: plays,
                        pass: number,
                        met: ["kept", "never kept"],
                        listsAllParts: listsAll,
                        completesPass: true
                    )
                )
            }
            // Passes that list only what has changed say nothing about the rest.
            for number in Int64(2)...40 { try await pass(number, listsAll: false) }
            #expect(try await store.state(of: plays, part: "gone") != nil)
            try await store.commit(StreamCommit(stream: plays, pass: 41, met: ["gone", "kept"], completesPass: true))
            for number in Int64(42)...57 { try await pass(number, listsAll: true) }
            #expect(try await store.state(of: plays, part: "gone") != nil)
            for number in Int64(58)...62 { try await pass(number, listsAll: true) }
            #expect(try await store.state(of: plays, part: "gone") == nil)
            #expect(try await store.state(of: plays, part: "kept") == states["kept"])
            #expect(try await store.state(of: plays, part: "") == states[""])
            #expect(try await store.state(of: plays, part: "never kept") == nil)
        }
    }
}
