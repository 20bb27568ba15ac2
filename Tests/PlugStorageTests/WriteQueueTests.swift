import Foundation
import GRDB
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugStorage

/// How writes share transactions.
struct WriteQueueTests {
    private func withQueue(_ body: (WriteQueue, DatabaseQueue) async throws -> Void) async throws {
        let database = try DatabaseQueue()
        try await database.write { try $0.execute(sql: "CREATE TABLE t (n INTEGER CHECK (n < 1000))") }
        try await body(WriteQueue(database), database)
    }

    private func numbers(_ database: DatabaseQueue) async throws -> [Int] {
        try await database.read { try Int.fetchAll($0, sql: "SELECT n FROM t ORDER BY n") }
    }

    @Test func whatArrivesWhileOneWritesSharesTheNextTransaction() async throws {
        try await withQueue { queue, database async throws in
            try await withThrowingTaskGroup(of: Int.self) { group in
                // The writer is kept busy until all the others have arrived.
                let gate = DispatchSemaphore(value: 0)
                group.addTask {
                    try await queue.perform { _ in
                        gate.wait()
                        return -1
                    }
                }
                while queue.groupCount == 0 { await Task.yield() }
                for number in 0..<100 {
                    group.addTask {
                        try await queue.perform { database in
                            try database.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
                            return number
                        }
                    }
                }
                while queue.waitingCount < 100 { await Task.yield() }
                gate.signal()
                let answers = try await group.reduce(into: Set<Int>()) { $0.insert($1) }
                #expect(answers == Set(-1..<100))
            }
            #expect(queue.groupCount == 2)
            #expect(try await numbers(database) == Array(0..<100))
        }
    }

    @Test func closingComesAfterAllAcceptedWrites() async throws {
        let accepted = 3 * WriteQueue.groupLimit
        try await withQueue { queue, database async throws in
            let seen = Seen()
            try await withThrowingTaskGroup(of: Void.self) { group in
                let gate = DispatchSemaphore(value: 0)
                group.addTask { try await queue.perform { _ in gate.wait() } }
                while queue.groupCount == 0 { await Task.yield() }
                for number in 0..<accepted {
                    group.addTask {
                        try await queue.perform { database in
                            try database.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
                        }
                    }
                }
                while queue.waitingCount < accepted { await Task.yield() }
                group.addTask {
                    await queue.close { database in
                        let count = try? Int.fetchOne(database, sql: "SELECT count(*) FROM t")
                        seen.count.withLock { $0 = count ?? -1 }
                    }
                }
                while !queue.isClosed { await Task.yield() }
                gate.signal()
                try await group.waitForAll()
            }
            #expect(seen.count.withLock { $0 } == accepted)
            #expect(try await numbers(database) == Array(0..<accepted))
        }
    }

    @Test(
        "a group is written without savepoints, and once more with them where a write of it fails",
        arguments: [false, true]
    )
    func savepoints(fails: Bool) async throws {
        try await withQueue { queue, database async throws in
            let statements = Mutex<[String]>([])
            await queue.performAlone { database in
                database.trace { event in statements.withLock { $0.append(String(event.description.prefix(16))) } }
            }
            let gate = DispatchSemaphore(value: 0)
            let codes = try await withThrowingTaskGroup(of: String?.self) { group in
                group.addTask {
                    try await queue.perform { _ in gate.wait() }
                    return nil
                }
                while queue.groupCount == 0 { await Task.yield() }
                for number in 1...3 {
                    group.addTask {
                        await code {
                            try await queue.perform { database in
                                try database.execute(sql: "INSERT INTO t VALUES (\(number))")
                                if fails, number == 2 { throw PlugError("mine", exit: .failed, "no") }
                            }
                        }
                    }
                    while queue.waitingCount < number { await Task.yield() }
                }
                gate.signal()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.compactMap(\.self) == (fails ? ["mine"] : []))
            let written = statements.withLock { $0 }.drop { $0.hasPrefix("BEGIN") || $0.hasPrefix("COMMIT") }
            #expect(try await numbers(database) == (fails ? [1, 3] : [1, 2, 3]))
            let point = ["SAVEPOINT job", "INSERT INTO t VA", "RELEASE SAVEPOIN"]
            let undone = ["SAVEPOINT job", "INSERT INTO t VA", "ROLLBACK TRANSAC", "RELEASE SAVEPOIN"]
            let together = Array(repeating: "INSERT INTO t VA", count: fails ? 2 : 3)
            let again = ["ROLLBACK TRANSAC", "BEGIN IMMEDIATE "] + point + undone + point
            #expect(Array(written) == together + (fails ? again : []) + ["COMMIT TRANSACTI"])
        }
    }

