import Foundation
import Glibc
import PlugCore
import PlugStorage
import TestKit
import Testing

/// Where the host's key comes from, and what is refused.
struct HostKeyTests {
    private func filled(_ folder: String, keyFile: String? = nil) async throws {
        try await withSQLiteStore(folder, keyFile: keyFile) { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
        }
    }

    /// What opening answers, by writing and by reading.
    private func codes(_ folder: String, keyFile: String? = nil) async -> [String?] {
        var codes: [String?] = []
        for access in [StoreAccess.write(wait: .zero), .read] {
            codes.append(await code { try await withSQLiteStore(folder, access: access, keyFile: keyFile) { _ in } })
        }
        return codes
    }

    private func makeKey(_ path: String, _ text: String, mode: mode_t = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        chmod(path, mode)
    }

    @Test func aKeyIsMadeOnceAndKept() async throws {
        try await withFolder { folder in
            try await filled(folder)
            let key = try Data(contentsOf: URL(filePath: folder + "/key"))
            #expect(key.count == 65 && key.last == 0x0A)
            try await filled(folder)
            #expect(try Data(contentsOf: URL(filePath: folder + "/key")) == key)
            #expect(access(folder + "/key.new", F_OK) != 0)
        }
    }

    @Test func dataWithoutItsKeyIsRefusedAndNothingIsOverwritten() async throws {
        try await withFolder { folder in
            try await filled(folder)
            let database = try Data(contentsOf: URL(filePath: folder + "/plughost.db"))
            rename(folder + "/key", folder + "/elsewhere")
            #expect(await codes(folder) == ["key-missing", "key-missing"])
            #expect(access(folder + "/key", F_OK) != 0)
            try makeKey(folder + "/key", String(repeating: "ab", count: 32))
            #expect(await codes(folder) == ["key-wrong", "key-wrong"])
            #expect(try Data(contentsOf: URL(filePath: folder + "/plughost.db")) == database)
            #expect(await codes(folder, keyFile: folder + "/elsewhere") == [nil, nil])
        }
    }

    @Test func aKeyThatWasNamedHasToBeThere() async throws {
        try await withFolder { folder in
            let error = await #expect(throws: PlugError.self) { try await filled(folder, keyFile: folder + "/mine") }
            #expect(error?.code == "key-missing")
            #expect(error?.exit == .configuration)
            #expect(error?.message.contains(folder + "/mine") == true)
            #expect(access(folder + "/mine", F_OK) != 0 && access(folder + "/key", F_OK) != 0)
        }
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o660] as [mode_t])
    func aKeyThatOthersCanReadIsRefused(_ mode: mode_t) async throws {
        try await withFolder { folder in
            try await filled(folder)
            chmod(folder + "/key", mode)
            let error = await #expect(throws: PlugError.self) { try await filled(folder) }
            #expect(error?.code == "key-exposed")
            #expect(error?.exit == .configuration)
            #expect(error?.advice?.contains("chmod 600") == true)
        }
    }

    @Test func whatHoldsNoKeyIsRefused() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try makeKey(folder + "/key", "")
            // A key without a database is one of a lost state, whatever it holds.
            #expect(await codes(folder) == ["state-lost", "state-lost"])
            unlink(folder + "/key")
            try await filled(folder)
            try makeKey(folder + "/key", "")
            #expect(await codes(folder) == ["key-malformed", "key-malformed"])
            unlink(folder + "/key")
            mkfifo(folder + "/key", 0o600)
            #expect(await codes(folder) == ["key-unreadable", "key-unreadable"])
            unlink(folder + "/key")
            symlink("/dev/zero", folder + "/key")
            #expect(await codes(folder) == ["key-unreadable", "key-unreadable"])
        }
    }

    @Test func aNamedKeyWinsOverACredentialAndThatOverTheFoldersOwn() async throws {
        try await withFolder { parent in
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            let folder = parent + "/state"
            try makeKey(parent + "/plughost-key", String(repeating: "11", count: 32), mode: 0o440)
            try makeKey(parent + "/named", String(repeating: "22", count: 32))
            func open(_ keyFile: String?, _ credentials: String?) async -> String? {
                await code {
                    let store = try await SQLiteStore.open(
                        folder: folder,
                        access: .write(wait: .zero),
                        keyFile: keyFile,
                        credentials: credentials
                    )
                    await store.close()
                }
            }
            #expect(await open(nil, parent) == nil)
            #expect(access(folder + "/key", F_OK) != 0)
            #expect(await open(parent + "/named", parent) == "key-wrong")
            #expect(await open(nil, nil) == "key-missing")
            #expect(await open(nil, folder) == "key-missing")
            #expect(await open(parent + "/plughost-key", nil) == "key-exposed")
            // Credentials that are out of reach, here as their folder is none.
            #expect(await open(nil, parent + "/named") == "key-unreadable")
        }
    }
}
