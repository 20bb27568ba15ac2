import Foundation
import Glibc
import PlugCore
import PlugStorage
import Testing

/// What is erased is gone, and the receipt says what it was.
struct ErasureTests {
    private func fill(_ store: any PlugStore, _ connection: ConnectionID) async throws {
        let stream = StreamID(connection: connection, stream: "plays")
        let start = RunStart(connection: connection, version: "1.0.0", at: 7)
        let opened = try await store.openRun(start, plug: "p", pda: pda, streams: [])
        try await store.commit(try fullCommit(stream))
        try await store.keepToken(KeptToken(token: Secret("t"), issuedAt: 5), of: connection)
        _ = try await store.keepGrant(Secret("g"), as: GrantID(connection: connection, name: "login"), replacing: nil)
        let setup = ConnectionSetup(status: .active, dueAt: 1, content: Secret("{}"))
        try await store.keepSetup(setup, of: connection, AuditEntry(at: 1, who: "shell", what: "added"))
        try await store.keepServerNotes([ServerNote(name: ServerNote.name(of: connection), bytes: [1], expiresAt: .max)]
        )
        opened.lease?.end()
    }

    @Test(arguments: StoreUnderTest.allCases)
    func theReceiptNamesWhatWasDestroyed(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.eraseConnection(bob) == nil)
            try await fill(store, bob)
            let made = try await store.openConnection(bob, plug: "p", pda: pda).createdAt
            let receipt = try #require(try await store.eraseConnection(bob))
            #expect(receipt.connection == bob && receipt.plug == "p" && receipt.pda == pda)
            #expect(receipt.createdAt == made && receipt.erasedAt >= made && receipt.isLogEmpty)
            let counts = receipt.rows.filter { $0.count > 0 }.map { "\($0.count) \($0.kind)" }
            let expected = [
                "1 changes", "1 dead_letters", "1 grants", "1 ledger", "1 notes", "1 outbox_batches", "1 refusals",
                "1 runs", "1 setups", "2 states", "1 streams", "1 tokens",
            ]
            #expect(counts == expected)
            #expect(try await store.eraseConnection(bob) == nil)
        }
    }

    @Test func theBytesAreGoneFromTheDisk() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                try await fill(store, bob)
                let path = folder + "/plughost.db"
                let sealed = try Raw.bytes("SELECT wrapped FROM data_key", in: folder)
                func lies() throws -> [Bool] {
                    try ["", "-wal"].map { try Data(contentsOf: URL(filePath: path + $0)).range(of: sealed) != nil }
                }
                #expect(try lies().contains(true))
                let receipt = try #require(try await store.eraseConnection(bob))
                #expect(receipt.isLogEmpty)
                #expect(try lies() == [false, false])
            }
        }
    }

    @Test func whatIsDamagedCanBeErased() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { try await fill($0, bob) }
            try Raw.execute(["UPDATE data_key SET wrapped = zeroblob(60)"], in: folder)
            try await withSQLiteStore(folder) { store async throws in
                #expect(await code { _ = try await store.keptToken(of: bob) } == "state-damaged")
                #expect(try await store.eraseConnection(bob)?.connection == bob)
                #expect(try await store.connections() == [])
            }
        }
    }
}
