import LosslessJSON
import PlugCore
import PlugManifest
import PlugStorage
import Synchronization
import Syncing
import TestKit
import Testing

/// A clock that can be set, with a steady one beside it.
private final class SetClock: HostClock {
    private let times = Mutex<(wall: Int64, steady: Int64)>((1_795_000_000_000_000, 0))

    func now() -> Int64 { times.withLock { $0.wall } }
    func random() -> Double { 0.5 }
    func sleep(for duration: Duration) async throws { pass(Int64(duration / .seconds(1))) }
    func steady() -> SteadyTime { SteadyTime(era: "boot", microseconds: times.withLock { $0.steady }) }
    func pass(_ seconds: Int64) {
        times.withLock { $0 = ($0.wall + seconds * 1_000_000, $0.steady + seconds * 1_000_000) }
    }
    func set(back seconds: Int64) { times.withLock { $0.wall -= seconds * 1_000_000 } }
}

/// When connections are due after the clock was set back, and after other schedules.
struct DueTimesTests {
    private let clock = SetClock()
    private let hour: Int64 = 3_600_000_000

    private func manifest(every: String) throws -> Manifest {
        let text = """
            plug: p
            api: 1
            version: 1.0.0
            hosts: [a.example]
            http: {base: "https://a.example"}
            streams:
              all: {endpoint: all, every: \(every), request: {path: /f}, records: .items, key: [.id], version: none}

            """
        return try #require(ManifestReader.read(path: "plug.yaml", text: Array(text.utf8)).manifest)
    }

    /// Connections that have run: the one is due by its schedule, the other tries again in five minutes.
    private func world(every: String = "1h") async throws -> (any PlugStore, HostPlugs) {
        let store: any PlugStore = MemoryStore(clock: clock)
        let plugs = HostPlugs(HostPlugs.Content([try manifest(every: every)], clients: [:]))
        let content = ConnectionPlan(config: JSONObject()).content
        for name in ["again", "planned"] {
            let id = ConnectionID(name)
            _ = try await store.openConnection(id, plug: "p", pda: "https://ada.example")
            let setup = ConnectionSetup(status: .active, dueAt: clock.now(), content: content)
            try await store.keepSetup(setup, of: id, AuditEntry(at: clock.now(), who: "shell", what: "added"))
        }
        let now = clock.now()
        for claim in try await store.claimDue(at: now, until: now + hour, limit: 9) {
            let isPlanned = claim.connection.name == "planned"
            let due = now + (isPlanned ? hour : 300_000_000)
            let end = ClaimEnd(status: .active, dueAt: due, ranAt: isPlanned ? now : nil, at: now)
            #expect(try await store.endClaim(claim, end))
        }
        return (store, plugs)
    }

    private func due(_ name: String, _ store: any PlugStore) async throws -> Int64 {
        try #require(try await store.setup(of: ConnectionID(name))?.dueAt)
    }

    @Test func nobodyWaitsForAClockThatWasAhead() async throws {
        let (store, plugs) = try await world()
        let times = DueTimes(store: store, plugs: plugs, clock: clock, bell: Bell())
        #expect(try await times.look() == nil)
        clock.pass(60)
        #expect(try await times.look() == nil)
        clock.set(back: 86_400)
        let now = clock.now()
        let found = try #require(try await times.look())
        #expect(found.by == .seconds(86_400) && found.count == 2)
        #expect((now...now + hour).contains(try await due("planned", store)))
        #expect(try await due("again", store) == now + 240_000_000)
        // Once.
        clock.pass(60)
        #expect(try await times.look() == nil)
    }

    @Test func aHostThatStartsSeesThatTheClockWasSetBackMeanwhile() async throws {
        let (store, plugs) = try await world()
        let before = DueTimes(store: store, plugs: plugs, clock: clock, bell: Bell())
        #expect(try await before.look() == nil)
        clock.set(back: 7 * 86_400)
        let now = clock.now()
        let after = DueTimes(store: store, plugs: plugs, clock: clock, bell: Bell())
        #expect(try await after.look()?.count == 2)
        #expect((now...now + hour).contains(try await due("planned", store)))
        #expect(try await DueTimes(store: store, plugs: plugs, clock: clock, bell: Bell()).look() == nil)
    }

    @Test func anotherScheduleCountsAtOnce() async throws {
        let (store, plugs) = try await world(every: "30d")
        let times = DueTimes(store: store, plugs: plugs, clock: clock, bell: Bell())
        let (planned, again) = (try await due("planned", store), try await due("again", store))
        let sooner = HostPlugs.Content([try manifest(every: "15m")], clients: [:])
        let changed = plugs.current.scheduledOtherwise(in: sooner)
        #expect(changed == ["p"])
        #expect(sooner.scheduledOtherwise(in: sooner) == [])
        plugs.replace(with: sooner)
        #expect(try await times.reconsider([]) == 0)
        #expect(try await times.reconsider(changed) == 1)
        let now = clock.now()
        #expect(planned > now + hour / 2)
        #expect((now...now + hour / 4).contains(try await due("planned", store)))
        // What is tried again is tried when it was.
        #expect(try await due("again", store) == again)
    }
}
