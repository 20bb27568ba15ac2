import Foundation
import GRDB
import PlugCore
import TestKit
import Testing

@testable import PlugStorage

struct MigrationTests {
    /// Takes back what version 17 has added.
    private static let withoutTroubles =
        [
            "DROP TRIGGER trouble_ended", "DROP TRIGGER notice_stuck", "DROP INDEX connection_trouble",
            "DROP INDEX connection_trouble_code",
        ]
        + ["code", "since", "runs", "lasts"].map { "ALTER TABLE connection DROP COLUMN trouble_\($0)" }

    /// Takes back what versions 16 and 17 have added.
    static let withoutNotices =
        withoutTroubles + [
            "DROP TRIGGER notice_reconnect", "DROP TRIGGER notice_dead_letter", "DROP TABLE notice_cause",
            "DROP TABLE notice",
        ]

    /// Takes back what versions 15 to 17 have added.
    private static let withoutSummaries =
        withoutNotices + [
            "DROP TRIGGER connection_added", "DROP TRIGGER connection_removed", "DROP TRIGGER connection_changed",
            "DROP TRIGGER outbox_added", "DROP TRIGGER outbox_removed", "DROP TRIGGER outbox_changed",
            "DROP INDEX connection_status", "DROP INDEX connection_plug", "DROP INDEX connection_address",
            "DROP TRIGGER setup_added", "DROP TRIGGER setup_changed", "DROP TRIGGER setup_removed",
            "ALTER TABLE connection DROP COLUMN setup_status", "DROP TABLE connection_count", "DROP TABLE run_sum",
            "DROP TABLE run_error", "DROP TABLE plug_version", "DROP TABLE outbox_hour",
        ]

    /// What is in the reports of those runs is sealed: their records and requests stay unknown.
    @Test func whatThereWasBeforeThereWereSumsIsSummedUp() async throws {
        let clock = MovableClock()
        try await withFolder { folder in
            var counts: [ConnectionCount] = []
            var sums: [RunSum] = []
            var hours: [OutboxHour] = []
            var versions: [VersionRuns] = []
            func look(_ store: any PlugStore) async throws {
                counts = try await store.connectionCounts()
                sums = try await store.runSums(of: nil, since: 0) + store.runSums(of: "p", since: 0)
                hours = try await store.outboxHours()
                versions = try await store.versions(of: "p")
            }
            try await withSQLiteStore(folder, clock: clock) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                _ = try await store.openConnection(ConnectionID("eve"), plug: "q", pda: pda)
                let setup = ConnectionSetup(status: .paused, dueAt: nil, content: Secret("{}"))
                try await store.keepSetup(setup, of: bob, AuditEntry(at: 1, who: "shell", what: "added"))
                try await store.commit(StreamCommit(stream: plays, pass: 1, outbox: [batch("x")]))
                for outcome in ["done", "failed", "done"] {
                    let run = try await store.beginRun(RunStart(connection: bob, version: "1.0.0", at: clock.now()))
                    clock.advance(.seconds(1_800))
                    try await store.endRun(run, outcome: outcome, report: [])
                }
                _ = try await store.beginRun(RunStart(connection: bob, version: "1.0.0", at: clock.now()))
                try await look(store)
            }
            let before = (counts, sums, hours, versions)
            #expect(before.0.count == 2 && before.1.count >= 4 && before.2.count == 1 && before.3.map(\.runs) == [3])
            try Raw.execute(
                Self.withoutSummaries + ["DELETE FROM grdb_migrations WHERE identifier IN ('15', '16', '17')"],
                in: folder
            )
            try await withSQLiteStore(folder, clock: clock) { try await look($0) }
            #expect(before.0 == counts && before.1 == sums && before.2 == hours && before.3 == versions)
        }
    }

    @Test func whatNeededAPersonBeforeThereWereNoticesIsNews() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")]))
            }
            let older = Self.withoutNotices + ["DELETE FROM grdb_migrations WHERE identifier IN ('16', '17')"]
            try Raw.execute(older, in: folder)
            try await withSQLiteStore(folder) { store async throws in
                let letters = NoticeCause(.deadLetters, plug: "p")
                #expect(try await store.noticeCauses() == [CauseState(letters, news: 2, toldAt: nil)])
            }
        }
    }

    @Test func whatAnUpgradeWouldDoIsToldAndNothingIsTouched() async throws {
        try await withFolder { folder in
            #expect(try await SQLiteStore.upgradePlan(of: folder) == nil)
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
            }
            let current = try #require(try await SQLiteStore.upgradePlan(of: folder))
            #expect(current.version == 17 && current.changes.isEmpty && current.room == 0 && current.seconds == 0)
            let older = Self.withoutNotices + ["DELETE FROM grdb_migrations WHERE identifier IN ('16', '17')"]
            try Raw.execute(older, in: folder)
            func files() throws -> [String: Data] {
                var files: [String: Data] = [:]
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                    files[name] = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
                }
                return files
            }
            let before = try files()
            let plan = try #require(try await SQLiteStore.upgradePlan(of: folder))
            #expect(plan.version == 15)
            #expect(
                plan.changes == [
                    SchemaChange(version: 16, what: "notices of what needs a person", readsAll: true),
                    SchemaChange(version: 17, what: "what keeps connections from making progress", readsAll: true),
                ]
            )
            #expect(plan.bytes > 0 && plan.room == plan.bytes && plan.seconds == 1)
            #expect(try files() == before)
        }
    }

    @Test func aNewDatabaseHasWhatTheMigrationsMake() throws {
        /// Tables, indexes and triggers as they were created, apart from comments and white space, and all rows.
        func content(_ make: (DatabaseQueue) throws -> Void) throws -> [String] {
            let database = try DatabaseQueue()
            try make(database)
            return try database.read { database in
                let made = try Row.fetchAll(
                    database,
                    sql: "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
                )
                var lines = made.map { row in
                    let sql = (row["sql"] as String? ?? "").replacing(/--.*/, with: "").replacing(/\s+/, with: " ")
                        .replacing(/\s?([(),])\s?/) { "\($0.1)" }
                    return "\(row["type"] as String) \(row["name"] as String): \(sql)"
                }
                for row in made where row["type"] == "table" {
                    let name: String = row["name"]
                    lines += try Row.fetchAll(database, sql: "SELECT * FROM \(name)").map { "\(name): \($0)" }.sorted()
                }
                return lines + ["\(try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0)"]
            }
        }
        let made = try content { try $0.writeWithoutTransaction { try Schema.create(in: $0) } }
        let migrated = try content { try Schema.migrator.migrate($0) }
        for (made, migrated) in zip(made, migrated) { #expect(made == migrated) }
        #expect(made == migrated)
        #expect(made.count > 80)
    }

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
                Self.withoutSummaries + [
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
