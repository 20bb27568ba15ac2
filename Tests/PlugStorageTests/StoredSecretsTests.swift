import Foundation
import PlugCore
import PlugStorage
import TestKit
import Testing

/// What lies on the disk: nothing readable, nothing that can be moved or changed unnoticed.
struct StoredSecretsTests {
    private let canary = "canary-7f3a91c04e5d"

    /// A store with the canary in everything that has to be encrypted.
    private func fill(_ store: SQLiteStore, _ connections: [ConnectionID]) async throws {
        for connection in connections {
            _ = try await store.openConnection(connection, plug: "p", pda: pda)
            let stream = StreamID(connection: connection, stream: "plays")
            let batch = try batch(canary)
            for pass: Int64 in [1, 2] {
                try await store.commit(
                    StreamCommit(
                        stream: stream,
                        pass: pass,
                        states: ["": StreamState(Array(canary.utf8)), canary: StreamState(Array(canary.utf8))],
                        ledger: packed(1),
                        completesPass: true,
                        deadLetters: [letter("\(canary) \(pass)")],
                        outbox: [batch]
                    )
                )
            }
            try await store.keepToken(KeptToken(token: Secret(canary), issuedAt: 1), of: connection)
            for name in ["login", "oauth2"] {
                let grant = GrantID(connection: connection, name: name)
                _ = try await store.keepGrant(Secret(canary), as: grant, replacing: nil)
            }
            let consent = StoredConsent(
                name: Array(connection.name.utf8),
                session: [1],
                connection: connection,
                endsAt: .max,
                content: Secret(canary)
            )
            try await store.keepConsent(consent)
            let run = try await store.beginRun(RunStart(connection: connection, version: "1", at: 1))
            try await store.endRun(run, outcome: "done", report: Array(canary.utf8))
        }
        let note = ServerNote(name: canary, bytes: Array(canary.utf8), expiresAt: .max)
        try await store.keepServerNotes([note, ServerNote(name: "another", bytes: [], expiresAt: .max)])
    }

