import LosslessJSON
import PlugStorage
import TestKit
import Testing

/// A small world in which one thing goes wrong at a named effect.
struct Story: Sendable {
    let scenario: Scenario
    let world: World
    var plan = LifePlan(people: [0])

    /// - Parameter things: How many things there are, two to a page.
    init(things: Int = 4, refused: Int? = nil, paging: StreamShape.Paging = .next, disk: SQLiteDisk? = nil) throws {
        let all = (1...things).map { number in
            Scenario.Change.add(person: 0, stream: 0, number == refused ? .refusedByPDA : .delivered)
        }
        scenario = Scenario(streams: [StreamShape(name: "things", paging: paging)], rounds: [all])
        world = try scenario.world(seed: 1) { clock in disk ?? (MemoryDisk(clock) as any Disk) }
        try scenario.change(world, round: 0)
    }

    /// The number of an effect in a life of such a world in which nothing goes wrong.
    private func number(_ name: String, _ nth: Int) async throws -> Int {
        let other = try scenario.world(seed: 1)
        try scenario.change(other, round: 0)
        let trace = try await other.live(plan).trace
        let found = trace.indices.filter { trace[$0].hasPrefix(name) }
        return try #require(found.count >= nth ? found[nth - 1] + 1 : nil, "no \(nth). '\(name)' in \(trace)")
    }

    /// A life that dies at the n-th effect whose name begins so.
    func dies(_ moment: Crash.Moment, _ name: String, _ nth: Int = 1) async throws {
        var plan = plan
        let effect = try await number(name, nth)
        plan.crash = Crash(effect: effect, moment: moment)
        let life = try await world.live(plan)
        #expect(life.hasDied)
        #expect(life.trace[effect - 1].hasPrefix(name))
    }

    /// A life in which these things go wrong.
    @discardableResult
    func meets(_ rates: FaultRates) async throws -> Life {
        var plan = plan
        plan.rates = rates
        return try await world.live(plan)
    }

    /// A life in which nothing goes wrong, and how it ended.
    @discardableResult
    func lives() async throws -> String {
        World.summary(try await world.live(LifePlan(people: [0]))).trimmed
    }

    /// How many records the PDA has.
    var stored: Int { world.servers.pda(0).stored.count }
    /// How often the PDA was asked.
    var requests: Int { world.servers.pdaRequests }

    /// How many batches wait, and how many dead letters there are.
    func kept() async throws -> [Int] {
        let store = try await world.disk.open(world.clock)
        let kept = [
            try await store.outboxSize(of: nil).batches, try await store.deadLetters(DeadLetterFilter()).count,
        ]
        await world.disk.close()
        return kept
    }

    /// Without faults everything comes to its place, by itself.
    func endsWell() async throws {
        try await world.settle()
        try world.check()
    }

    /// Runs a story on one thread.
    static func tell(_ body: @Sendable () async throws -> Void) async throws {
        try await withTaskExecutorPreference(OneThread()) { try await body() }
    }
}

extension String {
    fileprivate var trimmed: String { hasSuffix(" ") ? String(dropLast()) : self }
}
