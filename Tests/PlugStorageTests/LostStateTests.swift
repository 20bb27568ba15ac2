import Foundation
import Glibc
import PlugCore
import PlugStorage
import TestKit
import Testing

/// A state that is gone is noticed; one that was never made is not mistaken for it.
struct LostStateTests {
    private let databaseFiles = ["plughost.db", "plughost.db-wal", "plughost.db-shm"]

    private func fill(_ folder: String, keyFile: String? = nil) async throws {
        try await withSQLiteStore(folder, keyFile: keyFile) {
            _ = try await $0.openConnection(bob, plug: "p", pda: pda)
        }
    }

    private func codes(_ folder: String, keyFile: String? = nil) async -> [String?] {
        var codes: [String?] = []
        for access in [StoreAccess.write(wait: .zero), .read] {
            codes.append(await code { try await withSQLiteStore(folder, access: access, keyFile: keyFile) { _ in } })
        }
        return codes
    }

    @Test(arguments: [true, false])
    func aDatabaseThatIsGoneOrEmptyIsMissed(isGone: Bool) async throws {
        try await withFolder { folder in
            try await fill(folder)
            for file in databaseFiles { unlink("\(folder)/\(file)") }
            if !isGone { try Data().write(to: URL(filePath: folder + "/plughost.db")) }
            for _ in 0..<2 { #expect(await codes(folder) == ["state-lost", "state-lost"]) }
            // The lock file tells of it too, where the key is kept elsewhere.
            unlink(folder + "/key")
            #expect(await codes(folder) == ["state-lost", "state-lost"])
            // Nothing of it is left once the folder was moved away.
            try FileManager.default.removeItem(atPath: folder)
            try await fill(folder)
        }
    }

    @Test func aStateWithAKeyFromElsewhereIsMissedToo() async throws {
        try await withFolder { parent in
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            let (folder, key) = (parent + "/state", parent + "/named")
            try Data(String(repeating: "22", count: 32).utf8).write(to: URL(filePath: key))
            chmod(key, 0o600)
            try await fill(folder, keyFile: key)
            for file in databaseFiles { unlink("\(folder)/\(file)") }
            #expect(await codes(folder, keyFile: key) == ["state-lost", "state-lost"])
        }
    }

    @Test func aKeyThatItsProcessDidNotComeToPutIntoItsPlaceIsFound() async throws {
        try await withFolder { folder in
            try await fill(folder)
            rename(folder + "/key", folder + "/key.new")
            try await withSQLiteStore(folder, access: .read) { store async throws in
                #expect(try await store.connections().map(\.id) == [bob])
            }
            try await fill(folder)
            #expect(access(folder + "/key", F_OK) == 0 && access(folder + "/key.new", F_OK) != 0)
        }
    }

    @Test func aDraftOfAKeyWithoutADatabaseIsReplaced() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(String(repeating: "33", count: 32).utf8).write(to: URL(filePath: folder + "/key.new"))
            try await fill(folder)
            #expect(try Data(contentsOf: URL(filePath: folder + "/key")).starts(with: Data("3333".utf8)) == false)
        }
    }

    @Test(arguments: [true, false])
    func aFolderThatIsRemovedUnderAProcessIsAnErrorOfTheNextWrite(isReplaced: Bool) async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                try FileManager.default.removeItem(atPath: folder)
                if isReplaced { try await fill(folder) }
                let error = await #expect(throws: PlugError.self) { try await store.commit(try fullCommit(plays)) }
                #expect(error?.code == "state-lost")
                #expect(error?.exit == .configuration)
                #expect(error?.message.contains("is lost") == true)
            }
            if isReplaced {
                try await withSQLiteStore(folder) { store async throws in
                    #expect(try await everything(store, plays) == Everything())
                }
            }
        }
    }
}
