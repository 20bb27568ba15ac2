import PlugCore
import Synchronization
import TestKit
import Testing

@testable import Throttling

/// The limiter against a provider that counts for itself, through crashes, restarts, boots and clocks that are set.
struct LimiterAuditTests {
    @Test func noSeedMakesAProviderSeeOneRequestTooMany() async throws {
        for seed in Thoroughness.some(0..<80, oneOf: 2) {
            var audit = Audit(UInt64(seed))
            let fault = await withTaskExecutorPreference(OneThread()) { await audit.run() }
            #expect(fault == nil, "seed \(seed)")
            if fault != nil { return }
        }
    }

    @Test(arguments: [
        RateLimit(count: 1, per: .seconds(1)), RateLimit(count: 5, per: .seconds(2)),
        RateLimit(count: 10, per: .seconds(1), burst: 1), RateLimit(count: 180, per: .seconds(60)),
        RateLimit(count: 100, per: .seconds(900)), RateLimit(count: 1000, per: .seconds(3600), burst: 50),
        RateLimit(count: 5000, per: .seconds(3600)), RateLimit(count: 5, per: .seconds(86_400)),
    ])
    func aBacklogUsesAtLeast95PercentOfTheLimit(limit: RateLimit) async throws {
        let (machine, kept) = (SimulatedMachine(), KeptNotes())
        let process = await SimulatedProcess(machine, kept, [limit])
        let requests = min(limit.count * 10, max(limit.count * 2, 10_000))
        let fault = await withTaskExecutorPreference(OneThread()) { await process.send(requests, workers: 8) }
        #expect(fault == nil)
        // What a provider's bucket lets out at once is not counted as speed.
        let ideal = Double(requests - (limit.burst ?? limit.count)) / Double(limit.count) * (limit.per / .seconds(1))
        #expect(ideal / (Double(machine.time) / 1_000_000) >= 0.95)
        #expect(kept.writeCount < requests * 6 / 5)
    }

    @Test func writesAFewTimesForABurstOfHundreds() async throws {
        let (machine, kept) = (SimulatedMachine(), KeptNotes())
        let process = await SimulatedProcess(machine, kept, [RateLimit(count: 1000, per: .seconds(60))])
        #expect(await process.send(1000, workers: 4) == nil)
        #expect(kept.writeCount == 7)
    }

    @Test func aCleanEndLosesNothingAndACrashAQuarterOfTheBurstAtMost() async throws {
        let limit = RateLimit(count: 40, per: .seconds(40))
        for (isClean, left) in [(true, 35), (false, 31)] {
            let (machine, kept) = (SimulatedMachine(), KeptNotes())
            let first = await SimulatedProcess(machine, kept, [limit])
            #expect(await first.send(5, workers: 1) == nil)
            if isClean { await first.settle() }
            let second = await SimulatedProcess(machine, kept, [limit])
            #expect(await second.send(left, workers: 1) == nil)
            #expect(machine.time == 0)
            #expect(await second.send(1, workers: 1) == nil)
            #expect(machine.time > 0)
        }
    }

    @Test func noSeedMakesProcessesOfOneTimeSendOneRequestTooMany() async throws {
        for seed in Thoroughness.some(0..<60, oneOf: 2) {
            var audit = Audit(UInt64(seed))
            let fault = await withTaskExecutorPreference(OneThread()) { await audit.runTogether() }
            #expect(fault == nil, "seed \(seed)")
            if fault != nil { return }
        }
    }

