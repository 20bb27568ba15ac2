import PlugCore
import PlugStorage
import Testing

extension PlugStoreContract {
    private func setup(_ status: ConnectionSetup.Status = .active, due: Int64?) -> ConnectionSetup {
        ConnectionSetup(status: status, dueAt: due, content: Secret(#"{"config":{"key":"s3cret"}}"#))
    }

    private func change(_ what: String, at: Int64 = 1) -> AuditEntry { AuditEntry(at: at, who: "shell", what: what) }

    /// Makes active connections that are due at these times.
    private func fill(_ store: any PlugStore, _ due: KeyValuePairs<String, Int64?>) async throws {
        for (name, at) in due {
            _ = try await store.openConnection(ConnectionID(name), plug: "p", pda: pda)
            try await store.keepSetup(setup(due: at), of: ConnectionID(name), change("added"))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aSetupIsKeptAndReplaced(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.setup(of: bob) == nil)
            #expect(
                await code { try await store.keepSetup(setup(due: 5), of: bob, change("added")) }
                    == "connection-unknown"
            )
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            #expect(try await store.setup(of: bob) == nil)
            #expect(try await store.changeSetup(of: bob, status: .paused, dueAt: nil, change("paused")) == false)
            try await store.keepSetup(setup(due: 5), of: bob, change("added"))
            #expect(try await store.setup(of: bob) == setup(due: 5))
            try await store.keepSetup(setup(.paused, due: nil), of: bob, change("changed", at: 2))
            #expect(try await store.setup(of: bob) == setup(.paused, due: nil))
            #expect(try await store.audit(of: bob) == [change("changed", at: 2), change("added")])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aConnectionIsAddedWholeAndOnce(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let place = try await store.connectionsChanged(since: nil).place
            let token = KeptToken(token: Secret("t"), issuedAt: 7)
            func add(_ plug: String, _ token: KeptToken?) async throws -> Connection? {
                let (setup, change) = (setup(due: 5), change("added"))
                return try await store.addConnection(bob, plug: plug, pda: pda, token: token, setup: setup, change)
            }
            let added = try #require(try await add("p", token))
            #expect(added.id == bob && added.plug == "p" && added.pda == pda)
            #expect(try await store.setup(of: bob) == setup(due: 5))
            #expect(try await store.keptToken(of: bob)?.issuedAt == 7)
            #expect(try await store.audit(of: bob) == [change("added")])
            // Of one that there is nothing is changed.
            #expect(try await add("q", nil) == nil)
            #expect(try await store.connection(bob)?.plug == "p")
            #expect(try await store.audit(of: bob).count == 1)
            let changed = try await store.connectionsChanged(since: place)
            #expect(changed.connections.map(\.id) == [bob])
            #expect(try await store.connectionsChanged(since: changed.place).connections == [])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func whatIsDueIsClaimedOnceTheOldestFirst(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["a": 30, "b": 10, "c": 20, "d": 41, "e": nil])
            #expect(try await store.nextDue() == 10)
            let first = try await store.claimDue(at: 40, until: 100, limit: 2)
            #expect(first.map(\.connection.name) == ["b", "c"] && first.map(\.dueAt) == [10, 20])
            #expect(first.allSatisfy { $0.plug == "p" })
            #expect(try await store.claimDue(at: 40, until: 100, limit: 2).map(\.connection.name) == ["a"])
            #expect(try await store.claimDue(at: 40, until: 100, limit: 2).isEmpty)
            #expect(try await store.nextDue() == 41)
            // A claim does not change what the set-up says.
            #expect(try await store.setup(of: ConnectionID("b"))?.dueAt == 10)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aClaimThatHasPassedCountsNoLonger(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["bob": 10])
            let lost = try #require(try await store.claimDue(at: 10, until: 50, limit: 9).first)
            #expect(try await store.extendClaim(lost, until: 60))
            #expect(try await store.claimDue(at: 59, until: 90, limit: 9).isEmpty)
            let taken = try #require(try await store.claimDue(at: 60, until: 90, limit: 9).first)
            #expect(taken.epoch > lost.epoch)
            #expect(try await store.extendClaim(lost, until: 500) == false)
            #expect(try await store.endClaim(lost, ClaimEnd(status: .reconnect, dueAt: nil, at: 61)) == false)
            #expect(taken.ranAt == nil)
            #expect(try await store.endClaim(taken, ClaimEnd(status: .active, dueAt: 200, ranAt: 61, at: 62)))
            #expect(try await store.endClaim(taken, ClaimEnd(status: .active, dueAt: 300, at: 63)) == false)
            #expect(try await store.setup(of: bob) == setup(due: 200))
            #expect(try await store.nextDue() == 200)
            let next = try #require(try await store.claimDue(at: 200, until: 250, limit: 9).first)
            #expect(next.ranAt == 61)
            #expect(try await store.endClaim(next, ClaimEnd(status: .active, dueAt: 210, at: 205)))
            #expect(try await store.claimDue(at: 210, until: 250, limit: 9).first?.ranAt == 61)
            // After somebody's change the next run is for everything.
            _ = try await store.changeSetup(of: bob, status: .active, dueAt: 300, change("run now"))
            #expect(try await store.claimDue(at: 300, until: 350, limit: 9).first?.ranAt == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func somebodysChangeEndsAClaim(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["bob": 10])
            let claim = try #require(try await store.claimDue(at: 10, until: 50, limit: 9).first)
            #expect(try await store.changeSetup(of: bob, status: .paused, dueAt: nil, change("paused", at: 11)))
            #expect(try await store.endClaim(claim, ClaimEnd(status: .active, dueAt: 70, at: 12)) == false)
            #expect(try await store.setup(of: bob) == setup(.paused, due: nil))
            #expect(try await store.claimDue(at: 99, until: 200, limit: 9).isEmpty)
            #expect(try await store.nextDue() == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func whatARunEndsWithIsAudited(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["bob": 10])
            let claim = try #require(try await store.claimDue(at: 10, until: 50, limit: 9).first)
            #expect(try await store.endClaim(claim, ClaimEnd(status: .reconnect, dueAt: nil, at: 12)))
            let end = AuditEntry(at: 12, who: "host", what: "reconnect")
            #expect(try await store.audit(of: bob) == [end, change("added")])
            #expect(try await store.setup(of: bob) == setup(.reconnect, due: nil))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aHostThatBeginsTakesUpWhatAnotherHasLeft(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["a": 10, "b": 20, "c": 90])
            let left = try await store.claimDue(at: 30, until: 1_000, limit: 9)
            #expect(try await store.releaseClaims(at: 31).count == 2)
            #expect(try await store.nextDue() == 10)
            for claim in left {
                #expect(try await store.endClaim(claim, ClaimEnd(status: .active, dueAt: 5, at: 31)) == false)
            }
            #expect(try await store.claimDue(at: 30, until: 1_000, limit: 9).map(\.dueAt) == [10, 20])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func theNewestChangesAreKept(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["bob": 1])
            for at in 2...260 {
                _ = try await store.changeSetup(of: bob, status: .active, dueAt: nil, change("due", at: Int64(at)))
            }
            #expect(try await store.audit(of: bob).map(\.at) == (61...260).reversed().map { Int64($0) })
            // Those that are not shown are gone.
            #expect(try await store.eraseConnection(bob)?.rows.first { $0.kind == "changes" }?.count == 200)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func whoWaitsLongestGoesFirstAmongThoseThatAreDueTogether(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["a": 10, "b": 11, "c": 12])
            // One that was served is behind those that were not.
            for claim in try await store.claimDue(at: 20, until: 90, limit: 9) {
                #expect(claim.waitsSince == claim.dueAt)
                let since: Int64? = claim.connection.name == "a" ? nil : claim.waitsSince
                _ = try await store.endClaim(claim, ClaimEnd(status: .active, dueAt: 50, waitsSince: since, at: 21))
            }
            let again = try await store.claimDue(at: 50, until: 90, limit: 2)
            #expect(again.map(\.connection.name) == ["b", "c"] && again.map(\.waitsSince) == [11, 12])
            #expect(try await store.claimDue(at: 50, until: 90, limit: 2).map(\.waitsSince) == [50])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func placesGoToThePlugThatHasTheFewest(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            for number in 1...9 { try await add("many\(number)", plug: "many", due: Int64(number), store) }
            try await add("few1", plug: "few", due: 100, store)
            try await add("few2", plug: "few", due: 200, store)
            var wish = ClaimWish(at: 150, until: 900, limit: 3)
            wish.running = ["many": 1]
            let found = try await store.claimDue(wish)
            #expect(found.claims.map(\.connection.name) == ["many1", "many2", "few1"])
            #expect(found.next == 3)
            // No plug has more than its share while there are others.
            (wish.running, wish.mostOfOne, wish.limit) = (["many": 3, "few": 1], 4, 5)
            let rest = try await store.claimDue(wish)
            #expect(rest == DueClaims(claims: rest.claims, next: 4) && rest.claims.map(\.connection.name) == ["many3"])
            wish.running = ["many": 4, "few": 1]
            #expect(try await store.claimDue(wish) == DueClaims(claims: [], next: 200))
            // Nothing of one that rests is begun.
            (wish.running, wish.resting, wish.at) = ([:], ["many"], 200)
            #expect(try await store.claimDue(wish).claims.map(\.connection.name) == ["few2"])
            #expect(try await store.claimDue(wish).next == 900)
        }
    }

    private func add(_ name: String, plug: String, due: Int64, _ store: any PlugStore) async throws {
        _ = try await store.openConnection(ConnectionID(name), plug: plug, pda: pda)
        try await store.keepSetup(setup(due: due), of: ConnectionID(name), change("added"))
    }

    @Test(arguments: StoreUnderTest.allCases)
    func whatAHostDiesOfHasToWait(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["a": 10, "b": 20])
            func died(_ count: Int, _ held: Int) -> ReleasedClaims {
                var released = ReleasedClaims()
                (released.count, released.held) = (count, held)
                return released
            }
            let minute: Int64 = 60_000_000
            _ = try await store.claimDue(at: 30, until: 1_000, limit: 9)
            // Once costs nothing but time.
            #expect(try await store.releaseClaims(at: 40) == died(2, 0))
            #expect(try await store.claimDue(at: 40, until: 1_000, limit: 9).map(\.dueAt) == [10, 20])
            #expect(try await store.releaseClaims(at: 50) == died(2, 2))
            // One after the other: the next host dies of one of them at most.
            #expect(try await store.nextDue() == 50 + minute)
            let first = try await store.claimDue(at: 50 + minute, until: 10 * minute, limit: 9)
            #expect(first.map(\.connection.name) == ["a"])
            #expect(try await store.releaseClaims(at: 2 * minute) == died(1, 1))
            let second = try await store.claimDue(at: 60 + minute + 10_000_000, until: 10 * minute, limit: 9)
            #expect(second.map(\.connection.name) == ["b"])
            // One that ended is forgiven.
            #expect(try await store.endClaim(second[0], ClaimEnd(status: .active, dueAt: 3 * minute, at: 2 * minute)))
            #expect(try await store.claimDue(at: 3 * minute, until: 10 * minute, limit: 9).map(\.dueAt) == [3 * minute])
            #expect(try await store.releaseClaims(at: 3 * minute) == died(1, 0))
            // It comes later each time.
            let third = try await store.claimDue(at: 4 * minute, until: 10 * minute, limit: 9)
            #expect(third.map(\.dueAt) == [3 * minute, 4 * minute])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func dueTimesAreChangedUnlessSomethingElseHappened(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await fill(store, ["a": 10, "b": 20, "c": 30, "d": nil])
            try await store.keepSetup(setup(.paused, due: nil), of: ConnectionID("d"), change("paused"))
            let a = try #require(try await store.claimDue(at: 10, until: 90, limit: 9).first)
            #expect(try await store.endClaim(a, ClaimEnd(status: .active, dueAt: 70, ranAt: 11, at: 12)))
            let found = try await store.plannedSetups(after: "", limit: 2)
            #expect(found.map(\.connection.name) == ["a", "b"] && found.map(\.dueAt) == [70, 20])
            #expect(found.map(\.isPlanned) == [true, false] && found.map(\.ranAt) == [11, nil])
            #expect(found.allSatisfy { $0.plug == "p" && $0.content == setup(due: nil).content })
            let rest = try await store.plannedSetups(after: "b", limit: 2)
            #expect(rest.map(\.connection.name) == ["c"])
            // b is claimed, and c changed, meanwhile.
            _ = try await store.claimDue(at: 20, until: 90, limit: 9)
            _ = try await store.changeSetup(of: ConnectionID("c"), status: .active, dueAt: 31, change("run now"))
            let later = (found + rest).map { old in
                var new = old
                new.dueAt += 500
                return new
            }
            #expect(try await store.reschedule(later) == 1)
            #expect(try await store.setup(of: ConnectionID("a"))?.dueAt == 570)
            #expect(try await store.setup(of: ConnectionID("b"))?.dueAt == 20)
            #expect(try await store.setup(of: ConnectionID("c"))?.dueAt == 31)
            #expect(try await store.plannedSetups(after: "", limit: 9).map(\.connection.name) == ["a", "c"])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func whatIsDueEarlierStaysSoAndARunThatIsUnderWayIsWantedAgain(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            #expect(try await !store.makeDue(bob, at: 5))
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            #expect(try await !store.makeDue(bob, at: 5))
            let setup = ConnectionSetup(status: .active, dueAt: 100, content: Secret("{}"))
            try await store.keepSetup(setup, of: bob, AuditEntry(at: 1, who: "shell", what: "added"))
            #expect(try await store.makeDue(bob, at: 50))
            #expect(try await !store.makeDue(bob, at: 60))
            #expect(try await store.nextDue() == 50)
            let claim = try #require(try await store.claimDue(at: 50, until: 900, limit: 1).first)
            #expect(try await store.makeDue(bob, at: 70))
            // What the run says of its schedule does not count any more.
            #expect(try await !store.endClaim(claim, ClaimEnd(status: .active, dueAt: 500, at: 60)))
            #expect(try await store.nextDue() == 70)
            let change = AuditEntry(at: 2, who: "shell", what: "paused")
            _ = try await store.changeSetup(of: bob, status: .paused, dueAt: nil, change)
            #expect(try await !store.makeDue(bob, at: 5))
            #expect(try await store.setup(of: bob)?.status == .paused)
        }
    }
}
