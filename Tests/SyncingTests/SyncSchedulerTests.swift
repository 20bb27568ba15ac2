import PlugCore
import PlugRuntime
import PlugStorage
import Synchronization
import Syncing
import TestKit
import Testing

/// Connections that are due, on a clock that passes while somebody sleeps.
struct SyncSchedulerTests {
    private let clock = MovableClock()
    private var start: Int64 { 1_795_000_000_000_000 }

    /// A store with active connections that are due some seconds from the start.
    private func store(_ due: KeyValuePairs<String, Int64>) async throws -> any PlugStore {
        let store = MemoryStore(clock: clock)
        for (name, seconds) in due {
            let id = ConnectionID(name)
            _ = try await store.openConnection(id, plug: "p", pda: "https://ada.example")
            let setup = ConnectionSetup(status: .active, dueAt: start + seconds * 1_000_000, content: Secret("{}"))
            try await store.keepSetup(setup, of: id, AuditEntry(at: start, who: "shell", what: "added"))
        }
        return store
    }

    private func done(_ claim: DueClaim, next seconds: Int64? = nil) -> ClaimEnd {
        ClaimEnd(status: .active, dueAt: seconds.map { start + $0 * 1_000_000 }, at: clock.now())
    }

    @Test func whatIsDueRunsInTheOrderInWhichItBecameDue() async throws {
        let store = try await store(["c": 30, "a": 10, "b": 20, "later": 1_000_000_000])
        let ran = Watched<[String]>([])
        let scheduler = SyncScheduler(store: store, parallel: 1, clock: clock) { claim, _ in
            ran.change { $0.append(claim.connection.name) }
            return done(claim)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await ran.wait { $0.count == 3 }
            scheduler.stop()
        }
        #expect(ran.value == ["a", "b", "c"])
        #expect(try await store.nextDue() == start + 1_000_000_000 * 1_000_000)
    }

