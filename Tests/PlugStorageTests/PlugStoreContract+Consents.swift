import PlugCore
import PlugStorage
import TestKit
import Testing

extension PlugStoreContract {
    private static let minute: Int64 = 60_000_000

    private func consent(
        _ name: UInt8,
        session: UInt8 = 1,
        of connection: ConnectionID? = bob,
        ends: Int64,
        pollAt: Int64? = nil
    ) -> StoredConsent {
        StoredConsent(
            name: [UInt8](repeating: name, count: 32),
            session: [UInt8](repeating: session, count: 32),
            connection: connection,
            endsAt: ends,
            pollAt: pollAt,
            content: Secret("content \(name)")
        )
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aConsentIsTakenOnceByTheBrowserThatBeganIt(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let first = consent(1, ends: clock.now() + Self.minute)
            let login = consent(2, of: nil, ends: clock.now() + Self.minute)
            for consent in [first, login] { try await store.keepConsent(consent) }
            #expect(try await store.consent(first.name) == first)
            #expect(try await store.takeConsent(first.name, session: [9]) == .foreign)
            #expect(try await store.takeConsent([7], session: first.session) == .foreign)
            #expect(try await store.takeConsent(first.name, session: first.session) == .taken(first))
            #expect(try await store.takeConsent(first.name, session: first.session) == .used)
            #expect(try await store.consent(first.name) == nil)
            #expect(try await store.changeConsent(first) == nil)
            clock.advance(.seconds(60))
            #expect(try await store.consent(login.name) == nil)
            #expect(try await store.takeConsent(login.name, session: login.session) == .late)
            // An hour after its end it is forgotten with the next one that is kept.
            clock.advance(.seconds(3600))
            try await store.keepConsent(consent(3, ends: clock.now() + 1))
            #expect(try await store.takeConsent(login.name, session: login.session) == .foreign)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func oneOfManyWhoAnswerTakesAConsent(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let consent = consent(1, ends: .max)
            try await store.keepConsent(consent)
            let takings = try await withThrowingTaskGroup(of: ConsentTaking.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await store.takeConsent(consent.name, session: consent.session) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(takings.count { $0 == .taken(consent) } == 1 && takings.count { $0 == .used } == 19)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aConsentIsChangedByWhoHasSeenItsVersion(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        try await kind.withStore(clock: clock) { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let now = clock.now()
            let later = consent(1, ends: now + Self.minute, pollAt: now)
            let sooner = consent(2, ends: now + Self.minute, pollAt: now - 1)
            for consent in [later, sooner, consent(3, ends: now + Self.minute), consent(4, ends: now, pollAt: now)] {
                try await store.keepConsent(consent)
            }
            #expect(try await store.consentsToPoll(limit: 9) == [sooner, later])
            #expect(try await store.consentsToPoll(limit: 1) == [sooner])
            var next = sooner
            (next.content, next.pollAt) = (Secret("changed"), now + 5)
            let changed = try #require(try await store.changeConsent(next))
            next.version = 2
            #expect(changed == next)
            #expect(try await store.changeConsent(sooner) == nil)
            #expect(try await store.consent(sooner.name) == next)
            #expect(try await store.consentsToPoll(limit: 9) == [later])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aBrowserHasAFewConsentsAndTheyGoWithTheirConnection(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.openConnection(bob, plug: "p", pda: pda)
            let other = consent(100, session: 2, ends: .max)
            try await store.keepConsent(other)
            for name in 1...(UInt8(StoredConsent.limitOfSession) + 1) {
                try await store.keepConsent(consent(name, ends: .max))
            }
            #expect(try await store.consent(consent(1, ends: 0).name) == nil)
            #expect(try await store.consent(consent(2, ends: 0).name)?.content == Secret("content 2"))
            #expect(try await store.consent(other.name) == other)
            let receipt = try await store.eraseConnection(bob)
            #expect(receipt?.rows.first { $0.kind == "consents" }?.count == StoredConsent.limitOfSession + 1)
            #expect(try await store.consent(other.name) == nil)
            let code = await code { try await store.keepConsent(other) }
            #expect(code == "connection-unknown")
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func theConnectionsOfAPlugAtAPDAAreFound(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            for (name, plug, pda) in [("b", "p", pda), ("a", "p", pda), ("c", "q", pda), ("d", "p", "https://x")] {
                _ = try await store.openConnection(ConnectionID(name), plug: plug, pda: pda)
            }
            #expect(try await store.connections(of: "p", at: pda).map(\.id.name) == ["a", "b"])
            #expect(try await store.connections(of: "r", at: pda) == [])
            #expect(try await store.connections(at: pda).map(\.id.name) == ["a", "b", "c"])
            #expect(try await store.connections(at: "https://y") == [])
        }
    }
}
