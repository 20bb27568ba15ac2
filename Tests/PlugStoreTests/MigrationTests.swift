import Foundation
import PlugCore
import PlugStore
import Testing

struct MigrationTests {
    /// SQLite's library for migrations makes its own table first, in a transaction of its own.
    @Test func aStateWhoseFirstWriterDiedWhileMakingItIsMadeAgain() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Raw.execute(["CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"], in: folder)
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
            }
            try await withSQLiteStore(folder, access: .read) { store async throws in
                #expect(try await store.connections().map(\.id) == [bob])
            }
        }
    }

    @Test func aStateOfTheFirstVersionIsBroughtUpToDateByTheNextWriter() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { _ = try await $0.openConnection(bob, plug: "p", pda: pda) }
            try Raw.execute(
                [
                    "DROP TABLE server_note", "DROP INDEX outbox_size", "DROP TABLE lease",
                    "DELETE FROM grdb_migrations WHERE identifier > '1'",
                ],
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
