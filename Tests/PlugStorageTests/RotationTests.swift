import Foundation
import Glibc
import PlugCore
import PlugStorage
import TestKit
import Testing

/// The host's key is changed, and nothing is lost whenever somebody pulls the plug.
struct RotationTests {
    private let note = ServerNote(name: "n", bytes: [1], expiresAt: .max)

    private let consent = StoredConsent(
        name: [1],
        session: [2],
        connection: bob,
        endsAt: .max,
        content: Secret("c")
    )

    private func fill(_ folder: String, keyFile: String? = nil) async throws -> Everything {
        var kept = Everything()
        try await withSQLiteStore(folder, keyFile: keyFile) { store async throws in
            for name in ["bob", "eve"] { _ = try await store.openConnection(ConnectionID(name), plug: "p", pda: pda) }
            try await store.commit(try fullCommit(plays))
            _ = try await store.keepGrant(Secret("g"), as: oauth, replacing: nil)
            try await store.keepServerNotes([note])
            try await store.keepConsent(consent)
            kept = try await everything(store, plays)
        }
        return kept
    }

    private func check(_ folder: String, keyFile: String? = nil, _ kept: Everything) async throws {
        for access in [StoreAccess.read, .write(wait: .zero)] {
            try await withSQLiteStore(folder, access: access, keyFile: keyFile) { store async throws in
                #expect(try await everything(store, plays) == kept)
                #expect(try await store.connections().count == 2)
                #expect(try await store.serverNotes() == [note])
                #expect(try await store.consent(consent.name) == consent)
                #expect(try await store.check().problems == [])
            }
        }
    }

    private func rotate(_ folder: String, keyFile: String? = nil, to new: String? = nil) async throws -> RotationReceipt
    {
        var receipt: RotationReceipt?
        try await withSQLiteStore(folder, keyFile: keyFile) { receipt = try await $0.rotateKey(to: new) }
        return try #require(receipt)
    }

    private func key(_ folder: String, _ name: String = "key") throws -> Data {
        try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    }

    @Test func everythingIsReadableUnderTheNewKeyAndNothingUnderTheOld() async throws {
        try await withFolder { folder in
            let kept = try await fill(folder)
            let old = try key(folder)
            let receipt = try await rotate(folder)
            #expect(receipt.connections == 2 && receipt.notes == 1 && receipt.oldKey != receipt.newKey)
            #expect(receipt.keyFile == folder + "/key")
            #expect(try key(folder) != old)
            #expect(access(folder + "/key.next", F_OK) != 0)
            try await check(folder, kept)
            try old.write(to: URL(filePath: folder + "/key"))
            chmod(folder + "/key", 0o600)
            #expect(await code { try await withSQLiteStore(folder) { _ in } } == "key-wrong")
        }
    }

    @Test func killedBeforeOrAfterTheTransactionItIsWholeAndGoesOn() async throws {
        try await withFolder { folder in
            let kept = try await fill(folder)
            let old = try key(folder)
            // Before: the new key is made, and the state still has the old one.
            try Data(String(repeating: "44", count: 32).utf8).write(to: URL(filePath: folder + "/key.next"))
            try await check(folder, kept)
            #expect(try key(folder) == old)
            _ = try await rotate(folder)
            let new = try key(folder)
            // After: the state has the new key, and it lies beside its place.
            rename(folder + "/key", folder + "/key.next")
            try old.write(to: URL(filePath: folder + "/key"))
            chmod(folder + "/key", 0o600)
            try await check(folder, kept)
            #expect(try key(folder) == new)
            #expect(access(folder + "/key.next", F_OK) != 0)
        }
    }

    @Test func aKeyFromElsewhereIsReplacedByOneThatIsNamed() async throws {
        try await withFolder { parent in
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            let (folder, old, new) = (parent + "/state", parent + "/old", parent + "/new")
            for (path, digits) in [(old, "11"), (new, "22")] {
                try Data(String(repeating: digits, count: 32).utf8).write(to: URL(filePath: path))
                chmod(path, 0o600)
            }
            let kept = try await fill(folder, keyFile: old)
            let error = await #expect(throws: PlugError.self) { _ = try await rotate(folder, keyFile: old) }
            #expect(error?.code == "key-elsewhere")
            #expect(error?.exit == .usage)
            #expect(try await rotate(folder, keyFile: old, to: new).keyFile == new)
            #expect(await code { try await withSQLiteStore(folder, keyFile: old) { _ in } } == "key-wrong")
            try await check(folder, keyFile: new, kept)
            // The lock file knows the new key: a database that is gone is missed all the same.
            unlink(folder + "/plughost.db")
            #expect(await code { try await withSQLiteStore(folder, keyFile: new) { _ in } } == "state-lost")
        }
    }

