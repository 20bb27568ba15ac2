import Foundation
import Glibc
import PlugCore
import PlugStorage
import TestKit
import Testing

/// The folder: its files, modes, key and what is refused.
struct StateFolderTests {
    @Test func theFolderAndItsFilesAreForThisUserOnly() async throws {
        try await withFolder { parent in
            let folder = parent + "/a/state"
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                #expect(mode(parent) == 0o700 && mode(parent + "/a") == 0o700 && mode(folder) == 0o700)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                #expect(names == ["key", "lock", "plughost.db", "plughost.db-shm", "plughost.db-wal"])
                for name in names { #expect(mode("\(folder)/\(name)") == 0o600, "\(name)") }
            }
        }
    }

    @Test func aDatabaseThatOthersCanReadIsClosedToThem() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { _ in }
            chmod(folder + "/plughost.db", 0o644)
            try await withSQLiteStore(folder) { _ in
                #expect(mode(folder + "/plughost.db") == 0o600)
                #expect(mode(folder + "/plughost.db-wal") == 0o600)
            }
        }
    }

    @Test(arguments: [0o770, 0o702, 0o777] as [mode_t])
    func aFolderThatOthersMayWriteToIsRefused(_ mode: mode_t) async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { _ in }
            chmod(folder, mode)
            let error = await #expect(throws: PlugError.self) { try await withSQLiteStore(folder) { _ in } }
            #expect(error?.code == "state-exposed")
            #expect(error?.exit == .configuration)
            chmod(folder, 0o755)
            try await withSQLiteStore(folder) { _ in }
        }
    }

    @Test func everythingIsThereAgainAfterClosing() async throws {
        try await withFolder { folder in
            var before: Connection?
            var kept = Everything()
            try await withSQLiteStore(folder) { store async throws in
                before = try await store.openConnection(bob, plug: "p", pda: pda)
                try await store.commit(try fullCommit(plays))
                kept = try await everything(store, plays)
            }
            try await withSQLiteStore(folder) { store async throws in
                let again = try await store.openConnection(bob, plug: "p", pda: pda)
                let now = try await everything(store, plays)
                #expect(again == before)
                #expect(now == kept)
                #expect(kept.states == 2 && kept.letters == 1 && kept.batches == 1)
            }
        }
    }

    @Test func aClosedStoreSaysSo() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), credentials: nil)
            await store.close()
            await store.close()
            #expect(await code { try await store.eraseConnection(bob) } == "state-closed")
            #expect(await code { _ = try await store.connections() } == "state-closed")
        }
    }

    @Test func aFolderThatCannotBeMadeIsNamed() async throws {
        try await withFolder { folder in
            try Data().write(to: URL(filePath: folder))
            let error = await #expect(throws: PlugError.self) {
                _ = try await SQLiteStore.open(folder: folder + "/state", access: .write(wait: .zero), credentials: nil)
            }
            #expect(error?.code == "store-failed")
            #expect(error?.message.contains(folder + "/state") == true)
        }
    }

    @Test func whatIsNoDatabaseIsRefusedAndLeftAsItIs() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { _ in }
            let junk = Data(repeating: 0x41, count: 8_192)
            try junk.write(to: URL(filePath: folder + "/plughost.db"))
            for access in [StoreAccess.write(wait: .zero), .read] {
                let error = await #expect(throws: PlugError.self) {
                    _ = try await SQLiteStore.open(folder: folder, access: access, credentials: nil)
                }
                #expect(error?.code == "state-damaged")
                #expect(error?.exit == .configuration)
            }
            #expect(try Data(contentsOf: URL(filePath: folder + "/plughost.db")) == junk)
        }
    }

    @Test(
        arguments: [
            (["CREATE TABLE grdb_migrations (identifier TEXT)"], nil),
            (["CREATE TABLE photos (id INTEGER)"], "state-foreign"),
        ] as [([String], String?)]
    )
    func aForeignDatabaseIsRefusedAndAnUnfinishedOneIsFinished(_ sql: [String], _ expected: String?) async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Raw.execute(sql, in: folder)
            #expect(await code { try await withSQLiteStore(folder) { _ in } } == expected)
        }
    }

    @Test func aFileWhereTheFolderShouldBeIsNothingThatTimeMends() async throws {
        try await withFolder { folder in
            try Data("no folder".utf8).write(to: URL(filePath: folder))
            let error = await #expect(throws: PlugError.self) {
                _ = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), credentials: nil)
            }
            #expect(error?.code == "store-failed")
            #expect(error?.exit == .configuration)
        }
    }

    @Test func aNewerSchemaIsRefused() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { _ in }
            try Raw.execute(["INSERT INTO grdb_migrations VALUES ('99')"], in: folder)
            for access in [StoreAccess.write(wait: .zero), .read] {
                #expect(await code { try await withSQLiteStore(folder, access: access) { _ in } } == "state-newer")
            }
        }
    }
}

/// The permissions of a file, -1 where there is none.
func mode(_ path: String) -> Int {
    var status = stat()
    return lstat(path, &status) == 0 ? Int(status.st_mode & 0o7777) : -1
}