    @Test(arguments: [
        RateLimit(count: 10, per: .seconds(1), burst: 1), RateLimit(count: 20, per: .seconds(10)),
        RateLimit(count: 180, per: .seconds(60)), RateLimit(count: 6, per: .seconds(600)),
    ])
    func processesOfOneTimeShareTheRateAndNobodyStarves(limit: RateLimit) async throws {
        let (machine, kept) = (SimulatedMachine(), KeptNotes())
        let processes = await [
            SimulatedProcess(machine, kept, [limit]), SimulatedProcess(machine, kept, [limit]),
            SimulatedProcess(machine, kept, [limit]),
        ]
        let provider = SharedProvider([limit])
        let share = limit.count * 5
        let faults = await withTaskExecutorPreference(OneThread()) {
            await withTaskGroup(of: String?.self) { group in
                for process in processes {
                    group.addTask {
                        await process.send(share, workers: 2) { provider.arrive(at: $0) }
                    }
                }
                return await group.reduce(into: [String]()) { if let fault = $1 { $0.append(fault) } }
            }
        }
        #expect(faults == [])
        #expect(provider.count == 3 * share)
        // Waiting for each other's leases costs a part of the rate, never most of it. Here the time of each sleeper is added
        // to that of all, so that the clock says more than passed for anybody.
        let ends = await [processes[0].end, processes[1].end, processes[2].end]
        #expect((ends.min() ?? 0) * 4 >= (ends.max() ?? 0), "\(ends)")
    }

    @Test func aPlugWithoutLimitsWritesNothing() async throws {
        let (machine, kept) = (SimulatedMachine(), KeptNotes())
        let process = await SimulatedProcess(machine, kept, [])
        #expect(await process.send(100, workers: 8) == nil)
        await process.settle()
        #expect(kept.writeCount == 0)
    }
}

/// A process with workers that all want to send as much as they may.
@Simulation
final class SimulatedProcess {
    private let machine: SimulatedMachine
    private let limits: SourceLimits
    private let source: SourceLimit
    private var left = 0
    private var fault: String?
    /// When its last request was sent.
    private(set) var end: Int64 = 0

    init(_ machine: SimulatedMachine, _ kept: any ServerNoteKeeping, _ rates: [RateLimit]) {
        self.machine = machine
        limits = SourceLimits(notes: ServerNotes(kept), clock: machine)
        source = limits.source("plug", rates)
    }

    func settle() async { await limits.settle() }

    /// Sends so many requests, or until the process dies.
    ///
    /// - Returns: What the provider says.
    func send(
        _ count: Int,
        workers: Int,
        _ arrive: @escaping @Sendable (Int64) -> String? = { _ in nil }
    ) async -> String? {
        left = count
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<workers { group.addTask { await self.work(arrive) } }
        }
        return fault
    }

    private func work(_ arrive: @Sendable (Int64) -> String?) async {
        while left > 0, fault == nil {
            left -= 1
            do { try await source.pass(waitingAtMost: .seconds(1 << 40)) { _ in } } catch {
                left = 0
                return
            }
            fault = fault ?? arrive(machine.time)
            end = machine.time
        }
    }
}

/// The lives of a plug at one provider.
@Simulation
private struct Audit {
    private var random: SeededGenerator
    /// Whether the machine is booted now and then. Otherwise its clock is set; both at once no program can tell from
    /// time that has passed.
    private let boots: Bool

    nonisolated init(_ seed: UInt64) {
        random = SeededGenerator(seed)
        boots = seed.isMultiple(of: 2)
    }

