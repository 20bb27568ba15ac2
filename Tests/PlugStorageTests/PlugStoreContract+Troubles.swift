import PlugCore
import PlugStorage
import TestKit
import Testing

/// What keeps connections from making progress.
extension PlugStoreContract {
    private func run(_ name: String, _ outcome: String, _ code: String?, _ store: any PlugStore) async throws {
        let start = RunStart(connection: ConnectionID(name), version: "1.0.0", at: 1)
        let run = try await store.beginRun(start)
        try await store.endRun(run, outcome: outcome, report: [], tally: RunTally(error: code))
    }

    private func make(_ name: String, _ status: ConnectionSetup.Status?, _ store: any PlugStore) async throws {
        _ = try await store.openConnection(ConnectionID(name), plug: name == "eve" ? "q" : "p", pda: pda)
        guard let status else { return }
        let setup = ConnectionSetup(status: status, dueAt: status == .active ? 1 : nil, content: Secret("{}"))
        try await store.keepSetup(setup, of: ConnectionID(name), AuditEntry(at: 1, who: "shell", what: "added"))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aConnectionIsInTroubleFromItsFirstVainRunToItsFirstGoodOne(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            try await make("ada", .active, store)
            func trouble() async throws -> ConnectionTrouble? {
                try await store.connection(ConnectionID("ada"))?.trouble
            }
            try await run("ada", "done", nil, store)
            #expect(try await trouble() == nil)
            let since = clock.now()
            try await run("ada", "failed", "pda-address", store)
            clock.advance(.seconds(60))
            try await run("ada", "failed", "pda-path", store)
            try await run("ada", "interrupted", "interrupted", store)
            let known = ConnectionTrouble(code: "pda-path", since: since, runs: 2)
            #expect(try await trouble() == known)
            #expect(try await store.brief(of: ConnectionID("ada"))?.trouble == known)
            try await run("ada", "done", nil, store)
            #expect(try await trouble() == nil)
            // Whoever connects it again begins anew.
            try await run("ada", "failed", "pda-token", store)
            for status in [ConnectionSetup.Status.reconnect, .active] {
                let change = AuditEntry(at: 1, who: "person", what: "x")
                _ = try await store.changeSetup(of: ConnectionID("ada"), status: status, dueAt: nil, change)
                #expect(try await (trouble() == nil) == (status == .active))
            }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aRunThatCouldNotBeginIsTroubleToo(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            try await make("ada", .active, store)
            let now = clock.now()
            let claim = try #require(
                try await store.claimDue(ClaimWish(at: now, until: now + 9, limit: 1)).claims.first
            )
            var end = ClaimEnd(status: .active, dueAt: now + 60, at: now)
            end.failure = "plug-not-served"
            #expect(try await store.endClaim(claim, end))
            let known = ConnectionTrouble(code: "plug-not-served", since: now, runs: 1)
            #expect(try await store.connection(ConnectionID("ada"))?.trouble == known)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func connectionsInTroubleAreCountedAndFound(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            for (name, status, code) in [
                ("ada", ConnectionSetup.Status.active, "pda-address"), ("bob", .active, "pda-unreachable"),
                ("cat", .active, nil), ("dan", .paused, "pda-address"), ("eve", .active, "pda-address"),
                ("fay", nil, "pda-path"),
            ] as [(String, ConnectionSetup.Status?, String?)] {
                try await make(name, status, store)
                try await run(name, code == nil ? "done" : "failed", code, store)
            }
            #expect(
                try await store.troubleCounts() == [
                    TroubleCount(plug: "p", code: "pda-address", connections: 1),
                    TroubleCount(plug: "p", code: "pda-path", connections: 1),
                    TroubleCount(plug: "p", code: "pda-unreachable", connections: 1),
                    TroubleCount(plug: "q", code: "pda-address", connections: 1),
                ]
            )
            func found(_ narrow: (inout ConnectionSearch) -> Void) async throws -> [String] {
                var (names, search) = ([String](), ConnectionSearch(limit: 1))
                narrow(&search)
                repeat {
                    let page = try await store.briefs(search)
                    let same: FoundConnections = try await store.connections(search)
                    #expect(page.briefs.map(\.id) == same.connections.map(\.id) && page.next == same.next)
                    names += page.briefs.map(\.id.name)
                    search.after = page.next
                } while search.after != nil
                return names
            }
            #expect(try await found { $0.health = .failing } == ["ada", "eve", "fay"])
            #expect(try await found { $0.health = .waiting } == ["bob"])
            #expect(try await found { $0.code = "pda-address" } == ["ada", "eve"])
            #expect(try await found { ($0.code, $0.plug) = ("pda-address", "q") } == ["eve"])
            #expect(try await found { ($0.health, $0.status) = (.failing, .active) } == ["ada", "eve"])
            #expect(try await found { ($0.health, $0.status) = (.failing, .paused) } == [])
            #expect(try await found { ($0.health, $0.text) = (.failing, "e") } == ["eve"])
            #expect(try await found { ($0.health, $0.text) = (.failing, pda) } == ["ada", "eve", "fay"])
            #expect(try await found { ($0.code, $0.text) = ("pda-path", pda) } == ["fay"])
        }
    }
}
