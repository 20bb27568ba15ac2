import PlugCore
import PlugStore
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
        try await kind.withStore { store async throws in
            let soon = SystemClock().now() + 50_000
            try await store.keepServerNotes([ServerNote(name: "a", bytes: [1], expiresAt: soon)])
            while SystemClock().now() <= soon { await Task.yield() }
            #expect(try await notes(store) == [])
            try await store.keepServerNotes([ServerNote(name: "b", bytes: [], expiresAt: .max)])
            #expect(try await notes(store).map(\.name) == ["b"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func erasingAConnectionLeavesTheServerNotes(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let note = ServerNote(name: "limits p", bytes: [1], expiresAt: .max)
            try await store.keepServerNotes([note])
            try await store.eraseConnection(bob)
            #expect(try await notes(store) == [note])
        }
    }

    private func notes(_ store: any PlugStore) async throws -> [ServerNote] {
        try await store.serverNotes().sorted { $0.name < $1.name }
    }
}
