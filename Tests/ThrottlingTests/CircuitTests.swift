import PlugCore
import Testing

@testable import Throttling

/// A circuit at work, with a time in seconds.
private struct Wire {
    var circuit = Circuit()
    var now = 0.0

    var time: Int64 { Int64(now * 1_000_000) }
    var isOpen: Bool { circuit.openUntil != nil }
    /// In how many seconds the next probe is due.
    var rest: Double { Double((circuit.openUntil ?? time) - time) / 1_000_000 }

    mutating func admit() -> Circuit.Admission { circuit.admit(now: time, random: 0.5) }

    /// Sends a request, if the circuit lets it.
    @discardableResult
    mutating func call(_ outcome: Circuit.Outcome) -> Circuit.Admission {
        let admission = admit()
        if case .refused = admission { return admission }
        _ = circuit.note(outcome, of: admission, now: time, random: 0.5)
        return admission
    }
}

private let failure = Circuit.Outcome.failed(isConnecting: false)
private let noConnection = Circuit.Outcome.failed(isConnecting: true)

struct CircuitTests {
    @Test func opensAfterFiveFailuresInARowToConnect() {
        var wire = Wire()
        for _ in 0..<4 { wire.call(noConnection) }
        #expect(!wire.isOpen)
        wire.call(noConnection)
        #expect(wire.isOpen && wire.rest == 30)
    }

    @Test func anyAnswerBreaksTheRow() {
        var wire = Wire()
        for _ in 0..<20 {
            for _ in 0..<4 { wire.call(noConnection) }
            for _ in 0..<5 { wire.call(.answered) }
            wire.now += 70
        }
        #expect(!wire.isOpen)
    }

    @Test func opensWhenHalfOfTenCallsInAMinuteFail() {
        var wire = Wire()
        for _ in 0..<4 { wire.call(failure) }
        for _ in 0..<5 { wire.call(.answered) }
        #expect(!wire.isOpen)
        wire.call(failure)
        #expect(wire.isOpen)
    }

    @Test func staysClosedWhereFewerFailOrTheCallsAreFarApart() {
        var wire = Wire()
        for at in 0..<1000 { wire.call(at % 5 < 3 ? .answered : failure) }
        #expect(!wire.isOpen)
        for at in 0..<100 {
            wire.call(at.isMultiple(of: 2) ? failure : .answered)
            wire.now += 20
        }
        #expect(!wire.isOpen)
    }

    @Test func opensAfterTenFailuresInARowHoweverFarApart() {
        var wire = Wire()
        for at in 0..<10 {
            #expect(!wire.isOpen, "\(at)")
            wire.call(failure)
            wire.now += 3600
        }
        #expect(wire.isOpen)
    }

    @Test func lettersThatSayNothingOfTheHostChangeNothing() {
        var wire = Wire()
        for _ in 0..<100 { wire.call(.nothing) }
        #expect(!wire.isOpen && !wire.circuit.isNotable)
    }

    @Test func oneProbeGoesThroughAtATimeAndTheNextOneLater() {
        var wire = Wire()
        for _ in 0..<5 { wire.call(noConnection) }
        #expect(wire.admit() == .refused(until: 30_000_000))
        wire.now = 30
        #expect(wire.admit() == .probe)
        // The next one's time is set before this one is answered.
        #expect(wire.admit() == .refused(until: 90_000_000))
        _ = wire.circuit.note(failure, of: .probe, now: wire.time, random: 0.5)
        #expect(wire.admit() == .refused(until: 90_000_000))
        var rests: [Double] = []
        for _ in 0..<6 {
            wire.now += wire.rest
            #expect(wire.call(failure) == .probe)
            rests.append(wire.rest)
        }
        #expect(rests == [120, 240, 480, 900, 900, 900])
    }

    @Test func closesWithTheFirstAnswerAndForgetsTheOutage() {
        var wire = Wire()
        for _ in 0..<5 { wire.call(noConnection) }
        wire.now = 31
        #expect(wire.call(.answered) == .probe)
        #expect(!wire.isOpen && !wire.circuit.isNotable)
        for _ in 0..<5 { wire.call(noConnection) }
        #expect(wire.rest == 30)
    }