    @Test func soManyRunAtATimeAndAnEndLetsTheNextOneIn() async throws {
        let store = try await store(["a": 0, "b": 0, "c": 0, "d": 0, "e": 0])
        let inside = Watched<(now: Int, most: Int, all: Int)>((0, 0, 0))
        let gate = AsyncSemaphore(width: 1)
        try await gate.enter()
        let scheduler = SyncScheduler(store: store, parallel: 2, clock: clock) { claim, _ in
            inside.change { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
            try? await gate.pass {}
            inside.change { $0.now -= 1 }
            return done(claim)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await inside.wait { $0.now == 2 }
            gate.leave()
            await inside.wait { $0.all == 5 && $0.now == 0 }
            scheduler.stop()
        }
        #expect(inside.value.most == 2)
    }

    @Test func aConnectionThatSomebodyMakesDueRunsWithoutAWait() async throws {
        let store = try await store(["ada": 1_000_000_000])
        let bell = Bell()
        let ran = Watched<[Int64]>([])
        // Its waits last a day, so that only the bell can wake it.
        let scheduler = SyncScheduler(store: store, parallel: 4, clock: PatientClock(), bell: bell) { claim, _ in
            ran.change { $0.append(claim.dueAt) }
            return done(claim)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            let change = AuditEntry(at: 1, who: "shell", what: "run now")
            _ = try await store.changeSetup(of: ConnectionID("ada"), status: .active, dueAt: 5, change)
            bell.ring()
            await ran.wait { $0 == [5] }
            scheduler.stop()
            bell.ring()
        }
    }

    @Test func whatAHostLeftAtItsEndIsTakenUp() async throws {
        let store = try await store(["ada": 0])
        #expect(try await store.claimDue(at: start, until: start + 600_000_000, limit: 9).count == 1)
        let told = Watched<[Int]>([])
        let ran = Watched(0)
        let scheduler = SyncScheduler(store: store, parallel: 4, clock: clock) { event in
            if case .tookUp(let released) = event { told.change { $0.append(released.count) } }
        } sync: { claim, _ in
            ran.change { $0 += 1 }
            return done(claim)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await ran.wait { $0 == 1 }
            scheduler.stop()
        }
        #expect(told.value == [1])
    }

    @Test func anEndIsWrittenAlsoWhenEverythingIsCancelled() async throws {
        let store = try await store(["ada": 0])
        let isRunning = Watched(false)
        let due = start
        let scheduler = SyncScheduler(store: store, parallel: 4, clock: clock) { [clock] claim, _ in
            isRunning.change { $0 = true }
            while !Task.isCancelled { await Task.yield() }
            return ClaimEnd(status: .active, dueAt: claim.dueAt, at: clock.now())
        }
        let task = Task { await scheduler.run() }
        await isRunning.wait { $0 }
        task.cancel()
        await task.value
        #expect(try await store.nextDue() == due)
        #expect(try await store.releaseClaims(at: due).count == 0)
    }

    @Test func aChangeDuringTheRunCounts() async throws {
        let store = try await store(["ada": 0])
        let told = Watched<[ConnectionID]>([])
        let scheduler = SyncScheduler(store: store, parallel: 4, clock: clock) { event in
            if case .overtaken(let connection) = event { told.change { $0.append(connection) } }
        } sync: { claim, _ in
            let change = AuditEntry(at: 2, who: "person", what: "paused")
            _ = try? await store.changeSetup(of: claim.connection, status: .paused, dueAt: nil, change)
            return done(claim, next: 60)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await told.wait { $0 == [ConnectionID("ada")] }
            scheduler.stop()
        }
        #expect(try await store.setup(of: ConnectionID("ada"))?.status == .paused)
    }

    @Test func aConnectionThatRunsIsNotBegunAgainAndRunsOnceMoreAfterwards() async throws {
        let store = try await store(["ada": 0, "bob": 0])
        let (bell, gate) = (Bell(), AsyncSemaphore(width: 1))
        try await gate.enter()
        let runs = Watched<(now: [String], most: Int, all: [String])>(([], 0, []))
        let scheduler = SyncScheduler(store: store, parallel: 2, clock: clock, bell: bell) { claim, _ in
            let name = claim.connection.name
            runs.change { $0 = ($0.now + [name], max($0.most, $0.now.count { $0 == name } + 1), $0.all + [name]) }
            if claim.dueAt != 7 { try? await gate.pass {} }
            runs.change { $0.now.removeAll { $0 == name } }
            return done(claim, next: 1_000_000_000)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await runs.wait { $0.now.count == 2 }
            // Both places are taken; bob's end lets the new claim of ada in, which runs still.
            let change = AuditEntry(at: 2, who: "shell", what: "run now")
            _ = try await store.changeSetup(of: ConnectionID("ada"), status: .active, dueAt: 7, change)
            gate.leave()
            await runs.wait { $0.all.count >= 3 && $0.now.isEmpty }
            scheduler.stop()
        }
        #expect(runs.value.most == 1)
        #expect(runs.value.all.sorted() == ["ada", "ada", "bob"])
    }

    @Test func aStoreThatFailsIsAskedAgain() async throws {
        let memory = try await store(["ada": 0])
        let store = FailingClaims(store: memory, failures: 3)
        let told = Watched<[String]>([])
        let ran = Watched(0)
        let before = clock.now()
        let scheduler = SyncScheduler(store: store, parallel: 4, clock: clock) { event in
            if case .storeFailed(let error) = event { told.change { $0.append(error.message) } }
            if case .storeRecovered = event { told.change { $0.append("recovered") } }
        } sync: { claim, _ in
            ran.change { $0 += 1 }
            return done(claim)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await ran.wait { $0 == 1 }
            scheduler.stop()
        }
        #expect(told.value == ["full", "recovered"])
        // Each failure is followed by a rest.
        #expect(clock.now() - before >= 3 * 5_000_000)
    }

    @Test func anEndThatCannotBeWrittenIsWrittenLater() async throws {
        let memory = try await store(["ada": 0])
        let store = FailingClaims(store: memory, call: "end claim of ada", failures: 3)
        let told = Watched<[String]>([])
        let scheduler = SyncScheduler(store: store, parallel: 4, clock: clock) { event in
            if case .storeFailed(let error) = event { told.change { $0.append(error.message) } }
            if case .storeRecovered = event { told.change { $0.append("recovered") } }
        } sync: { claim, _ in
            done(claim, next: 1_000_000_000)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await told.wait { $0.count == 2 }
            scheduler.stop()
        }
        #expect(told.value == ["full", "recovered"])
        #expect(try await memory.nextDue() == start + 1_000_000_000 * 1_000_000)
        #expect(try await memory.releaseClaims(at: start).count == 0)
    }

    @Test func aClaimIsExtendedWhileItsRunGoesOn() async throws {
        let memory = try await store(["ada": 0])
        let clock = LimitClock()
        let store = WatchedExtensions(store: memory)
        let gate = AsyncSemaphore(width: 1)
        try await gate.enter()
        let scheduler = SyncScheduler(store: store, parallel: 4, clock: clock) { claim, _ in
            try? await gate.pass {}
            return done(claim, next: 1_000_000_000)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await store.until.wait { $0.count == 3 }
            scheduler.stop()
            gate.leave()
        }
        // Each time a third of the claim's ten minutes has passed, for ten minutes more.
        #expect(Array(store.until.value.prefix(3)) == [800, 1_000, 1_200].map { start + $0 * 1_000_000 })
        #expect(try await memory.nextDue() == start + 1_000_000_000 * 1_000_000)
    }

    @Test func aPlugThatRestsIsNotBegunAndItsTurnsStay() async throws {
        let store = try await store(["ada": 0, "bob": 5])
        _ = try await store.openConnection(ConnectionID("eve"), plug: "other", pda: "https://eve.example")
        let setup = ConnectionSetup(status: .active, dueAt: start + 7_000_000, content: Secret("{}"))
        try await store.keepSetup(setup, of: ConnectionID("eve"), AuditEntry(at: start, who: "shell", what: "added"))
        let rests = PlugRests()
        rests.rest("p", until: start + 60_000_000, now: start)
        let ran = Watched<[String]>([])
        let scheduler = SyncScheduler(store: store, parallel: 4, clock: clock, rests: rests) { claim, _ in
            ran.change {
                $0.append(
                    "\(claim.connection) \((claim.dueAt - start) / 1_000_000) \(clock.now() - start >= 60_000_000)"
                )
            }
            return done(claim)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await ran.wait { $0.count == 3 }
            scheduler.stop()
        }
        #expect(ran.value.first == "eve 7 false")
        #expect(ran.value.dropFirst().sorted() == ["ada 0 true", "bob 5 true"])
    }
}

/// A clock whose limits come when somebody waits for them, and whose waits last.
private final class LimitClock: HostClock {
    private let clock = MovableClock()