    @Test func aRunUnderWayKeepsItsConnectionsKey() async throws {
        try await withFolder { folder in
            _ = try await fill(folder)
            var run: Int64 = 0
            try await withSQLiteStore(folder) { running async throws in
                let start = RunStart(connection: bob, version: "1.0.0", at: 1)
                let opened = try await running.openRun(start, plug: "p", pda: pda, streams: [])
                run = opened.id
                #expect(try await rotate(folder).connections == 2)
                try await running.commit(StreamCommit(stream: plays, pass: 1, states: ["new": StreamState([5])]))
                try await running.endRun(run, outcome: "done", report: [6])
                opened.lease?.end()
            }
            try await withSQLiteStore(folder, access: .read) { store async throws in
                #expect(try await store.state(of: plays, part: "new") == StreamState([5]))
                #expect(try await store.run(run)?.report == [6])
            }
        }
    }

    /// Interrupted after each of its steps, with another process that has the state open the whole time.
    @Test(arguments: 1...5)
    func itGoesOnWhereItEndedAndOthersReadAndWriteMeanwhile(_ steps: Int) async throws {
        try await withFolder { folder in
            let kept = try await fill(folder)
            let old = try key(folder)
            try await withSQLiteStore(folder) { other async throws in
                for name in ["ada", "joe", "sue"] {
                    _ = try await other.openConnection(ConnectionID(name), plug: "p", pda: pda)
                }
                try await withSQLiteStore(folder) { store async throws in
                    let rotation = Task {
                        try await store.rotateKey(step: 1) { progress in
                            #expect(progress.total == 5)
                            if progress.done == steps { withUnsafeCurrentTask { $0?.cancel() } }
                        }
                    }
                    _ = await #expect(throws: PlugError.self) { try await rotation.value }
                    #expect(try await store.isRotating())
                    // Whoever was there before the new key, and whoever comes now.
                    #expect(try await everything(other, plays) == kept)
                    #expect(try await other.serverNotes() == [note])
                    _ = try await other.openConnection(ConnectionID("zoe"), plug: "p", pda: pda)
                    try await other.keepServerNotes([ServerNote(name: "m", bytes: [2], expiresAt: .max)])
                }
                try await withSQLiteStore(folder, access: .read) { reader async throws in
                    #expect(try await everything(reader, plays) == kept)
                    #expect(try await reader.connections().count == 6)
                }
                // As a host does that begins; what it wrote is not sealed a second time.
                try await withSQLiteStore(folder) { store async throws in
                    #expect(try await store.resumeRotation()?.connections == 5 - steps)
                    #expect(try await store.resumeRotation() == nil)
                }
                #expect(try key(folder) != old && access(folder + "/key.next", F_OK) != 0)
                #expect(try await everything(other, plays) == kept)
                #expect(Set(try await other.serverNotes().map(\.name)) == ["m", "n"])
                #expect(try await other.check().problems == [])
            }
            try old.write(to: URL(filePath: folder + "/key"))
            #expect(await code { try await withSQLiteStore(folder) { _ in } } == "key-wrong")
        }
    }

    @Test func twoDoNotChangeTheKeyAtOnce() async throws {
        try await withFolder { folder in
            _ = try await fill(folder)
            try await withSQLiteStore(folder) { first async throws in
                try await withSQLiteStore(folder) { second async throws in
                    let receipt = try await first.rotateKey(step: 1) { _ in
                        #expect(await code { _ = try await second.rotateKey() } == "state-locked")
                    }
                    #expect(receipt.connections == 2)
                }
            }
        }
    }

    @Test func aCheckOpensGrantsToo() async throws {
        try await withFolder { folder in
            _ = try await fill(folder)
            try Raw.execute(["UPDATE vault SET version = 7"], in: folder)
            try await withSQLiteStore(folder, access: .read) { store async throws in
                #expect(
                    try await store.check().problems == [
                        "connection 'bob': grant of connection 'bob' is damaged: it has changed since it was written"
                    ]
                )
            }
        }
    }

    @Test func aCheckNamesWhatIsDamaged() async throws {
        try await withFolder { folder in
            _ = try await fill(folder)
            try Raw.execute(["UPDATE outbox SET sealed = zeroblob(length(sealed))"], in: folder)
            try await withSQLiteStore(folder, access: .read) { store async throws in
                let findings = try await store.check()
                #expect(findings.connections == 2)
                #expect(
                    findings.problems == [
                        "connection 'bob': outbox batch of connection 'bob' is damaged: it has changed since it was written"
                    ]
                )
            }
        }
    }
}
