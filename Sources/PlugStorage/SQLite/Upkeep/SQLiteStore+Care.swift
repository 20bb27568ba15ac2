internal import FoundationEssentials
internal import GRDB
internal import PlugCore

/// The findings of a check of the whole state.
package struct StateFindings: Sendable, Equatable {
    /// The number of connections examined.
    package var connections = 0
    /// The number of sealed values opened.
    package var values = 0
    /// The problems, for display; empty if all is well. At most a hundred are reported.
    package var problems: [String] = []
}

extension SQLiteStore {
    private static let problemLimit = 100

    /// Checks the whole state: SQLite's own check, and every sealed value, except those that need their name to be opened, such
    /// as positions of streams. Changes nothing.
    package func check() async throws -> StateFindings {
        try await read(StateFindings()) { database, key in
            var findings = StateFindings()
            let answers = try String.fetchAll(database, sql: "PRAGMA integrity_check(20)")
            findings.problems += answers.filter { $0 != "ok" }.map { "database: \($0)" }
            let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
            if orphans > 0 { findings.problems.append("database: \(orphans) rows have no parent row") }
            let names = try String.fetchAll(database, sql: "SELECT name FROM connection ORDER BY name")
            findings.connections = names.count
            for name in names where findings.problems.count < Self.problemLimit {
                do { try Self.check(ConnectionID(name), &findings, database, key) } catch {
                    let words = StoreErrors.plugError(error).message
                    findings.problems.append("connection '\(DisplayText.escaped(name))': \(words)")
                }
            }
            return findings
        }
    }

    private static func check(
        _ id: ConnectionID,
        _ findings: inout StateFindings,
        _ database: Database,
        _ key: HostKeys
    ) throws {
        let connection = try ConnectionRow.require(id, database, key)
        if try connection.keptToken(database) != nil { findings.values += 1 }
        findings.values += try connection.openGrants(database)
        if try connection.setup(database) != nil { findings.values += 1 }
        let streams = try Row.fetchAll(
            database,
            sql: "SELECT id, name, pass FROM stream WHERE connection = ?",
            arguments: [connection.rowID]
        )
        for row in streams {
            let stream = StreamRow(
                rowID: row[0],
                id: StreamID(connection: id, stream: row[1]),
                pass: row[2],
                key: connection.key
            )
            if try stream.state(of: "", database) != nil { findings.values += 1 }
            if try stream.profile(database) != nil { findings.values += 1 }
            let batches = try Row.fetchCursor(
                database,
                sql: "SELECT id, at, sealed FROM outbox WHERE stream = ?",
                arguments: [stream.rowID]
            )
            while let batch = try batches.next() {
                _ = try stream.batch(batch[0], at: batch[1], sealed: batch[2], unanswered: 0)
                findings.values += 1
            }
            let letters = try Row.fetchCursor(
                database,
                sql: "SELECT id, at, sealed FROM dead_letter WHERE stream = ?",
                arguments: [stream.rowID]
            )
            while let letter = try letters.next() {
                let place = SealedPlace.deadLetter(letter[0], stream: stream.id.stream, at: letter[1])
                _ = try connection.key.open(letter[2], in: place)
                findings.values += 1
            }
        }
        let runs = try Row.fetchCursor(
            database,
            sql: "SELECT id, sealed_report FROM run WHERE connection = ? AND sealed_report IS NOT NULL",
            arguments: [connection.rowID]
        )
        while let run = try runs.next() {
            _ = try connection.key.open(run[1], in: .run(run[0]))
            findings.values += 1
        }
    }
}
