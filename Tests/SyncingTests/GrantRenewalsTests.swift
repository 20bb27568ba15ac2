import PlugCore
import PlugStorage
import Syncing
import TestKit
import Testing

/// The host renews what is due, a few at a time, and looks at nothing else.
struct GrantRenewalsTests {
    private let clock = MovableClock()

    private func grant(_ name: String) -> GrantID { GrantID(connection: ConnectionID(name), name: "oauth2") }

    private func store(_ due: KeyValuePairs<String, Int64>) async throws -> any PlugStore {
        let store = MemoryStore(clock: clock)
        for (name, seconds) in due {
            _ = try await store.openConnection(ConnectionID(name), plug: "p", pda: "https://ada.example")
            let setup = ConnectionSetup(status: .active, dueAt: nil, content: Secret("{}"))
            try await store.keepSetup(setup, of: ConnectionID(name), AuditEntry(at: 0, who: "shell", what: "added"))
            let time = clock.now() + seconds * 1_000_000
            _ = try await store.keepGrant(Secret("1"), as: grant(name), replacing: nil, renewal: .at(time))
        }
        return store
    }

    @Test func whatIsDueIsRenewedAFewAtATime() async throws {
        let store = try await store(["a": 0, "b": -5, "c": 0, "d": 0, "e": 0, "later": 100])
        let inside = Watched<(now: Int, most: Int, names: [String])>((0, 0, []))
        let renewals = GrantRenewals(store: store, parallel: 2, clock: clock) { due in
            inside.change {
                $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.names + [due.grant.connection.name])
            }
            await Task.yield()
            inside.change { $0.now -= 1 }
            return .fresh
        }
        while try await renewals.renewDue() > 0 {}
        #expect(inside.value.most <= 2)
        #expect(inside.value.names.sorted() == ["a", "b", "c", "d", "e"])
        #expect(try await store.nextRenewal() == clock.now() + 100_000_000)
    }

    @Test func itSleepsUntilSomethingIsDue() async throws {
        let store = try await store(["a": 100])
        let start = clock.now()
        let renewed = Watched<Int64?>(nil)
        let renewals = GrantRenewals(store: store, clock: clock) { _ in
            renewed.change { $0 = clock.now() }
            return .fresh
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await renewals.run() }
            await renewed.wait { $0 != nil }
            group.cancelAll()
        }
        #expect(renewed.value == start + 100_000_000)
    }

    /// A quarter of an hour with jitter (here 0.75 of it), then twice as long each time, up to six hours.
    @Test func whatFailsIsTriedAgainLaterEachTime() async throws {
        let store = try await store(["a": 0])
        let renewals = GrantRenewals(store: store, clock: clock) { _ in
            .failed(PlugError("test-failed", exit: .tryLater, "away"))
        }
        var waits: [Int64] = []
        for _ in 0..<8 {
            #expect(try await renewals.renewDue() == 1)
            let next = try #require(try await store.nextRenewal())
            waits.append((next - clock.now()) / 1_000_000)
            clock.advance(.microseconds(next - clock.now()))
        }
        #expect(waits == [675, 1_350, 2_700, 5_400, 10_800, 16_200, 16_200, 16_200])
    }

    @Test func aDeadGrantLeavesItsConnectionToItsPerson() async throws {
        let store = try await store(["a": 0, "b": 0])
        let renewals = GrantRenewals(store: store, clock: clock) { due in
            guard due.grant.connection.name == "a" else { return .fresh }
            return .dead(PlugError("test-failed", exit: .authorisation, "dead"), version: 1)
        }
        #expect(try await renewals.renewDue() == 2)
        #expect(try await store.setup(of: ConnectionID("a"))?.status == .reconnect)
        #expect(try await store.setup(of: ConnectionID("b"))?.status == .active)
    }

    @Test func aHostThatEndsLeavesItToTheNextOneAtOnce() async throws {
        let store = try await store(["a": 0])
        let renewals = GrantRenewals(store: store, clock: clock) { _ in throw CancellationError() }
        #expect(try await renewals.renewDue() == 1)
        #expect(try await store.claimRenewals(at: clock.now(), until: .max, limit: 9).map(\.grant) == [grant("a")])
    }
}
