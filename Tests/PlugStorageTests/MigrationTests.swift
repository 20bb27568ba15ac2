import Foundation
import PlugCore
import PlugStorage
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
                try await store.commit(
                    StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")], outbox: [batch("x")])
                )
            }
            try Raw.execute(
                [
                    "DROP TABLE server_note", "DROP INDEX outbox_size", "DROP TABLE lease", "DROP TABLE total",
                    "DROP TRIGGER dead_letter_added", "DROP TRIGGER dead_letter_removed",
                    "DROP TRIGGER dead_letter_renewed", "ALTER TABLE state DROP COLUMN met",
                    "DROP INDEX dead_letter_mark", "ALTER TABLE dead_letter DROP COLUMN mark",
                    "DROP INDEX outbox_waiting", "ALTER TABLE outbox DROP COLUMN records",
                    "ALTER TABLE outbox DROP COLUMN unanswered", "DROP TABLE vault", "DROP TABLE inventory",
                    "ALTER TABLE host_key DROP COLUMN file",
                    "ALTER TABLE stream DROP COLUMN profile", "DROP TABLE setup", "DROP TABLE audit",
                    "DROP TABLE retention",
                    "DROP TABLE consent", "DROP INDEX connection_pda",
                    "DROP TABLE session", "DROP TABLE api_key", "DROP TABLE one_time_link", "DROP TABLE host_audit",
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
                // How many records wait in a batch of those days nobody has counted.
                #expect(try await store.outboxes(of: bob).map(\.records) == [nil])
                try await store.commit(StreamCommit(stream: plays, pass: 1, outbox: [batch("y")]))
                #expect(try await store.outboxes(of: bob).map(\.records) == [nil])
                let oldest = try await store.outbox(of: plays, limit: 1)[0]
                #expect(try oldest.batch == batch("x"))
                try await store.settle(oldest.id, leaving: nil, with: StreamCommit(stream: plays, pass: 1))
                #expect(try await store.outboxes(of: bob).map(\.records) == [1])
                try await store.keepServerNotes([note])
            }
            try await withSQLiteStore(folder, access: .read) { store async throws in
                #expect(try await store.serverNotes() == [note])
            }
        }
    }
}
