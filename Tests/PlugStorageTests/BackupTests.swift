import Foundation
import Glibc
import PlugCore
import PlugStorage
import TestKit
import Testing

/// A copy of the state holds one moment, and brings all of it back with the key.
struct BackupTests {
    private func fill(_ folder: String) async throws -> Everything {
        var kept = Everything()
        try await withSQLiteStore(folder) { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(try fullCommit(plays))
            _ = try await store.keepGrant(Secret("g"), as: oauth, replacing: nil)
            kept = try await everything(store, plays)
        }
        return kept
    }

    /// Lends a folder for files, with the names of two states in it.
    private func withFolders(_ body: (_ parent: String, _ old: String, _ new: String) async throws -> Void) async throws
    {
        try await withFolder { parent in
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            try await body(parent, parent + "/old", parent + "/new")
        }
    }

    private func copyKey(from old: String, to new: String) throws {
        try FileManager.default.createDirectory(atPath: new, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: old + "/key", toPath: new + "/key")
    }

    @Test func whatWasBackedUpIsRestoredWithTheKey() async throws {
        try await withFolders { parent, old, new in
            let kept = try await fill(old)
            let file = parent + "/backup.db"
            try await withSQLiteStore(old, access: .read) { store async throws in
                let receipt = try await store.backUp(to: file)
                #expect(receipt.connections == 1)
                #expect(receipt.keyFile == old + "/key")
            }
            try copyKey(from: old, to: new)
            #expect(try await SQLiteStore.restore(from: file, to: new, credentials: nil) == 1)
            for access in [StoreAccess.read, .write(wait: .zero)] {
                try await withSQLiteStore(new, access: access) { store async throws in
                    #expect(try await everything(store, plays) == kept)
                    #expect(try await store.check().problems == [])
                }
            }
        }
    }

    @Test func aBackupIsForItsOwnerOnlyAndHasNoKey() async throws {
        try await withFolders { parent, old, _ in
            _ = try await fill(old)
            let file = parent + "/backup.db"
            try await withSQLiteStore(old, access: .read) { _ = try await $0.backUp(to: file) }
            var status = stat()
            #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
            let key = try String(contentsOfFile: old + "/key", encoding: .utf8)
            let bytes = try Data(contentsOf: URL(filePath: file))
            let binary = Data(
                stride(from: 0, to: 64, by: 2).map { at in
                    UInt8(key.dropFirst(at).prefix(2), radix: 16) ?? 0
                }
            )
            #expect(bytes.range(of: Data(key.prefix(64).utf8)) == nil && bytes.range(of: binary) == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: parent).sorted() == ["backup.db", "old"])
        }
    }

    @Test func aBackupHoldsOneMomentWhileOthersWrite() async throws {
        try await withFolders { parent, old, new in
            _ = try await fill(old)
            try await withSQLiteStore(old) { writer async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        // Each connection is made with two others, or with none of them.
                        for number in 0..<200 {
                            for name in ["a", "b", "c"] {
                                _ = try await writer.openConnection(
                                    ConnectionID("\(name)\(number)"),
                                    plug: "p",
                                    pda: pda
                                )
                            }
                        }
                    }
                    group.addTask {
                        for number in 0..<5 { _ = try await writer.backUp(to: "\(parent)/\(number).db") }
                    }
                    try await group.waitForAll()
                }
            }
            try copyKey(from: old, to: new)
            for number in 0..<5 {
                let count = try await SQLiteStore.restore(from: "\(parent)/\(number).db", to: new, credentials: nil)
                try await withSQLiteStore(new, access: .read) { store async throws in
                    let findings = try await store.check()
                    #expect(findings.problems == [] && findings.connections == count)
                }
                for name in ["plughost.db", "plughost.db-wal", "plughost.db-shm", "lock"] { unlink("\(new)/\(name)") }
            }
        }
    }

    @Test func nothingThatIsThereIsReplaced() async throws {
        try await withFolders { parent, old, new in
            _ = try await fill(old)
            let file = parent + "/backup.db"
            try Data("mine".utf8).write(to: URL(filePath: file))
            try await withSQLiteStore(old, access: .read) { store async throws in
                #expect(await code { _ = try await store.backUp(to: file) } == "backup-exists")
                #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
                _ = try await store.backUp(to: file + "2")
            }
            _ = try await fill(new)
            let found = await code { _ = try await SQLiteStore.restore(from: file + "2", to: new, credentials: nil) }
            #expect(found == "state-there")
        }
    }

    @Test func withoutTheRightKeyNothingIsRestored() async throws {
        try await withFolders { parent, old, new in
            _ = try await fill(old)
            let file = parent + "/backup.db"
            try await withSQLiteStore(old, access: .read) { _ = try await $0.backUp(to: file) }
            func restored() async -> String? {
                await code { _ = try await SQLiteStore.restore(from: file, to: new, credentials: nil) }
            }
            #expect(await restored() == "key-missing")
            let wrong = Data(String(repeating: "22", count: 32).utf8)
            #expect(FileManager.default.createFile(atPath: new + "/key", contents: wrong))
            chmod(new + "/key", 0o600)
            #expect(await restored() == "key-wrong")
            #expect(access(new + "/plughost.db", F_OK) != 0)
        }
    }

    @Test func whatIsNoBackupIsRefused() async throws {
        try await withFolders { parent, old, new in
            _ = try await fill(old)
            let file = parent + "/backup.db"
            try await withSQLiteStore(old, access: .read) { _ = try await $0.backUp(to: file) }
            var bytes = try Data(contentsOf: URL(filePath: file))
            try copyKey(from: old, to: new)
            func restored(_ content: Data?) async -> String? {
                let path = parent + "/other"
                if let content { #expect(FileManager.default.createFile(atPath: path, contents: content)) }
                defer { unlink(path) }
                return await code { _ = try await SQLiteStore.restore(from: path, to: new, credentials: nil) }
            }
            #expect(await restored(nil) == "backup-unreadable")
            #expect(await restored(Data()) == "backup-unreadable")
            #expect(await restored(Data("no database".utf8)) == "backup-unreadable")
            #expect(await restored(bytes.prefix(bytes.count / 2)) == "backup-unreadable")
            // Pages in the middle that were overwritten.
            for at in stride(from: 8_192, to: bytes.count, by: 2) { bytes[at] = 0xFF }
            #expect(await restored(bytes) == "backup-unreadable")
            #expect(access(new + "/plughost.db", F_OK) != 0)
        }
    }
}
