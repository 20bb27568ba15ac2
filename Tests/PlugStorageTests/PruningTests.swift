import PlugCore
import TestKit
import Testing

@testable import PlugStorage

/// What a host's housekeeping removes.
struct PruningTests {
    private let clock = MovableClock(seconds: 1_795_000_000)

    private func withStore(_ body: (SQLiteStore) async throws -> Void) async throws {
        try await withFolder { folder in
            let store = try await SQLiteStore.open(folder: folder, access: .write(wait: .zero), clock: clock)
            do { try await body(store) } catch {
                await store.close()
                throw error
            }
            await store.close()
        }
    }

    /// A run a day, the second one done, the others without an end.
    private func run(_ days: Int, _ store: SQLiteStore) async throws {
        _ = try await store.openConnection(bob, plug: "p", pda: pda)
        for day in 0..<days {
            let id = try await store.beginRun(RunStart(connection: bob, version: "1.0.0", at: clock.now()))
            if day == 1 { try await store.endRun(id, outcome: "done", report: []) }
            clock.advance(.seconds(86_400))
        }
    }

    private func kept(_ store: SQLiteStore) async throws -> [Int64] {
        try await store.runs(of: bob, limit: 1_000).map(\.id)
    }

    @Test func runsAreKeptForTheirAge() async throws {
        try await withStore { store in
            try await run(12, store)
            #expect(try await store.prune() == PruneCounts())
            var retention = Retention()
            retention.runs = .age(.seconds(3 * 86_400))
            try await store.keep(retention)
            #expect(try await store.retention() == retention)
            #expect(try await store.prune().runs == 8)
            // The last three, and the last that was done.
            #expect(try await kept(store) == [12, 11, 10, 2])
            clock.advance(.seconds(100 * 86_400))
            #expect(try await store.prune().runs == 2)
            #expect(try await kept(store) == [12, 2])
        }
    }

    @Test func asManyRunsAreKeptAsTheOperatorSays() async throws {
        try await withStore { store in
            var retention = Retention()
            retention.runs = .count(200)
            try await store.keep(retention)
            try await run(150, store)
            #expect(try await store.prune().runs == 0)
            #expect(try await kept(store).count == 150)
            retention.runs = .count(2)
            try await store.keep(retention)
            #expect(try await store.prune().runs == 147)
            #expect(try await kept(store) == [150, 149, 2])
        }
    }

    @Test func deadLettersAndWhatWaitsGoOnlyWhereTheOperatorSaysWhen() async throws {
        try await withStore { store in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            try await store.commit(
                StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")], outbox: [batch("x")])
            )
            clock.advance(.seconds(10 * 86_400))
            try await store.commit(
                StreamCommit(stream: plays, pass: 1, deadLetters: [letter("c")], outbox: [batch("y")])
            )
            clock.advance(.seconds(86_400))
            #expect(try await store.prune() == PruneCounts())
            var retention = Retention()
            (retention.deadLetters, retention.outbox) = (.seconds(5 * 86_400), .seconds(5 * 86_400))
            try await store.keep(retention)
            var counts = PruneCounts()
            (counts.deadLetters, counts.batches) = (2, 1)
            #expect(try await store.prune() == counts)
            #expect(try await store.deadLetterSize(of: bob).letters == 1)
            #expect(try await store.outbox(of: plays, limit: 9).map(\.batch) == [batch("y")])
            #expect(try await store.prune() == PruneCounts())
        }
    }
}