    @Test func nothingIsWrittenAfterTheDiskFailedToKeepSomething() async throws {
        try await withQueue { queue, database async throws in
            let errors = [
                await code {
                    _ = try await queue.perform { _ in throw DatabaseError(resultCode: .SQLITE_IOERR_FSYNC) }
                },
                await code {
                    try await queue.perform { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
                },
            ]
            #expect(errors == ["store-failed", "store-failed"])
            #expect(try await numbers(database) == [])
        }
    }

    @Test func aWriteThatThrowsHalfWayLeavesNothingAndDisturbsNobody() async throws {
        try await withQueue { queue, database async throws in
            let errors = await withTaskGroup(of: (Int, String?).self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let code = await code {
                            try await queue.perform { database in
                                try database.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
                                if number % 4 == 1 { throw PlugError("mine", exit: .failed, "no") }
                                let next = number % 4 == 2 ? 5_000 : number + 100
                                try database.execute(sql: "INSERT INTO t VALUES (?)", arguments: [next])
                            }
                        }
                        return (number, code)
                    }
                }
                return await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
            }
            let good = (0..<40).filter { $0 % 4 != 1 && $0 % 4 != 2 }
            #expect(errors.filter { $0.value == nil }.keys.sorted() == good)
            #expect(errors[1] == .some("mine") && errors[2] == .some("store-failed"))
            #expect(try await numbers(database) == (good + good.map { $0 + 100 }).sorted())
        }
    }

    @Test func aFullDiskIsTriedLaterAndTakesOnlyTheTooLargeAlong() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                let writer = try #require(store.content?.writer)
                try await writer.perform { try $0.execute(sql: "CREATE TABLE filler (b BLOB)") }
                await writer.performAlone { database in
                    // Room for a few pages more, as on a disk that is almost full.
                    let pages = try? Int.fetchOne(database, sql: "PRAGMA page_count")
                    try? database.execute(sql: "PRAGMA max_page_count = \((pages ?? 0) + 20)")
                }
                let codes = await withTaskGroup(of: (Int, PlugError?).self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            do {
                                try await writer.perform { database in
                                    let size = number == 3 ? 1_000_000 : 10
                                    try database.execute(sql: "INSERT INTO filler VALUES (zeroblob(\(size)))")
                                }
                                return (number, nil)
                            } catch {
                                return (number, error as? PlugError)
                            }
                        }
                    }
                    return await group.reduce(into: [Int: PlugError]()) { $0[$1.0] = $1.1 }
                }
                #expect(Array(codes.keys) == [3])
                #expect(codes[3]?.code == "store-failed")
                #expect(codes[3]?.exit == .tryLater)
                #expect(codes[3]?.message.contains("disk is full") == true)
            }
        }
    }

    @Test func aCommitIsOnTheDiskWhenItReturns() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                let writer = try #require(store.content?.writer)
                let settings = try await writer.perform { database in
                    try ["synchronous", "foreign_keys", "journal_mode", "busy_timeout"].map {
                        try String.fetchOne(database, sql: "PRAGMA \($0)")
                    }
                }
                #expect(settings == ["2", "1", "wal", "5000"])
                #expect(try await store.content?.readers.pool().configuration.readonly == true)
            }
        }
    }
}

/// What the final work of a queue has counted.
private final class Seen: Sendable {
    let count = Mutex(0)
}