    @Test func noFileOfTheFolderHoldsAnythingReadable() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                try await fill(store, [bob])
                // A copy by another process: closing the database's file here would drop SQLite's locks.
                try FileManager.default.copyItem(atPath: folder, toPath: folder + ".copy")
            }
            defer { try? FileManager.default.removeItem(atPath: folder + ".copy") }
            let needles = [canary, Data(canary.utf8).base64EncodedString(), hexadecimal(canary), pda].map {
                Data($0.utf8)
            }
            var hits: Set<Int> = []
            for path in [folder, folder + ".copy"] {
                for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                    let bytes = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
                    for (index, needle) in needles.enumerated() where bytes.range(of: needle) != nil {
                        hits.insert(index)
                    }
                }
            }
            // The PDA's origin is stored in the clear: it shows that the search finds what is there.
            #expect(hits == [3])
        }
    }

    @Test func anErasedConnectionsKeyIsGoneFromTheDisk() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { try await fill($0, [bob]) }
            let hex = try #require(try Raw.text("SELECT hex(wrapped) FROM data_key", in: folder))
            func holdsKey() throws -> Bool {
                try FileManager.default.contentsOfDirectory(atPath: folder).contains { name in
                    hexadecimal(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))).contains(hex.lowercased())
                }
            }
            #expect(try holdsKey())
            try await withSQLiteStore(folder) { try await $0.eraseConnection(bob) }
            #expect(try !holdsKey())
        }
    }

    @Test(arguments: [
        ("state", "stream = 1"), ("token", "connection = 1"), ("vault", "connection = 1"),
        ("dead_letter", "stream = 1"), ("outbox", "stream = 1"),
    ])
    func valuesSwappedBetweenConnectionsAreRefused(_ table: String, _ condition: String) async throws {
        try await withFolder { folder in
            let eve = ConnectionID("eve")
            try await withSQLiteStore(folder) { try await fill($0, [bob, eve]) }
            let other = condition.replacingOccurrences(of: "1", with: "2")
            let foreign = "SELECT sealed FROM \(table) WHERE \(other) LIMIT 1"
            try Raw.execute(["UPDATE \(table) SET sealed = (\(foreign)) WHERE \(condition)"], in: folder)
            try await withSQLiteStore(folder) { store async throws in
                let error = await firstError(store, bob)
                #expect(error?.code == "state-damaged")
                #expect(error?.exit == .configuration)
                #expect(error.map { "\($0)".contains(canary) } == false)
                #expect(await firstError(store, eve) == nil)
            }
        }
    }

    @Test(arguments: [
        "UPDATE dead_letter SET sealed = (SELECT sealed FROM dead_letter d WHERE d.id = 3 - dead_letter.id)",
        "UPDATE dead_letter SET at = at + 1",
        "UPDATE outbox SET id = id + 10",
        "UPDATE token SET issued_at = 0",
        "UPDATE token SET sealed = substr(sealed, 1, length(sealed) - 1)",
        "UPDATE vault SET version = version + 1",
        "UPDATE vault SET sealed = (SELECT sealed FROM vault WHERE name = 'login') WHERE name = 'oauth2'",
        "UPDATE state SET sealed = x''",
        "UPDATE run SET sealed_report = CAST(sealed_report || x'00' AS BLOB)",
        "UPDATE stream SET name = 'plays2'; UPDATE stream SET name = 'plays' WHERE 0",
        "UPDATE connection SET pda = 'https://eve.example.org'",
        "UPDATE connection SET plug = 'other'",
        "UPDATE data_key SET wrapped = zeroblob(length(wrapped))",
        "UPDATE data_key SET id = id + 1",
        "DELETE FROM data_key",
    ])
    func aChangedRowIsRefused(_ sql: String) async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { try await fill($0, [bob]) }
            try Raw.execute([sql], in: folder)
            try await withSQLiteStore(folder) { store async throws in
                let error = await firstError(store, bob)
                #expect(error?.code == "state-damaged")
            }
        }
    }

    @Test(arguments: [
        "UPDATE server_note SET sealed = (SELECT sealed FROM server_note n WHERE n.name <> server_note.name)",
        "UPDATE server_note SET expires_at = expires_at - 1",
        "UPDATE server_note SET name = zeroblob(16) WHERE name = (SELECT min(name) FROM server_note)",
    ])
    func aServerNoteThatWasChangedCountsAsNoneAndCanBeReplaced(_ sql: String) async throws {
        try await withFolder { folder in
            let notes = ["a", "b"].map { ServerNote(name: $0, bytes: [1], expiresAt: .max) }
            try await withSQLiteStore(folder) { try await $0.keepServerNotes(notes) }
            try Raw.execute([sql], in: folder)
            try await withSQLiteStore(folder) { store async throws in
                #expect(try await store.serverNotes().count < 2)
                try await store.changeServerNote("a") { _ in notes[0] }
                try await store.changeServerNote("b") { _ in notes[1] }
                #expect(try await store.serverNotes().sorted { $0.name < $1.name } == notes)
            }
        }
    }

    @Test(arguments: [
        "UPDATE consent SET sealed = (SELECT sealed FROM consent c WHERE c.name <> consent.name)",
        "UPDATE consent SET version = version + 1",
        "UPDATE consent SET ends_at = ends_at - 1",
        "UPDATE consent SET session = x'02'",
        "UPDATE consent SET connection = 3 - connection",
    ])
    func aConsentThatWasChangedCountsAsNone(_ sql: String) async throws {
        try await withFolder { folder in
            let eve = ConnectionID("eve")
            try await withSQLiteStore(folder) { try await fill($0, [bob, eve]) }
            try Raw.execute([sql], in: folder)
            try await withSQLiteStore(folder) { store async throws in
                #expect(try await store.consent(Array("bob".utf8)) == nil)
                for session: [UInt8] in [[1], [2]] {
                    let taken = try await store.takeConsent(Array("bob".utf8), session: session)
                    #expect(taken == .foreign)
                }
            }
        }
    }

    /// Reads everything of a connection, up to the first error.
    private func firstError(_ store: any PlugStore, _ connection: ConnectionID) async -> PlugError? {
        do {
            _ = try await store.keptToken(of: connection)
            _ = try await store.grant(GrantID(connection: connection, name: "oauth2"))
            _ = try await store.deadLetters(DeadLetterFilter(connection: connection))
            _ = try await store.runs(of: connection, limit: 9)
            _ = try await store.serverNotes()
            for name in ["plays", "plays2"] {
                let stream = StreamID(connection: connection, stream: name)
                for part in ["", canary] { _ = try await store.state(of: stream, part: part) }
                _ = try await store.outbox(of: stream, limit: 9)
            }
            return nil
        } catch {
            return error as? PlugError
        }
    }

    private func hexadecimal(_ text: String) -> String { hexadecimal(Data(text.utf8)) }

    private func hexadecimal(_ bytes: Data) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