    mutating func run() async -> String? {
        let (machine, kept) = (SimulatedMachine(), KeptNotes())
        let limits = (0..<Int.random(in: 1...2, using: &random)).map { _ in limit() }
        let provider = Mutex(limits.map { ProviderLedger($0) })
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let process = SimulatedProcess(machine, kept, limits)
            if Bool.random(using: &random) {
                kept.die(at: Int.random(in: 1...6, using: &random), isAfter: Bool.random(using: &random))
            }
            let requests = Int.random(in: 1...(limits[0].count * 3), using: &random)
            let fault = await process.send(requests, workers: Int.random(in: 1...8, using: &random)) { time in
                provider.withLock { ledgers in
                    ledgers.indices.compactMap { ledgers[$0].arrive(at: time) }.first
                }
            }
            if let fault { return fault }
            if Bool.random(using: &random) { await process.settle() }
            kept.die(at: nil)
            between(machine, limits[0])
        }
        return nil
    }

    /// Several processes at the same time, which die, end, idle, and come back while others go on.
    mutating func runTogether() async -> String? {
        let (machine, kept) = (SimulatedMachine(), KeptNotes())
        let limits = (0..<Int.random(in: 1...2, using: &random)).map { _ in limit() }
        let provider = SharedProvider(limits)
        let dice = Dice(random)
        return await withTaskGroup(of: String?.self) { group in
            for _ in 0..<dice.draw(2...4) {
                group.addTask { await Self.lives(machine, kept, limits, provider, dice) }
            }
            var first: String?
            for await fault in group { first = first ?? fault }
            return first
        }
    }

    /// One process after another, beside those of the other tasks.
    private static func lives(
        _ machine: SimulatedMachine,
        _ kept: KeptNotes,
        _ limits: [RateLimit],
        _ provider: SharedProvider,
        _ dice: Dice
    ) async -> String? {
        for _ in 0..<dice.draw(1...4) {
            let notes = MortalNotes(kept, diesAt: dice.draw(0...1) == 0 ? dice.draw(1...6) : .max)
            let process = SimulatedProcess(machine, notes, limits)
            let requests = dice.draw(1...limits[0].count * 2)
            let fault = await process.send(requests, workers: dice.draw(1...4)) { time in
                let fault = provider.arrive(at: time)
                if dice.draw(0...9) == 0 { machine.pass(.milliseconds(dice.draw(1...20_000))) }
                return fault
            }
            if let fault { return fault }
            if dice.draw(0...1) == 0 { await process.settle() }
            if dice.draw(0...3) == 0 { machine.set(by: Int64(dice.draw(-31_536_000...31_536_000)) * 1_000_000) }
        }
        return nil
    }

    private mutating func limit() -> RateLimit {
        let count = Int.random(in: 1...([3, 20, 120].randomElement(using: &random) ?? 3), using: &random)
        let burst = Bool.random(using: &random) ? Int.random(in: 1...count, using: &random) : nil
        return RateLimit(count: count, per: .milliseconds(Int.random(in: 500...900_000, using: &random)), burst: burst)
    }

    /// What happens to a machine between two processes.
    private mutating func between(_ machine: SimulatedMachine, _ limit: RateLimit) {
        if Bool.random(using: &random) { machine.pass(limit.per * Double.random(in: 0...1.5, using: &random)) }
        guard Bool.random(using: &random) else { return }
        // Forward or back by up to a year.
        let year: Int64 = 31_536_000_000_000
        if boots { machine.boot() } else { machine.set(by: .random(in: -year...year, using: &random)) }
    }
}

/// A provider that several processes ask.
private final class SharedProvider: Sendable {
    private let ledgers: Mutex<[ProviderLedger]>
    init(_ limits: [RateLimit]) { ledgers = Mutex(limits.map { ProviderLedger($0) }) }
    var count: Int { ledgers.withLock { $0.first?.count ?? 0 } }
    /// What is wrong with a request at this time.
    func arrive(at time: Int64) -> String? {
        ledgers.withLock { ledgers in ledgers.indices.compactMap { ledgers[$0].arrive(at: time) }.first }
    }
}

/// A generator that several tasks share.
private final class Dice: Sendable {
    private let generator: Mutex<SeededGenerator>
    init(_ generator: SeededGenerator) { self.generator = Mutex(generator) }
    func draw(_ range: ClosedRange<Int>) -> Int { generator.withLock { Int.random(in: range, using: &$0) } }
}

/// The notes as one of several processes sees them, which dies at one of its writes.
private final class MortalNotes: ServerNoteKeeping {
    private let kept: KeptNotes
    private let left: Mutex<Int>

    init(_ kept: KeptNotes, diesAt write: Int) {
        self.kept = kept
        left = Mutex(write)
    }

    /// The last write is done, but its answer reaches nobody.
    private func write(_ work: () async throws -> Void) async throws {
        let left = left.withLock { left in
            left -= 1
            return left
        }
        if left < 0 { throw KeptNotes.Dead() }
        try await work()
        if left == 0 { throw KeptNotes.Dead() }
    }

    func serverNotes() async throws -> [ServerNote] { try await kept.serverNotes() }
    func serverNote(_ name: String) async throws -> ServerNote? { try await kept.serverNote(name) }
    func keepServerNotes(_ notes: [ServerNote]) async throws {
        try await write { try await kept.keepServerNotes(notes) }
    }
    func changeServerNote(_ name: String, _ change: @escaping @Sendable (ServerNote?) -> ServerNote?) async throws {
        try await write { try await kept.changeServerNote(name, change) }
    }
}
