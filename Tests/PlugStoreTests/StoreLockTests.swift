import Foundation
import Glibc
import PlugCore
import PlugStore
import Testing

/// One writer, any number of readers, and what happens when they meet.
@Suite(.serialized)
struct StoreLockTests {
    @Test func aSecondWriterIsToldWhoHoldsTheStore() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                let error = await #expect(throws: PlugError.self) { try await withSQLiteStore(folder) { _ in } }
                #expect(error?.code == "state-locked")
                #expect(error?.exit == .tryLater)
                #expect(error?.message.contains("process \(getpid()) (") == true)
                #expect(error?.message.contains(" since 20") == true)
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
            }
            try await withSQLiteStore(folder) { store async throws in #expect(try await store.connections().count == 1)
            }
        }
    }

    @Test func aSecondWriterWaitsForTheFirst() async throws {
        try await withFolder { folder in
            let first = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), credentials: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await withSQLiteStore(folder, access: .write(wait: .seconds(60))) { _ in } }
                _ = try await first.openConnection(bob, plug: "p", pda: pda)
                await first.close()
                try await group.waitForAll()
            }
        }
    }

    @Test func aWaitThatIsCancelledEnds() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { _ in
                let result = await withTaskGroup(of: String?.self) { group in
                    group.addTask {
                        await code { try await withSQLiteStore(folder, access: .write(wait: .seconds(600))) { _ in } }
                    }
                    group.cancelAll()
                    return await group.reduce(nil) { $1 }
                }
                #expect(result == "interrupted")
            }
        }
    }

    @Test(.enabled(if: access("/usr/bin/flock", X_OK) == 0, "the flock program is missing"))
    func anotherProcessHoldsTheLockUntilItIsKilled() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { _ in }
            let holder = Process()
            holder.executableURL = URL(filePath: "/usr/bin/flock")
            holder.arguments = [
                folder + "/lock", "/bin/sh", "-c",
                "printf 'pid 4711\\nsince 2026-01-02T03:04:05Z\\ncommand plughost run\\n' > \(folder)/lock; "
                    + "echo held; exec sleep 600",
            ]
            // With exec the lock's descriptor passes to sleep, so that one process holds it.
            holder.arguments?.insert("-F", at: 0)
            let output = Pipe()
            holder.standardOutput = output
            try holder.run()
            #expect(try output.fileHandleForReading.read(upToCount: 5) == Data("held\n".utf8))
            let error = await #expect(throws: PlugError.self) { try await withSQLiteStore(folder) { _ in } }
            #expect(error?.code == "state-locked")
            #expect(
                error?.message
                    == "the state folder \(folder) is in use by process 4711 (plughost run) since 2026-01-02T03:04:05Z"
            )
            kill(holder.processIdentifier, SIGKILL)
            holder.waitUntilExit()
            try await withSQLiteStore(folder) { _ in }
        }
    }

    @Test func aReaderOfNothingAnswersAsAnEmptyStoreAndMakesNothing() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder, access: .read) { store async throws in
                #expect(try await everything(store, plays) == Everything())
                #expect(try await store.connections() == [])
                let refusal = await code { _ = try await store.openConnection(bob, plug: "p", pda: pda) }
                #expect(refusal == "state-read-only")
            }
            #expect(access(folder, F_OK) != 0)
        }
    }

    @Test func aReaderSeesWhatTheWriterCommits() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { writer async throws in
                try await withSQLiteStore(folder, access: .read) { reader async throws in
                    _ = try await writer.openConnection(bob, plug: "p", pda: pda)
                    try await writer.commit(try fullCommit(plays))
                    #expect(try await everything(reader, plays) == everything(writer, plays))
                    #expect(try await reader.deadLetters(DeadLetterFilter()).map(\.letter) == [letter("a")])
                    let codes = [
                        await code { try await reader.commit(StreamCommit(stream: plays, pass: 1)) },
                        await code { try await reader.eraseConnection(bob) },
                        await code { _ = try await reader.removeDeadLetters([1]) },
                    ]
                    #expect(codes == Array(repeating: "state-read-only", count: 3))
                }
                try await writer.commit(StreamCommit(stream: plays, pass: 1, completesPass: true))
            }
        }
    }

    @Test func aReaderNeitherWritesNorCheckpoints() async throws {
        try await withFolder { folder in
            let crashed = folder + ".crashed"
            defer { try? FileManager.default.removeItem(atPath: crashed) }
            try await withSQLiteStore(folder) { writer async throws in
                _ = try await writer.openConnection(bob, plug: "p", pda: pda)
                // What a crash leaves: a log that was never folded into the database.
                try run("/bin/cp", "-r", folder, crashed)
            }
            func files() throws -> [Data] {
                try ["", "-wal"].map { try Data(contentsOf: URL(filePath: "\(crashed)/plughost.db\($0)")) }
            }
            let before = try files()
            #expect(before[1].count > 0)
            try await withSQLiteStore(crashed, access: .read) { reader async throws in
                #expect(try await reader.connections().map(\.id) == [bob])
            }
            #expect(try files() == before)
            try await withSQLiteStore(crashed) { writer async throws in
                #expect(try await writer.connections().map(\.id) == [bob])
            }
        }
    }
}

/// Runs a program to its end.
func run(_ program: String, _ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
}
