import PlugCore
import PlugStorage
import TestKit
import Testing

/// What may need a person is counted with the changes, and told once.
struct NoticeStoreTests {
    private let reconnect = NoticeCause(.reconnect, plug: "p")
    private let letters = NoticeCause(.deadLetters, plug: "p")

    private func notice(_ id: String, at: Int64, _ causes: [NoticeCause: Int], _ targets: String...) -> NewNotice {
        NewNotice(id: id, at: at, content: "[]", causes: causes, targets: targets)
    }

    private func withStore(_ body: (SQLiteStore) async throws -> Void) async throws {
        try await withFolder { folder in
            try await withSQLiteStore(folder) { store async throws in
                _ = try await store.openConnection(bob, plug: "p", pda: pda)
                try await body(store)
            }
        }
    }

    @Test func lettersAndConnectionsThatFallOutAreCountedAndNewConnectionsAreNot() async throws {
        try await withStore { store in
            let waiting = ConnectionSetup(status: .reconnect, dueAt: nil, content: Secret("{}"))
            try await store.keepSetup(waiting, of: bob, AuditEntry(at: 1, who: "shell", what: "added"))
            #expect(try await store.noticeCauses() == [])
            let active = ConnectionSetup(status: .active, dueAt: 1, content: Secret("{}"))
            try await store.keepSetup(active, of: bob, AuditEntry(at: 2, who: "shell", what: "resumed"))
            try await store.keepSetup(waiting, of: bob, AuditEntry(at: 3, who: "host", what: "reconnect"))
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")]))
            #expect(
                try await store.noticeCauses() == [
                    CauseState(letters, news: 2, toldAt: nil), CauseState(reconnect, news: 1, toldAt: nil),
                ]
            )
            #expect(try await store.connections(behind: reconnect, limit: 10).map(\.id) == [bob])
            #expect(try await store.connections(behind: letters, limit: 10).map(\.id) == [bob])
            #expect(try await store.connections(behind: NoticeCause(.reconnect, plug: "q"), limit: 10).isEmpty)
        }
    }

    @Test func oneOfTwoWhoTellTheSameCauseDoesAndWhatCameMeanwhileStaysNews() async throws {
        try await withStore { store in
            try await store.commit(StreamCommit(stream: plays, pass: 1, deadLetters: [letter("a"), letter("b")]))
            #expect(
                try await store.keepNotice(notice("n1", at: 1_000, [letters: 1], "ops", "mail"), unlessToldSince: 500)
            )
            #expect(try await !store.keepNotice(notice("n2", at: 1_001, [letters: 1], "ops"), unlessToldSince: 501))
            #expect(try await store.noticeCauses() == [CauseState(letters, news: 1, toldAt: 1_000)])
            // A clock that was ahead silences nothing.
            #expect(try await store.keepNotice(notice("n3", at: 900, [letters: 1], "ops"), unlessToldSince: 400))
            #expect(try await store.noticeCauses() == [CauseState(letters, news: 0, toldAt: 900)])
        }
    }

    @Test func aNoticeIsClaimedByOneAndComesBackWhenItsHostDies() async throws {
        try await withStore { store in
            #expect(try await store.keepNotice(notice("n", at: 10, [letters: 0], "ops"), unlessToldSince: 0))
            let first = try await store.claimNotices(at: 10, until: 20, limit: 8)
            #expect(first.map(\.id) == ["n"] && first.map(\.target) == ["ops"])
            #expect(try await store.claimNotices(at: 19, until: 29, limit: 8).isEmpty)
            let second = try await store.claimNotices(at: 20, until: 30, limit: 8)
            #expect(second.map(\.id) == ["n"])
            // The first one has lost its claim.
            try await store.endNotice(try #require(first.first), .gone)
            try await store.endNotice(try #require(second.first), .again(50, failure: "nobody is there"))
            #expect(
                try await store.noticeQueues() == [
                    NoticeQueue(target: "ops", count: 1, since: 10, failure: "nobody is there")
                ]
            )
            #expect(try await store.claimNotices(at: 49, until: 59, limit: 8).isEmpty)
            let third = try #require(try await store.claimNotices(at: 50, until: 60, limit: 8).first)
            #expect(third.tries == 1)
            try await store.endNotice(third, .gone)
            #expect(try await store.noticeQueues() == [])
        }
    }

    @Test func aClockThatWasSetBackHoldsNoNoticeBack() async throws {
        try await withStore { store in
            #expect(try await store.keepNotice(notice("n", at: 1_000_000, [letters: 0], "ops"), unlessToldSince: 0))
            try await store.reviveNotices(at: 1_000, longest: 100)
            #expect(try await store.claimNotices(at: 1_000, until: 1_100, limit: 8).map(\.at) == [1_000])
        }
    }

    @Test func ofNoticesThatNobodyTakesTheNewestAreKept() async throws {
        try await withStore { store in
            for number in 1...(NoticeLimit.queue + 5) {
                let cause = NoticeCause(.plugFailing, plug: "p\(number)")
                #expect(try await store.keepNotice(notice("n\(number)", at: 10, [cause: 0], "ops"), unlessToldSince: 0))
            }
            #expect(try await store.noticeQueues().map(\.count) == [NoticeLimit.queue])
            let oldest = try await store.claimNotices(at: 10, until: 20, limit: 1)
            #expect(oldest.map(\.id) == ["n6"])
        }
    }

    @Test func healthIsThatOfTheLastRunOfEachConnection() async throws {
        try await withStore { store in
            let active = ConnectionSetup(status: .active, dueAt: 1, content: Secret("{}"))
            for (name, outcomes) in [("a", ["done", "failed", "interrupted"]), ("b", ["failed", "done"]), ("c", [])] {
                let id = ConnectionID(name)
                _ = try await store.openConnection(id, plug: "q", pda: pda)
                try await store.keepSetup(active, of: id, AuditEntry(at: 1, who: "shell", what: "added"))
                for outcome in outcomes {
                    let run = try await store.beginRun(RunStart(connection: id, version: "1.0.0", at: 1))
                    try await store.endRun(run, outcome: outcome, report: [])
                }
            }
            #expect(try await store.health(of: "q", limit: 10) == PlugHealth(connections: 2, failed: 1))
        }
    }
}
