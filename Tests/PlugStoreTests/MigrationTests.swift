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
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")]))
            }
            try Raw.execute(
                [
                    "DROP TABLE server_note", "DROP INDEX outbox_size", "DROP TABLE lease", "DROP TABLE total",
                    "DROP TRIGGER dead_letter_added", "DROP TRIGGER dead_letter_removed",
                    "DROP TRIGGER dead_letter_renewed", "ALTER TABLE state DROP COLUMN met",
                    "ALTER TABLE outbox DROP COLUMN unanswered",
                    "DELETE FROM grdb_migrations WHERE identifier > '1'",
                ],
                in: folder
            )
            let older = await code { try await withSQLiteStore(folder, access: .read) { _ in } }
            #expect(older == "state-older")
            let note = ServerNote(name: "n", bytes: [1], expiresAt: .max)
            try await withSQLiteStore(folder) { store async throws in
                #expect(try await store.connections().map(\.id) == [bob])
                #expect(try await store.deadLetterSize(of: nil) == store.deadLetterSize(of: bob))
                #expect(try await store.deadLetterSize(of: bob).letters == 2)
                try await store.keepServerNotes([note])
            }
            try await withSQLiteStore(folder, access: .read) { store async throws in
                #expect(try await store.serverNotes() == [note])
            }
        }
    }
}
