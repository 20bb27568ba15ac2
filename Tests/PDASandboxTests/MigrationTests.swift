import Foundation
import GRDB
import LosslessJSON
import PlugCore
import Testing

@testable import PDASandbox

struct MigrationTests {
    /// The first schema, as sandboxes made it that knew neither users nor data debits.
    private static let first = """
        CREATE TABLE endpoints (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE records (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            endpoint INTEGER NOT NULL REFERENCES endpoints (id), data TEXT NOT NULL, hash BLOB NOT NULL UNIQUE,
            date INTEGER NOT NULL) STRICT;
        CREATE INDEX recordsInOrder ON records (endpoint, date, sequence);
        CREATE TABLE applications (id TEXT PRIMARY KEY, definition TEXT NOT NULL, setUpVersion TEXT,
            isEnabled INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;
        CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        INSERT INTO endpoints VALUES (1, 'a/b');
        INSERT INTO records VALUES (1, '00000000-0000-4000-8000-000000000001', 1, '{"n":1}', x'01', 1700000000000);
        INSERT INTO facts VALUES ('owner.id', 'an-id'), ('owner.subject', '1-subject'), ('owner.name', 'bob'),
            ('address', '127.0.0.1:1');
        """

    @Test func anOlderStateFolderKeepsItsOwnerApplicationsAndRecords() async throws {
        let folder = try RunningSandbox.folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let definition = try Definition.plug("steps").compactText
        do {
            let queue = try DatabaseQueue(path: folder + "/sandbox.db")
            var migrator = DatabaseMigrator()
            migrator.registerMigration("1") { database in
                try database.execute(sql: Self.first)
                try database.execute(
                    sql: "INSERT INTO applications VALUES ('steps', ?1, '1.2.0', 1), ('other', ?1, NULL, 0)",
                    arguments: [definition]
                )
            }
            try migrator.migrate(queue)
            try queue.close()
        }
        let store = try await SandboxStore.open(stateFolder: folder)
        let owner = try #require(try await store.owner())
        #expect(owner.id == "an-id")
        #expect(owner.subject == "1-subject")
        #expect(owner.isOwner)
        #expect(try await store.applicationRow("steps") == .init(version: "1.2.0", isEnabled: true))
        #expect(try await store.applicationRow("other") == nil)
        #expect(try await store.definitions().count == 2)
        #expect(try await store.record("00000000-0000-4000-8000-000000000001")?.owner == User.ownerNumber)
        try await store.setOwner(name: "robert", password: Secret("a password"))
        #expect(try await store.owner()?.id == "an-id")
    }
}
