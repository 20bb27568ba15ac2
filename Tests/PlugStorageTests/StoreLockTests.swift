import Foundation
import Glibc
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugStorage

/// Writers and readers of one folder, and what happens when they meet.
@Suite(.serialized, .fewAtATime)
struct StoreLockTests {
    @Test func severalWritersShareAFolder() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { first async throws in
                try await withSQLiteStore(folder) { second async throws in
                    let made = try await first.openConnection(bob, plug: "p", pda: pda)
                    #expect(try await second.openConnection(bob, plug: "p", pda: pda) == made)
                    try await second.commit(try fullCommit(plays))
                    #expect(try await everything(first, plays) == everything(second, plays))
                }
                try await first.commit(StreamCommit(stream: plays, pass: 1, completesPass: true))
                #expect(try await first.currentPass(of: plays) == 2)
            }
        }
    }

    @Test func aSecondRunOfAConnectionIsToldWhoHasTheFirst() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { first async throws in
                try await withSQLiteStore(folder) { second async throws in
                    let opened = try await open(bob, in: first)
                    for store in [first, second] {
                        let error = await #expect(throws: PlugError.self) { _ = try await open(bob, in: store) }
                        #expect(error?.code == "state-locked")
                        #expect(error?.exit == .tryLater)
                        #expect(error?.message.hasPrefix("connection 'bob' is in use by process \(getpid()) (") == true)
                        #expect(error?.message.contains(" since 20") == true)
                        #expect(await code { _ = try await store.lease(bob) } == "state-locked")
                    }
                    _ = try await open(ConnectionID("eve"), in: second)
                    #expect(try await second.runs(of: bob, limit: 9).map(\.id) == [opened.id])
                    opened.lease?.end()
                    #expect(try await open(bob, in: second).id > opened.id)
                }
            }
        }
    }

    @Test func aRunWaitsForAnotherOfItsConnection() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { first async throws in
                let opened = try await open(bob, in: first)
                try await withSQLiteStore(folder, access: .write(wait: .seconds(600))) { second async throws in
                    async let other = open(bob, in: second)
                    opened.lease?.end()
                    #expect(try await other.id > opened.id)
                }
            }
        }
    }

    @Test func aLeaseEndsWithTheStoreThatGaveIt() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { other async throws in
                var kept: OpenedRun?
                try await withSQLiteStore(folder) { kept = try await open(bob, in: $0) }
                let lease = try await other.lease(bob)
                // Giving back what was given back already takes nothing from the new owner.
                kept?.lease?.end()
                #expect(await code { _ = try await other.lease(bob) } == "state-locked")
                lease.end()
            }
        }
    }

    @Test func aWaitThatIsCancelledEnds() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                let opened = try await open(bob, in: store)
                let result = await withTaskGroup(of: String?.self) { group in
                    group.addTask {
                        await code {
                            try await withSQLiteStore(folder, access: .write(wait: .seconds(600))) {
                                _ = try await open(bob, in: $0)
                            }
                        }
                    }
                    group.cancelAll()
                    return await group.reduce(nil) { $1 }
                }
                #expect(result == "interrupted")
                opened.lease?.end()
            }
        }
    }

    @Test func writersOfEightProcessesLoseNothingAndNobodyStarves() async throws {
        // Where the machine is busy, each turn that goes from one writer to the next takes half a second.
        let commits = UInt64(Thoroughness.isFull ? 40 : 8)
        try await withFolder { folder in
            let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<8 {
                    group.addTask {
                        let stream = StreamID(connection: ConnectionID("c\(writer)"), stream: "s")
                        try await withSQLiteStore(folder) { store async throws in
                            _ = try await open(stream.connection, in: store)
                            for number in 0..<commits {
                                let commit = StreamCommit(stream: stream, pass: 1, ledger: packed(number))
                                try await store.commit(commit)
                            }
                        }
                        return 1
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(counts == 8)
            try await withSQLiteStore(folder, access: .read) { store async throws in
                for writer in 0..<8 {
                    let stream = StreamID(connection: ConnectionID("c\(writer)"), stream: "s")
                    #expect(try await ledger(store, stream).map(\.packed) == (0..<commits).map { packed($0) })
                }
            }
            #expect(try Raw.texts("PRAGMA integrity_check", in: folder) == ["ok"])
        }
    }

    @Test func aTurnThatDoesNotEndIsAnErrorForTheOthers() async throws {
        try await withFolder { path in
            let folder = StateFolder(path)
            try folder.make()
            let stuck = try StateLock(folder, .shared, clock: SystemClock())
            let other = try StateLock(folder, .shared, clock: SystemClock())
            try stuck.takeTurn()
            let error = #expect(throws: PlugError.self) { try other.takeTurn(within: .zero) }
            #expect(error?.code == "state-locked")
            #expect(error?.exit == .tryLater)
            stuck.endTurn()
            try other.takeTurn(within: .zero)
            // Whoever waits longest is next, although the one that has just written wants to write again.
            let third = try StateLock(folder, .shared, clock: SystemClock())
            let order = await withTaskGroup(of: Void.self) { group in
                let order = Mutex<[String]>([])
                group.addTask {
                    await onAThreadOfItsOwn {
                        try? third.takeTurn()
                        order.withLock { $0.append("third") }
                        third.endTurn()
                    }
                }
                // The line is taken once the third stands at its head.
                while !stuck.isLineTaken { await Task.yield() }
                other.endTurn()
                await onAThreadOfItsOwn {
                    try? other.takeTurn()
                    order.withLock { $0.append("other") }
                    other.endTurn()
                }
                await group.waitForAll()
                return order.withLock { $0 }
            }
            #expect(order == ["third", "other"])
        }
    }

    @Test func anOlderStateIsBroughtUpToDateOnlyWhileNobodyUsesIt() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { user async throws in
                try Raw.execute(["DROP TABLE lease", "DELETE FROM grdb_migrations WHERE identifier = '3'"], in: folder)
                #expect(await code { try await withSQLiteStore(folder) { _ in } } == "state-locked")
                _ = try await user.connections()
            }
            try await withSQLiteStore(folder) { _ = try await open(bob, in: $0) }
        }
    }

    @Test(.enabled(if: access("/usr/bin/flock", X_OK) == 0, "the flock program is missing"))
    func anOlderVersionHoldsTheWholeFolderUntilItIsKilled() async throws {
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
            let ended = try holder.startTellingOfItsEnd()
            let said = try await blocking { try output.fileHandleForReading.read(upToCount: 5) }
            #expect(said == Data("held\n".utf8))
            let error = await #expect(throws: PlugError.self) { try await withSQLiteStore(folder) { _ in } }
            #expect(error?.code == "state-locked")
            #expect(
                error?.message
                    == "the state folder \(folder) is in use by process 4711 (plughost run) since 2026-01-02T03:04:05Z"
            )
            kill(holder.processIdentifier, SIGKILL)
            for await _ in ended {}
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
                try FileManager.default.copyItem(atPath: folder, toPath: crashed)
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

/// Opens a run of a connection.
private func open(_ connection: ConnectionID, in store: SQLiteStore) async throws -> OpenedRun {
    let start = RunStart(connection: connection, version: "1.0.0", at: SystemClock().now())
    return try await store.openRun(start, plug: "p", pda: pda, streams: [])
}
