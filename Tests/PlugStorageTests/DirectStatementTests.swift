import FoundationEssentials
import GRDB
import Testing

@testable import PlugStorage

/// Statements with SQLite's own parameters and columns.
@Suite struct DirectStatementTests {
    private func inDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try DatabaseQueue().write { database in
            try database.execute(
                sql: "CREATE TABLE thing (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, bytes BLOB)"
            )
            return try body(database)
        }
    }

    @Test func valuesComeBackAsTheyWere() throws {
        try inDatabase { database in
            let insert = "INSERT INTO thing (id, name, bytes) VALUES (?, ?, ?)"
            try database.run(insert, 1, "Ana Luísa 🌍\0 end", Data([0, 255, 0]))
            try database.run(insert, Int64.max, "", Data())
            let rows = try database.all("SELECT id, name, bytes FROM thing ORDER BY id") { row in
                "\(row[0] as Int64) \(Array((row[1] as String).utf8)) \(row[2].map { [UInt8]($0 as Data) } ?? [9])"
            }
            #expect(
                rows == [
                    "1 \(Array("Ana Luísa 🌍\0 end".utf8)) [0, 255, 0]",
                    "9223372036854775807 [] []",
                ]
            )
        }
    }

    @Test func anEmptyTextIsNotNull() throws {
        try inDatabase { database in
            try database.run("INSERT INTO thing (name) VALUES (?)", "")
            let found = try database.first("SELECT name IS NULL, bytes FROM thing") { row in
                (isNull: row[0] as Bool, bytes: row[1] as Data?)
            }
            #expect(found?.isNull == false)
            #expect(found.map(\.bytes) == .some(nil))
        }
    }

    @Test func theFirstRowIsReadOnceAndNoneGivesNothing() throws {
        try inDatabase { database in
            for name in ["a", "b", "c"] { try database.run("INSERT INTO thing (name) VALUES (?)", name) }
            var read = 0
            let name = try database.first("SELECT name FROM thing ORDER BY name") { row in
                read += 1
                return row[0] as String
            }
            #expect(name == "a")
            #expect(read == 1)
            #expect(try database.first("SELECT name FROM thing WHERE id = ?", 7) { $0[0] as String } == nil)
        }
    }

    @Test func anErrorSaysWhatSQLiteSays() throws {
        try inDatabase { database in
            let insert = "INSERT INTO thing (name) VALUES (?)"
            try database.run(insert, "a")
            let error = #expect(throws: DatabaseError.self) { try database.run(insert, "a") }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
            #expect(error?.message == "UNIQUE constraint failed: thing.name")
            // The statement can be used again.
            try database.run(insert, "b")
        }
    }

    @Test func aStatementTakesExactlyItsValues() throws {
        try inDatabase { database in
            for values in [[], ["a", "b"]] as [[String]] {
                let error = #expect(throws: DatabaseError.self) {
                    switch values.count {
                    case 0: try database.run("INSERT INTO thing (name) VALUES (?)")
                    default: try database.run("INSERT INTO thing (name) VALUES (?)", values[0], values[1])
                    }
                }
                #expect(error?.resultCode == .SQLITE_RANGE)
            }
        }
    }

    @Test func anErrorOfWhoReadsEndsTheStatement() throws {
        struct Enough: Error {}
        try inDatabase { database in
            for name in ["a", "b"] { try database.run("INSERT INTO thing (name) VALUES (?)", name) }
            #expect(throws: Enough.self) { try database.all("SELECT name FROM thing") { _ in throw Enough() } }
            // A statement that is still at a row would keep the table from being dropped.
            try database.execute(sql: "DROP TABLE thing")
        }
    }

    /// As a run that is interrupted: what it reads just then is no error of the store.
    @Test func aReadOfATaskThatIsCancelledIsNoErrorOfTheStore() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), credentials: nil)
            let (begun, begin) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            let reading = Task {
                try await store.read(0) { database, _ in
                    let endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n"
                    return try database.all(endless) { _ in begin.yield() }.count
                }
            }
            var iterator = begun.makeAsyncIterator()
            await iterator.next()
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
            await store.close()
        }
    }
}
