import PlugCore
import PlugManifest
import Synchronization
import Testing

@testable import PlugFetch

/// The limiter against a provider that counts for itself, through crashes, restarts, boots and clocks that are set.
struct LimiterAuditTests {
    @Test func noSeedMakesAProviderSeeOneRequestTooMany() async throws {
        for seed in 0..<80 {
            var audit = Audit(UInt64(seed))
            let fault = await audit.run()
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
        let requests = limit.count * 20
        let fault = await process.send(requests, workers: 8)
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

    init(_ machine: SimulatedMachine, _ kept: KeptNotes, _ rates: [RateLimit]) {
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
