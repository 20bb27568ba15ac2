import PlugCore
import PlugStorage
import TestKit
import Testing

extension PlugStoreContract {
    @Test(arguments: StoreUnderTest.allCases)
    func aServerNoteIsKeptUntilItIsReplacedOrRemoved(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let first = ServerNote(name: "a", bytes: [1], expiresAt: .max)
            let other = ServerNote(name: "b", bytes: [], expiresAt: .max)
            try await store.keepServerNotes([first, other])
            #expect(try await notes(store) == [first, other])
            let second = ServerNote(name: "a", bytes: [2, 3], expiresAt: .max - 1)
            try await store.keepServerNotes([second])
            #expect(try await notes(store) == [second, other])
            try await store.keepServerNotes([.removal(of: "a"), .removal(of: "never kept")])
            #expect(try await notes(store) == [other])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func expiredServerNotesAreNotGivenAndGoWithTheNextWrite(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            let note = ServerNote(name: "a", bytes: [1], expiresAt: clock.now() + 1)
            try await store.keepServerNotes([note])
            #expect(try await notes(store) == [note])
            clock.advance(.microseconds(1))
            #expect(try await notes(store) == [])
            try await store.keepServerNotes([ServerNote(name: "b", bytes: [], expiresAt: .max)])
            #expect(try await notes(store).map(\.name) == ["b"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func erasingAConnectionLeavesTheServerNotesButItsOwn(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let note = ServerNote(name: "limits p", bytes: [1], expiresAt: .max)
            let own = ServerNote(name: ServerNote.name(of: bob), bytes: [2], expiresAt: .max)
            try await store.keepServerNotes([note, own])
            try await store.eraseConnection(bob)
            #expect(try await notes(store) == [note])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aServerNoteIsChangedWithoutAnybodyWritingInBetween(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await store.changeServerNote("a") { note in
                            ServerNote(name: "a", bytes: [(note?.bytes.first ?? 0) + 1], expiresAt: .max)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await store.changeServerNote("a") { _ in nil }
            #expect(try await store.serverNote("a") == ServerNote(name: "a", bytes: [20], expiresAt: .max))
            try await store.changeServerNote("a") { _ in .removal(of: "a") }
            #expect(try await store.serverNote("a") == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func oneTakesTheLeaseOfAConnectionAtATime(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            #expect(await code { _ = try await store.lease(bob) } == "connection-unknown")
            let start = RunStart(connection: bob, version: "1.0.0", at: 7)
            let opened = try await store.openRun(start, plug: "p", pda: pda, streams: [])
            #expect(await code { _ = try await store.lease(bob) } == "state-locked")
            #expect(try await store.isLeased(bob))
            let second = await code { _ = try await store.openRun(start, plug: "p", pda: pda, streams: []) }
            #expect(second == "state-locked")
            #expect(try await store.runs(of: bob, limit: 9).map(\.id) == [opened.id])
            opened.lease?.end()
            try await store.lease(bob).end()
            // One that nobody keeps has ended.
            _ = try await store.lease(bob)
            try await store.lease(bob).end()
        }
    }

    private func notes(_ store: any PlugStore) async throws -> [ServerNote] {
        try await store.serverNotes().sorted { $0.name < $1.name }
    }
}