    func now() -> Int64 { clock.now() }
    func random() -> Double { 0.5 }
    func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(86_400)) }
    func timeout(after duration: Duration) async throws {
        try Task.checkCancellation()
        await Task.yield()
        clock.advance(duration)
    }
}

/// A store that says until when claims are extended.
private final class WatchedExtensions: ForwardingStore {
    let store: any PlugStore
    let until = Watched<[Int64]>([])

    init(store: any PlugStore) { self.store = store }

    func extendClaim(_ claim: DueClaim, until: Int64) async throws -> Bool {
        let isKept = try await store.extendClaim(claim, until: until)
        self.until.change { $0.append(until) }
        return isKept
    }
}

/// A store whose first claims fail, or the ends of some.
private final class FailingClaims: ForwardingStore {
    let store: any PlugStore
    private let call: String
    private let left: Mutex<Int>

    init(store: any PlugStore, call: String = "claim", failures: Int) {
        self.store = store
        self.call = call
        left = Mutex(failures)
    }

    func writing<Value: Sendable>(_ name: String, _ call: () async throws -> Value) async throws -> Value {
        let fails =
            name == self.call
            && left.withLock { left in
                left -= 1
                return left >= 0
            }
        if fails { throw PlugError(.storeFailed, exit: .tryLater, "full") }
        return try await call()
    }
}

// MARK: - Making room

extension SyncSchedulerTests {
    /// One run has the only place, and lasts until it is asked to make room.
    @Test func aRunThatLastsMakesRoomForOthersThatAreDue() async throws {
        let store = try await store(["long": 0, "short": 5])
        let ran = Watched<[String]>([])
        let scheduler = SyncScheduler(store: store, parallel: 1, clock: clock) { claim, yielding in
            ran.change { $0.append(claim.connection.name) }
            guard claim.connection.name == "long", ran.value.count == 1 else { return done(claim) }
            while !yielding.isAsked { await Task.yield() }
            return ClaimEnd(status: .active, dueAt: clock.now(), waitsSince: clock.now(), at: clock.now())
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await ran.wait { $0.count == 3 }
            scheduler.stop()
        }
        #expect(ran.value == ["long", "short", "long"])
    }

    @Test func aRunThatLastsKeepsItsPlaceWhereNobodyWaits() async throws {
        let store = try await store(["long": 0, "later": 1_000_000_000])
        let began = clock.now()
        let asked = Watched<Bool?>(nil)
        let scheduler = SyncScheduler(store: store, parallel: 1, clock: clock) { claim, yielding in
            // The clock passes while the scheduler sleeps.
            while clock.now() < began + 600_000_000 { await Task.yield() }
            asked.change { $0 = yielding.isAsked }
            return done(claim)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await scheduler.run() }
            await asked.wait { $0 != nil }
            scheduler.stop()
        }
        #expect(asked.value == false)
    }
}
