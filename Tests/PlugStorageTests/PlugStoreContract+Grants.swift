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
}
