import PlugCore
import PlugStorage
import TestKit
import Testing

/// What overviews read.
extension PlugStoreContract {
    private static let hour: Int64 = 3_600_000_000

    /// A run that began at a time of the clock, and has ended in some seconds.
    private func run(
        _ connection: ConnectionID,
        _ outcome: String,
        _ tally: RunTally = RunTally(),
        version: String = "1.0.0",
        seconds: Int = 1,
        _ store: any PlugStore,
        _ clock: MovableClock
    ) async throws {
        let run = try await store.beginRun(RunStart(connection: connection, version: version, at: clock.now()))
        clock.advance(.seconds(seconds))
        try await store.endRun(run, outcome: outcome, report: [], tally: tally)
    }

    @Test(arguments: StoreUnderTest.allCases)
    func whatIsOverdueIsCounted(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            let now = clock.now()
            for (name, status, due) in [
                ("a", ConnectionSetup.Status.active, now - 5), ("b", .active, now), ("c", .active, now + 1),
                ("d", .paused, nil), ("e", .reconnect, nil), ("f", .active, nil as Int64?),
            ] {
                let setup = ConnectionSetup(status: status, dueAt: due, content: Secret("{}"))
                let change = AuditEntry(at: now, who: "shell", what: "added")
                _ = try await store.openConnection(ConnectionID(name), plug: "p", pda: pda)
                try await store.keepSetup(setup, of: ConnectionID(name), change)
            }
            #expect(try await store.overdueCount(since: now - 6) == 0)
            #expect(try await store.overdueCount(since: now - 5) == 1)
            #expect(try await store.overdueCount(since: now) == 2)
            // Whose run is under way waits no longer.
            let wish = ClaimWish(at: now, until: now + 10, limit: 1)
            #expect(try await store.claimDue(wish).claims.map(\.connection.name) == ["a"])
            #expect(try await store.overdueCount(since: now) == 1)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func runsAreSummedUpByPlugHourAndOutcome(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            let eve = ConnectionID("eve")
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            _ = try await store.openConnection(eve, plug: "q", pda: pda)
            let first = SummaryHour.of(clock.now())
            try await run(bob, "done", RunTally(requests: 3, records: 20), seconds: 2, store, clock)
            try await run(bob, "done", RunTally(requests: 1, records: 4), seconds: 1, store, clock)
            let failed = RunTally(requests: 1, deadLetters: 2, error: "source-unavailable")
            try await run(eve, "failed", failed, version: "2.0.0", seconds: 5, store, clock)
            clock.advance(.seconds(3_600))
            try await run(bob, "failed", RunTally(error: "map-failed"), version: "1.1.0", store, clock)
            try await run(bob, "failed", RunTally(error: "map-failed"), version: "1.1.0", store, clock)
            // One that is under way, or whose process has died, counts nowhere.
            _ = try await store.beginRun(RunStart(connection: bob, version: "9.0.0", at: clock.now()))

            func sum(_ hour: Int64, _ outcome: String, _ runs: Int, _ tally: RunTally, seconds: Int64) -> RunSum {
                RunSum(hour: hour, outcome: outcome, runs: runs, tally: tally, microseconds: seconds * 1_000_000)
            }
            let done = sum(first, "done", 2, RunTally(requests: 4, records: 24), seconds: 3)
            let next = sum(first + 1, "failed", 2, RunTally(), seconds: 2)
            let others = sum(first, "failed", 1, RunTally(requests: 1, deadLetters: 2), seconds: 5)
            #expect(try await store.runSums(of: "p", since: first) == [done, next])
            #expect(try await store.runSums(of: "p", since: first + 1) == [next])
            #expect(try await store.runSums(of: nil, since: 0) == [done, others, next])
            #expect(try await store.runSums(of: "none", since: 0) == [])
            #expect(try await store.runCounts(since: first) == ["p": ["done": 2, "failed": 2], "q": ["failed": 1]])
            #expect(try await store.runCounts(since: first + 1) == ["p": ["failed": 2]])
            let errors = [ErrorCount(code: "map-failed", runs: 2), ErrorCount(code: "source-unavailable", runs: 1)]
            #expect(try await store.errorCounts(of: nil, since: first, limit: 9) == errors)
            #expect(try await store.errorCounts(of: nil, since: first, limit: 1) == [errors[0]])
            #expect(try await store.errorCounts(of: "q", since: first, limit: 9) == [errors[1]])
            #expect(try await store.errorCounts(of: "q", since: first + 1, limit: 9) == [])
            let versions = try await store.versions(of: "p")
            #expect(versions.map(\.version) == ["1.1.0", "1.0.0"])
            #expect(versions.map(\.runs) == [2, 2] && versions.map(\.failed) == [2, 0])
            #expect(versions[1].began.upperBound - versions[1].began.lowerBound == 2_000_000)

            // Sums name nobody, and outlive their connections.
            _ = try await store.eraseConnection(eve)
            #expect(try await store.runSums(of: nil, since: 0) == [done, others, next])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aRunIsSummedUpOnce(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let run = try await store.beginRun(RunStart(connection: bob, version: "1.0.0", at: clock.now()))
            for outcome in ["failed", "done"] { try await store.endRun(run, outcome: outcome, report: []) }
            #expect(try await store.runSums(of: "p", since: 0).map(\.outcome) == ["failed"])
            #expect(try await store.run(run)?.outcome == "done")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func connectionsAreCountedByPlugAndState(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let change = AuditEntry(at: 1, who: "shell", what: "added")
            func setUp(_ name: String, _ status: ConnectionSetup.Status) async throws {
                let setup = ConnectionSetup(status: status, dueAt: nil, content: Secret("{}"))
                try await store.keepSetup(setup, of: ConnectionID(name), change)
            }
            for (name, plug) in [("a", "p"), ("b", "p"), ("c", "p"), ("d", "q")] {
                _ = try await store.openConnection(ConnectionID(name), plug: plug, pda: pda)
            }
            func counts() async throws -> [String] {
                try await store.connectionCounts().map { "\($0.plug) \($0.status?.rawValue ?? "-") \($0.connections)" }
            }
            #expect(try await counts() == ["p - 3", "q - 1"])
            try await setUp("a", .active)
            try await setUp("b", .active)
            try await setUp("d", .paused)
            #expect(try await counts() == ["p - 1", "p active 2", "q paused 1"])
            try await setUp("a", .active)
            _ = try await store.changeSetup(of: ConnectionID("b"), status: .reconnect, dueAt: nil, change)
            #expect(try await counts() == ["p - 1", "p active 1", "p reconnect 1", "q paused 1"])
            let claim = try await store.claimDue(at: 5, until: 9, limit: 9)
            #expect(claim.isEmpty)
            _ = try await store.changeSetup(of: ConnectionID("a"), status: .active, dueAt: 5, change)
            let due = try #require(try await store.claimDue(at: 5, until: 9, limit: 9).first)
            _ = try await store.endClaim(due, ClaimEnd(status: .disabled, dueAt: nil, at: 6))
            #expect(try await counts() == ["p - 1", "p disabled 1", "p reconnect 1", "q paused 1"])
            for name in ["a", "c", "d"] { _ = try await store.eraseConnection(ConnectionID(name)) }
            #expect(try await counts() == ["p reconnect 1"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func whatWaitsIsCountedByItsAge(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let other = StreamID(connection: bob, stream: "other")
            let first = SummaryHour.of(clock.now())
            let since = clock.now()
            try await store.commit(StreamCommit(stream: plays, pass: 1, outbox: [batch("x"), batch("y")]))
            clock.advance(.seconds(7_200))
            try await store.commit(StreamCommit(stream: other, pass: 1, outbox: [batch("z")]))
            let size = try batch("x").records.bodySize
            func hours() async throws -> [[Int64]] {
                try await store.outboxHours().map { [$0.hour - first, Int64($0.size.batches), Int64($0.records)] }
            }
            #expect(try await hours() == [[0, 2, 2], [2, 1, 1]])
            #expect(try await store.outboxHours().map(\.size.bytes) == [2 * size, size])
            let waiting = [
                WaitingStream(stream: plays, since: since), WaitingStream(stream: other, since: clock.now()),
            ]
            #expect(try await store.longestWaiting(limit: 9) == waiting)
            #expect(try await store.longestWaiting(limit: 1) == [waiting[0]])
            let batches = try await store.waitingBatches(of: bob, limit: 9)
            #expect(batches.map(\.stream) == [plays.stream, plays.stream, "other"])
            #expect(batches.map(\.at) == [since, since, clock.now()] && batches.map(\.bytes) == [size, size, size])
            #expect(batches.map(\.records) == [1, 1, 1])
            #expect(try await store.waitingBatches(of: bob, limit: 1) == [batches[0]])
            #expect(try await store.waitingBatches(of: ConnectionID("none"), limit: 9) == [])
            let oldest = try await store.outbox(of: plays, limit: 1)[0].id
            try await store.settle(oldest, leaving: nil, with: StreamCommit(stream: plays, pass: 1))
            #expect(try await hours() == [[0, 1, 1], [2, 1, 1]])
            _ = try await store.removeOutboxBatches([try await store.outbox(of: plays, limit: 1)[0].id])
            #expect(try await hours() == [[2, 1, 1]])
            _ = try await store.eraseConnection(bob)
            #expect(try await hours() == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func whatWasDoneWithAConnectionIsInItsLog(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let change = AuditEntry(at: 7, who: "operator ada", what: "erased 1 of its dead letters")
            #expect(await code { try await store.noteChange(change, of: bob) } == "connection-unknown")
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            for at in [7, 8] as [Int64] {
                try await store.noteChange(AuditEntry(at: at, who: change.who, what: change.what), of: bob)
            }
            #expect(try await store.audit(of: bob).map(\.at) == [8, 7])
        }
    }

    // MARK: Searching

    @Test(arguments: StoreUnderTest.allCases)
    func connectionsAreFoundByTheBeginningOfTheirNameOrTheirPDA(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let paused = ConnectionSetup(status: .paused, dueAt: nil, content: Secret("{}"))
            for (name, plug, address) in [
                ("ann-1", "p", "https://ann.example"), ("ann-2", "q", "http://ann.example:1"),
                ("bob", "p", "https://annex.example"), ("cat", "q", "https://ann.example"),
                ("dan", "p", "https://dan.example"), ("eva", "p", "http://annex.example"),
            ] {
                _ = try await store.openConnection(ConnectionID(name), plug: plug, pda: address)
            }
            for name in ["ann-1", "bob", "cat"] {
                try await store.keepSetup(
                    paused,
                    of: ConnectionID(name),
                    AuditEntry(at: 1, who: "shell", what: "added")
                )
            }
            /// Each page, with the names in it.
            func found(_ limit: Int, _ change: (inout ConnectionSearch) -> Void) async throws -> [[String]] {
                var search = ConnectionSearch(limit: limit)
                change(&search)
                var pages: [[String]] = []
                repeat {
                    let page = try await store.connections(search)
                    pages.append(page.connections.map(\.id.name))
                    search.after = page.next
                } while search.after != nil
                return pages
            }
            #expect(try await found(9) { _ in } == [["ann-1", "ann-2", "bob", "cat", "dan", "eva"]])
            #expect(try await found(4) { _ in } == [["ann-1", "ann-2", "bob", "cat"], ["dan", "eva"]])
            #expect(try await found(2) { $0.text = "ann" } == [["ann-1", "ann-2"], ["eva", "cat"], ["bob"]])
            #expect(try await found(9) { $0.text = "ann" } == [["ann-1", "ann-2", "eva", "cat", "bob"]])
            #expect(try await found(9) { $0.text = "annex" } == [["eva", "bob"]])
            #expect(try await found(9) { $0.text = "https://ann.e" } == [["ann-1", "cat"]])
            #expect(try await found(9) { $0.text = "%" } == [[]])
            #expect(try await found(9) { $0.text = "nn" } == [[]])
            #expect(try await found(2) { $0.plug = "p" } == [["ann-1", "bob"], ["dan", "eva"]])
            #expect(try await found(9) { ($0.plug, $0.status) = ("p", .paused) } == [["ann-1", "bob"]])
            #expect(try await found(1) { $0.status = .paused } == [["ann-1"], ["bob"], ["cat"]])
            #expect(try await found(9) { ($0.text, $0.plug) = ("ann", "q") } == [["ann-2", "cat"]])
            #expect(try await found(9) { ($0.text, $0.status) = ("ann", .paused) } == [["ann-1", "cat", "bob"]])
            #expect(try await found(9) { $0.status = .active } == [[]])
        }
    }
}