    @Test func aProbeThatWasCancelledIsMadeUpFor() {
        var wire = Wire()
        for _ in 0..<5 { wire.call(noConnection) }
        wire.now = 31
        #expect(wire.call(.nothing) == .probe)
        #expect(wire.call(.answered) == .probe)
        #expect(!wire.isOpen)
    }

    @Test func theWaitsAreSpread() {
        var rests: Set<Int64> = []
        for chance in stride(from: 0.0, to: 1, by: 0.1) {
            var circuit = Circuit()
            for _ in 0..<5 { _ = circuit.note(noConnection, of: .go, now: 0, random: chance) }
            rests.insert((circuit.openUntil ?? 0) / 1_000_000)
        }
        #expect(rests.min() == 24 && (rests.max() ?? 0) < 36 && rests.count > 8)
    }

    // MARK: - A later process

    /// The same wire in another process.
    private func inherited(_ wire: Wire) throws -> Wire {
        let mark = SteadyMark(ClockAt(wire.time))
        let bytes = wire.circuit.bytes(at: mark)
        return Wire(circuit: try #require(Circuit(bytes, mark: mark, now: wire.time)), now: wire.now)
    }

    @Test func aLaterProcessGoesOnCounting() throws {
        var wire = Wire()
        for _ in 0..<4 { wire.call(noConnection) }
        wire = try inherited(wire)
        wire.call(noConnection)
        #expect(wire.isOpen)
    }

    @Test func tenLaterProcessesMayEachTryOnceBeforeTheTime() throws {
        var wire = Wire()
        for _ in 0..<5 { wire.call(noConnection) }
        for at in 1...12 {
            wire = try inherited(wire)
            let admissions = [wire.call(noConnection), wire.call(noConnection)]
            let refused = Circuit.Admission.refused(until: 30_000_000)
            #expect(admissions == (at <= 10 ? [.probe, refused] : [refused, refused]), "\(at)")
        }
        #expect(wire.rest == 30)
    }

    @Test func aTimeThatNoCircuitSetsIsCutToWhatOneCan() throws {
        var wire = Wire(now: 1_000_000_000)
        for _ in 0..<5 { wire.call(noConnection) }
        let bytes = wire.circuit.bytes(at: SteadyMark(ClockAt(0)))
        let later = try #require(Circuit(bytes, mark: SteadyMark(ClockAt(0)), now: 0))
        #expect(later.openUntil == 36_000_000)
        #expect(later.isCorrected)
        #expect(Circuit(Array("nonsense".utf8), mark: SteadyMark(ClockAt(0)), now: 0) == nil)
    }
}

/// A clock that stands still.
private struct ClockAt: HostClock {
    let time: Int64
    init(_ time: Int64) { self.time = time }
    func now() -> Int64 { time }
    func sleep(for duration: Duration) async throws {}
    func random() -> Double { 0 }
}

struct RetryBudgetTests {
    private func taken(_ budget: inout RetryBudget, of tries: Int, at now: Int64) -> Int {
        (0..<tries).count { _ in budget.take(now: now) }
    }

    @Test func isATenthOfTheAnswersAndTenBeside() {
        var budget = RetryBudget()
        #expect(taken(&budget, of: 1000, at: 0) == 10)
        for _ in 0..<101 { budget.earn() }
        #expect(taken(&budget, of: 1000, at: 0) == 10)
        for _ in 0..<100_000 { budget.earn() }
        #expect(taken(&budget, of: 1000, at: 0) == 50)
    }

    @Test func comesBackSlowlyByItself() {
        var budget = RetryBudget()
        _ = taken(&budget, of: 10, at: 0)
        #expect(taken(&budget, of: 10, at: 6_000_000) == 3)
        #expect(taken(&budget, of: 100, at: 86_400_000_000) == 10)
    }
}
