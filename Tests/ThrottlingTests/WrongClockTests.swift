import PlugCore
import TestKit
import Testing

@testable import Throttling

/// What a run has written while the clock was wrong, and what becomes of it once the clock is right.
struct WrongClockTests {
    private let kept = KeptNotes()
    private static let limit = RateLimit(count: 5, per: .seconds(60))

    /// Lets a process do something on a machine whose clocks all say so much more than is true.
    private func process(
        ahead: Duration,
        _ machine: SimulatedMachine,
        _ work: (SourceLimit, any HostClock) async throws -> Void
    ) async throws {
        let clock = AheadClock(machine, by: Int64(ahead / .microseconds(1)))
        let limits = SourceLimits(notes: ServerNotes(kept), clock: clock)
        try await work(limits.source("plug", [Self.limit]), clock)
        await limits.settle()
    }

    /// How long a process with the right clock has to wait for its first request.
    private func wait(_ machine: SimulatedMachine, atMost maximum: Duration = .seconds(1)) async throws -> Int64? {
        let start = machine.time
        do {
            try await process(ahead: .zero, machine) { limit, _ in
                try await limit.pass(waitingAtMost: maximum) { _ in }
            }
        } catch is SourceLimit.Closed { return nil }
        return machine.time - start
    }

    @Test func aRateThatWasUsedUpInTheFutureStopsNobodyLongerThanItsTime() async throws {
        let machine = SimulatedMachine()
        try await process(ahead: .seconds(172_800), machine) { limit, _ in
            for _ in 0..<5 { try await limit.pass(waitingAtMost: .zero) { _ in } }
        }
        // Each look is a process of its own, and none of them may begin the wait anew.
        #expect(try await wait(machine) == nil)
        machine.pass(.seconds(40))
        #expect(try await wait(machine) == nil)
        machine.pass(.seconds(22))
        #expect(try await wait(machine) == 0)
    }

    @Test func aRequestToStayAwayThatWasHeardInTheFutureLastsAsLongAsItSaid() async throws {
        let machine = SimulatedMachine()
        try await process(ahead: .seconds(31_536_000), machine) { limit, _ in
            await limit.close(for: .seconds(300), isLasting: true)
        }
        #expect(try await wait(machine) == nil)
        machine.pass(.seconds(200))
        #expect(try await wait(machine) == nil)
        machine.pass(.seconds(100))
        #expect(try await wait(machine) == 0)
    }
}

/// The clocks of a process that is told so much more than is true.
private struct AheadClock: HostClock {
    let machine: SimulatedMachine
    let offset: Int64

    init(_ machine: SimulatedMachine, by offset: Int64) { (self.machine, self.offset) = (machine, offset) }
    func now() -> Int64 { machine.now() + offset }
    func steady() -> SteadyTime {
        let time = machine.steady()
        return SteadyTime(era: time.era, microseconds: time.microseconds + offset)
    }
    func random() -> Double { 0.5 }
    func sleep(for duration: Duration) async throws { try await machine.sleep(for: duration) }
}
