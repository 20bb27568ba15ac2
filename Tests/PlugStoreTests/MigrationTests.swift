import PlugCore
import PlugStore
import Testing

struct MigrationTests {
    @Test func aStateOfTheFirstVersionIsBroughtUpToDateByTheNextWriter() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { _ = try await $0.openConnection(bob, plug: "p", pda: pda) }
            try Raw.execute(
                ["DROP TABLE server_note", "DELETE FROM grdb_migrations WHERE identifier = '2'"],
                in: folder
            )
            let older = await code { try await withSQLiteStore(folder, access: .read) { _ in } }
            #expect(older == "state-older")
            let note = ServerNote(name: "n", bytes: [1], expiresAt: .max)
            try await withSQLiteStore(folder) { store async throws in
                #expect(try await store.connections().map(\.id) == [bob])
                try await store.keepServerNotes([note])
            }
            try await withSQLiteStore(folder, access: .read) { store async throws in
                #expect(try await store.serverNotes() == [note])
            }
        }
    }
}
