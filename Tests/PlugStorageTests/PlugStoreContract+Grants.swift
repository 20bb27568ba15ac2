import PlugCore
import PlugStorage
import Testing

extension PlugStoreContract {
    @Test(arguments: StoreUnderTest.allCases)
    func aGrantIsReplacedOnlyByWhoHasSeenItsLastVersion(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            #expect(try await store.grant(oauth) == nil)
            #expect(try await store.keepGrant(Secret("early"), as: oauth, replacing: 4) == nil)
            #expect(try await store.grant(oauth) == nil)
            let first = try #require(try await store.keepGrant(Secret("1"), as: oauth, replacing: nil))
            // Two have seen the first version: the second of them changes nothing.
            #expect(try await store.keepGrant(Secret("again"), as: oauth, replacing: nil) == nil)
            let second = try #require(try await store.keepGrant(Secret("2"), as: oauth, replacing: first))
            #expect(second > first)
            #expect(try await store.keepGrant(Secret("late"), as: oauth, replacing: first) == nil)
            #expect(try await store.grant(oauth) == StoredGrant(content: Secret("2"), version: second))
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func grantsOfOtherNamesAndConnectionsAreOthers(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let eve = ConnectionID("eve")
            for connection in [bob, eve] { _ = try await store.openConnection(connection, plug: "p", pda: pda) }
            let others = [GrantID(connection: bob, name: "login"), GrantID(connection: eve, name: "oauth2")]
            _ = try await store.keepGrant(Secret("mine"), as: oauth, replacing: nil)
            for other in others {
                #expect(try await store.grant(other) == nil)
                #expect(try await store.keepGrant(Secret("\(other)"), as: other, replacing: nil) == 1)
            }
            #expect(try await store.grant(oauth)?.content == Secret("mine"))
            for other in others { #expect(try await store.grant(other)?.content == Secret("\(other)")) }
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func onlyOneRenewsAGrantAtATime(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let lease = try await store.lease(bob)
            let right = try #require(try await store.lockGrant(oauth))
            #expect(try await store.lockGrant(oauth) == nil)
            right.end()
            let again = try await store.lockGrant(oauth)
            #expect(again != nil)
            again?.end()
            lease.end()
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func grantsAreDueForRenewalAndClaimedForATime(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let eve = GrantID(connection: ConnectionID("eve"), name: "oauth2")
            for grant in [oauth, eve] { _ = try await store.openConnection(grant.connection, plug: "p", pda: pda) }
            #expect(try await store.nextRenewal() == nil)
            let first = try await store.keepGrant(Secret("1"), as: oauth, replacing: nil, renewal: .at(200))
            _ = try await store.keepGrant(Secret("1"), as: eve, replacing: nil, renewal: .at(100))
            // A mark on a grant leaves its time as it is.
            let second = try await store.keepGrant(Secret("2"), as: oauth, replacing: first)
            #expect(try await store.nextRenewal() == 100)
            #expect(try await store.claimRenewals(at: 99, until: 999, limit: 9) == [])
            let claimed = try await store.claimRenewals(at: 300, until: 999, limit: 1)
            #expect(claimed == [DueRenewal(grant: eve, plug: "p", tries: 0, until: 999)])
            let other = DueRenewal(grant: oauth, plug: "p", tries: 0, until: 998)
            #expect(try await store.claimRenewals(at: 300, until: 998, limit: 9) == [other])
            #expect(try await store.claimRenewals(at: 300, until: 999, limit: 9) == [])
            // What was not done is due again, and counted.
            try await store.endRenewal(other, .again(400))
            #expect(try await store.claimRenewals(at: 400, until: 997, limit: 9).map(\.tries) == [1])
            // Whoever has died leaves it to others.
            #expect(try await store.claimRenewals(at: 997, until: 2_000, limit: 9).map(\.grant) == [oauth])
            // Somebody has renewed it meanwhile: that counts, and the tries are forgotten.
            _ = try await store.keepGrant(Secret("3"), as: oauth, replacing: second, renewal: .at(5_000))
            for end in [RenewalEnd.again(3_000), .done] {
                try await store.endRenewal(DueRenewal(grant: oauth, plug: "p", tries: 1, until: 2_000), end)
            }
            try await store.endRenewal(claimed[0], .done)
            #expect(try await store.nextRenewal() == 5_000)
            #expect(try await store.claimRenewals(at: 5_000, until: 9_000, limit: 9).map(\.tries) == [0])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aConnectionWaitsForItsPersonOnlyIfItsGrantIsTheOneThatDied(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let setup = ConnectionSetup(status: .active, dueAt: 7, content: Secret("{}"))
            try await store.keepSetup(setup, of: bob, AuditEntry(at: 1, who: "shell", what: "added"))
            let first = try #require(try await store.keepGrant(Secret("1"), as: oauth, replacing: nil))
            let second = try #require(try await store.keepGrant(Secret("2"), as: oauth, replacing: first))
            let due = DueRenewal(grant: oauth, plug: "p", tries: 0, until: 9)
            // The person has connected again since.
            try await store.endRenewal(due, .reconnect(version: first, at: 5))
            #expect(try await store.setup(of: bob)?.status == .active)
            try await store.endRenewal(due, .reconnect(version: second, at: 6))
            #expect(try await store.setup(of: bob)?.status == .reconnect)
            #expect(try await store.nextDue() == nil)
            #expect(
                try await store.audit(of: bob) == [
                    AuditEntry(at: 6, who: "host", what: "reconnect"),
                    AuditEntry(at: 1, who: "shell", what: "added"),
                ]
            )
            // One that somebody has paused stays so.
            _ = try await store.changeSetup(
                of: bob,
                status: .paused,
                dueAt: nil,
                AuditEntry(at: 8, who: "shell", what: "paused")
            )
            try await store.endRenewal(due, .reconnect(version: second, at: 9))
            #expect(try await store.setup(of: bob)?.status == .paused)
        }
    }
}
