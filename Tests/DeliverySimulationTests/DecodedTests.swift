import LosslessJSON
import PlugCore
import PlugRuntime
import PlugStorage
import TestKit
import Testing

/// Answers that are delivered block by block.
struct DecodedTests {
    private static func world(_ scenario: Scenario) throws -> World {
        let world = try scenario.world(seed: 1)
        try scenario.change(world, round: 0)
        return world
    }

    /// What stands before the fault is delivered, and the answer is read again; also where the process dies meanwhile.
    @Test(arguments: Scenario.decoded.map(\.name))
    func anAnswerThatBreaksOffLosesAndDoublesNothing(_ name: String) async throws {
        let scenario = try #require(Scenario.decoded.first { $0.name == name }?.scenario)
        try await Story.tell {
            for number in 1... {
                let rates = FaultRates(atSource: [number: .halfPage])
                let whole = try await Self.world(scenario).live(LifePlan(rates: rates, people: [0]))
                if whole.asked.source < number { break }
                for effect in Thoroughness.some(1...whole.effects, oneOf: 3) {
                    let world = try Self.world(scenario)
                    let crash = Crash(effect: effect, moment: effect.isMultiple(of: 2) ? .before : .after)
                    try await world.live(LifePlan(crash: crash, rates: rates, people: [0]))
                    for round in scenario.rounds.indices.dropFirst() { try scenario.change(world, round: round) }
                    try await world.settle()
                    do { try world.check() } catch { Issue.record("answer \(number) and \(crash): \(error)") }
                }
            }
        }
    }

    /// Six rows in the first answer, of which one is broken, a dead letter with its line.
    @Test func whatStandsBeforeTheFaultIsDeliveredAtOnceAndTheRestWithTheNextRun() async throws {
        try await Story.tell {
            let scenario = Scenario.decoded[0].scenario
            let world = try Self.world(scenario)
            let life = try await world.live(LifePlan(rates: FaultRates(atSource: [1: .halfPage]), people: [0]))
            #expect(life.reports.map { $0.error?.code.text } == ["page-not-decoded"])
            // Three rows stand before the fault.
            #expect(world.servers.pda(0).stored.count == 3)
            let again = try await world.live(LifePlan(people: [0]))
            #expect(again.trace.count { $0.hasPrefix("GET") } == 2)
            #expect(World.summary(again) == "ada partial ")
            #expect(world.servers.pda(0).stored.count == 6)
            let store = try await world.disk.open(world.clock)
            let letters = try await store.deadLetters(DeadLetterFilter())
            #expect(letters.map(\.letter.code) == ["record-broken", "refused"])
            // The header, and three rows of two lines each, stand before it.
            #expect(
                letters.first.map { String(decoding: $0.letter.record, as: UTF8.self) }
                    == #"{"line":8,"text":"1,9007199254740997"}"#
            )
        }
    }
}
