import Foundation
import GRDB
import TestKit
import Testing

@testable import PlugStorage

/// When the connections that read are opened, and when they are gone.
struct StoreReadersTests {
    @Test func theFirstRunOfAPlugNeedsNone() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                #expect(try await store.serverNotes() == [])
                let start = RunStart(connection: bob, version: "1.0.0", at: 1)
                let run = try await store.openRun(start, plug: "p", pda: pda, streams: ["plays"])
                try await store.commit(StreamCommit(stream: plays, pass: 1, ledger: packed(1)))
                try await store.endRun(run.id, outcome: "done", report: [], tally: RunTally())
                #expect(try store.content?.readers.openPool() == nil)
                #expect(try await store.connections().map(\.id) == [bob])
                #expect(try store.content?.readers.openPool() != nil)
                #expect(try await store.serverNotes() == [])
            }
        }
    }

    @Test func manyFirstReadsOpenThemOnce() async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                let readers = try #require(store.content?.readers)
                let pools = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
                    for _ in 0..<16 { group.addTask { ObjectIdentifier(try await readers.pool()) } }
                    return try await group.reduce(into: Set()) { $0.insert($1) }
                }
                #expect(pools.count == 1)
            }
        }
    }

    @Test func afterClosingTheyAreNotOpenedAgain() async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero))
            let readers = try #require(store.content?.readers)
            await store.close()
            let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            #expect(await code { _ = try await readers.pool() } == "state-closed")
            #expect(await code { _ = try readers.poolAtOnce() } == "state-closed")
            #expect(await code { _ = try await store.connections() } == "state-closed")
            #expect(await code { _ = try await store.serverNotes() } == "state-closed")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
        }
    }
}
