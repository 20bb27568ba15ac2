import PlugCore
import PlugStorage
import TestKit
import Testing

extension PlugStoreContract {
    private func session(
        _ number: UInt8,
        _ role: StoredSession.Role = .person,
        _ subject: String = "https://bob.example.org",
        at: Int64 = 10
    ) -> StoredSession {
        StoredSession(
            hash: Array(repeating: number, count: 32),
            role: role,
            subject: subject,
            createdAt: at,
            endsAt: at + 100,
            lastsUntil: at + 250
        )
    }

    private func hash(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 32) }

    @Test(arguments: StoreUnderTest.allCases)
    func aSessionLastsWhileItIsUsedAndNotForEver(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let first = session(1)
            try await store.beginSession(first, replacing: nil)
            #expect(try await store.session(hash(1), at: 109) == first)
            #expect(try await store.session(hash(1), at: 110) == nil)
            #expect(try await store.session(hash(2), at: 11) == nil)
            #expect(try await store.extendSession(hash(1), seenAt: 100, endsAt: 200))
            var extended = first
            (extended.seenAt, extended.endsAt) = (100, 200)
            #expect(try await store.session(hash(1), at: 199) == extended)
            #expect(try await store.extendSession(hash(1), seenAt: 190, endsAt: 900))
            #expect(try await store.session(hash(1), at: 259)?.endsAt == 260)
            #expect(try await store.session(hash(1), at: 260) == nil)
            #expect(try await store.extendSession(hash(2), seenAt: 1, endsAt: 9) == false)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aSessionThatBeginsEndsTheOneInWhosePlaceItComes(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            try await store.beginSession(session(1), replacing: nil)
            try await store.beginSession(session(2, .operator, "ann"), replacing: hash(1))
            #expect(try await store.session(hash(1), at: 11) == nil)
            #expect(try await store.session(hash(2), at: 11) == session(2, .operator, "ann"))
            #expect(try await store.endSession(hash(2)))
            #expect(try await store.endSession(hash(2)) == false)
            #expect(try await store.session(hash(2), at: 11) == nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aKeyIsFoundByItsHashUntilItIsRemoved(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            let reader = StoredAPIKey(name: "reader", hash: hash(1), scopes: ["connections:read"], createdAt: 5)
            let backup = StoredAPIKey(name: "backup", hash: hash(2), scopes: ["a", "b"], createdAt: 6)
            #expect(try await store.addAPIKey(reader, change("1")))
            #expect(try await store.addAPIKey(backup, change("2")))
            let namesake = StoredAPIKey(name: "reader", hash: hash(3), scopes: [], createdAt: 7)
            #expect(try await store.addAPIKey(namesake, change("3")) == false)
            #expect(try await store.apiKey(hash(1)) == reader)
            #expect(try await store.apiKey(hash(3)) == nil)
            #expect(try await store.apiKeys() == [backup, reader])
            try await store.noteUse(ofAPIKey: "reader", at: 9)
            #expect(try await store.apiKey(hash(1))?.usedAt == 9)
            #expect(try await store.removeAPIKey("reader", change("4")))
            #expect(try await store.removeAPIKey("reader", change("5")) == false)
            #expect(try await store.hostAudit() == [change("4"), change("2"), change("1")])
            #expect(try await store.apiKey(hash(1)) == nil)
            #expect(try await store.apiKeys() == [backup])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func aLinkLetsSomebodyInOnce(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        let now = clock.now()
        try await kind.withStore(clock: clock) { store async throws in
            let link = OneTimeLink(hash: hash(1), role: .operator, subject: "ada", endsAt: now + 100)
            try await store.keepLink(link, change("made"))
            // Looking at it does not use it up.
            #expect(try await store.link(hash(1), at: now + 99) == link)
            #expect(try await store.link(hash(1), at: now + 100) == nil)
            #expect(try await store.takeLink(hash(1), at: now + 100) == nil)
            let taken = try await withThrowingTaskGroup(of: OneTimeLink?.self) { group in
                for _ in 1...8 { group.addTask { try await store.takeLink(hash(1), at: now + 99) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(taken.compactMap { $0 } == [link])
            #expect(try await store.link(hash(1), at: now) == nil)
            let used = AuditEntry(at: now + 99, who: "operator ada", what: "logged in with a link")
            #expect(try await store.hostAudit() == [used, change("made")])
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func noMoreLinksAreKeptThanAHostNeeds(_ kind: StoreUnderTest) async throws {
        let clock = MovableClock()
        let now = clock.now()
        try await kind.withStore(clock: clock) { store async throws in
            for number in 0...UInt8(AccessLimit.links) {
                try await store.keepLink(
                    OneTimeLink(hash: hash(number), role: .operator, subject: "ada", endsAt: now + 10 + Int64(number)),
                    change("made")
                )
            }
            #expect(try await store.link(hash(0), at: now) == nil)
            #expect(try await store.link(hash(1), at: now) != nil)
            #expect(try await store.link(hash(UInt8(AccessLimit.links)), at: now) != nil)
        }
    }

    @Test(arguments: StoreUnderTest.allCases)
    func theHostsOldestChangesAreForgotten(_ kind: StoreUnderTest) async throws {
        try await kind.withStore { store async throws in
            for number in 0..<(AccessLimit.changes + 3) {
                let key = StoredAPIKey(name: "\(number)", hash: Array("\(number)".utf8), scopes: [], createdAt: 1)
                #expect(try await store.addAPIKey(key, change("\(number)")))
            }
            let kept = try await store.hostAudit().map(\.what)
            #expect(kept == (3..<(AccessLimit.changes + 3)).reversed().map { "\($0)" })
        }
    }

    private func change(_ what: String) -> AuditEntry { AuditEntry(at: 7, who: "shell", what: what) }
}
