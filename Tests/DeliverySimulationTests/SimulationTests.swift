import TestKit
import Testing

/// Every process dies everywhere, and nothing is lost or doubled.
struct SimulationTests {
    /// Runs a world on a thread of its own.
    private func onOneThread(_ body: @Sendable () async throws -> Void) async throws {
        try await withTaskExecutorPreference(OneThread()) { try await body() }
    }

    @Test(.serialized, arguments: Scenario.small.map(\.name))
    func losesAndDoublesNothingWhereverAProcessDies(_ name: String) async throws {
        let scenario = try #require(Scenario.small.first { $0.name == name }?.scenario)
        try await onOneThread {
            for round in scenario.rounds.indices {
                var deaths = 0
                deaths: for effect in 1... {
                    let moments = Crash.Moment.allCases
                    for moment in Thoroughness.isFull ? moments : [moments[(effect + round) % moments.count]] {
                        let crash = Crash(effect: effect, moment: moment)
                        guard let last = try await scenario.dies(crash, round: round) else { break deaths }
                        deaths += 1
                        // What is no request to a PDA cannot land later: it would be the same as before it.
                        if moment == .after, !last.hasPrefix("POST") { break }
                    }
                }
                #expect(deaths >= (Thoroughness.isFull ? 17 : 8))
            }
        }
    }

    @Test func losesAndDoublesNothingWhereTheNextProcessDiesToo() async throws {
        try await onOneThread {
            for first in [Crash.Moment.before, .after, .later] {
                for second in [Crash.Moment.before, .after] {
                    for effect in 1... {
                        var isOver = false
                        for next in 1... {
                            // One of the two moments of the second death.
                            let isOdd = !(effect + next).isMultiple(of: 2)
                            if !Thoroughness.isFull, isOdd != (second == .before) { continue }
                            let world = try Scenario.smallest.world(seed: UInt64(effect * 100 + next))
                            try Scenario.smallest.change(world, round: 0)
                            let crashes = [Crash(effect: effect, moment: first), Crash(effect: next, moment: second)]
                            let one = try await world.live(LifePlan(crash: crashes[0], people: [0]))
                            isOver = !one.hasDied
                            let two = try await world.live(LifePlan(crash: crashes[1], people: [0], landing: 4))
                            if isOver || !two.hasDied { break }
                            try await world.settle()
                            do { try world.check() } catch { Issue.record("\(crashes): \(error)") }
                        }
                        if isOver { break }
                    }
                }
            }
        }
    }

    @Test func losesAndDoublesNothingWhateverGoesWrong() async throws {
        let plans: [@Sendable (Int) -> FaultRates] =
            PDAFault.allCases.map { fault in { @Sendable in FaultRates(atPDA: [$0: fault]) } }
            + SourceFault.allCases.map { fault in { @Sendable in FaultRates(atSource: [$0: fault]) } }
            + [{ @Sendable in FaultRates(outage: $0..<100) }, { @Sendable in FaultRates(failingWrite: $0) }]
        let scenario = Scenario.small[1].scenario
        try await onOneThread {
            for plan in plans {
                for number in stride(from: 1, to: .max, by: Thoroughness.isFull ? 1 : 2) {
                    let rates = plan(number)
                    let world = try scenario.world(seed: UInt64(number))
                    try scenario.change(world, round: 0)
                    let life = try await world.live(LifePlan(rates: rates, people: [0]))
                    let asked =
                        rates.failingWrite != nil
                        ? life.asked.writes : rates.atSource.isEmpty ? life.asked.pda : life.asked.source
                    if asked < number { break }
                    try await world.settle()
                    do { try world.check() } catch { Issue.record("\(rates): \(error)") }
                }
            }
        }
    }

    @Test func losesAndDoublesNothingByChance() async {
        await ManySeeds(ProcessSettings.seeds).simulate {
            try await Simulation(seed: $0).run()
        }
    }

    /// Two elements for two records are no proof where one of them was skipped.
    @Test func aRepeatedEchoProvesNobodyElse() async throws {
        try await onOneThread {
            for isFirst in [true, false] {
                let things: [Scenario.Change] = [
                    .add(person: 0, stream: 0, isFirst ? .refusedByPDA : .delivered),
                    .add(person: 0, stream: 0, isFirst ? .delivered : .refusedByPDA),
                    .add(person: 0, stream: 0), .add(person: 0, stream: 0),
                ]
                let scenario = Scenario(streams: [StreamShape(name: "things", hasIdentity: false)], rounds: [things])
                let world = try scenario.world(seed: 1)
                try scenario.change(world, round: 0)
                try await world.live(LifePlan(rates: FaultRates(atPDA: [2: .echoedTwice]), people: [0]))
                try world.check()
                try await world.settle()
                try world.check()
            }
        }
    }

    @Test func theSameSeedIsTheSameStory() async throws {
        var effects = 0
        // In the first world two people log in at the same time.
        for seed in [1330] + (1...UInt64(Thoroughness.isFull ? 60 : 10)) {
            var stories: [[String]] = []
            for _ in 0..<2 {
                stories.append(
                    try await withTaskExecutorPreference(OneThread()) { try await Simulation(seed: seed).run() }
                )
            }
            #expect(stories[0] == stories[1], "seed \(seed)")
            effects += stories[0].count
        }
        #expect(effects > 1000)
    }
}

extension Scenario {
    /// A world in which a process dies in a round, and what comes after it.
    ///
    /// - Returns: The effect at which it died, `nil` where it did not come so far.
    func dies(_ crash: Crash, round: Int) async throws -> String? {
        let world = try world(seed: UInt64(crash.effect))
        for before in 0..<round {
            try change(world, round: before)
            try await world.settle()
        }
        try change(world, round: round)
        let life = try await world.live(LifePlan(crash: crash, people: Array(world.people.indices)))
        guard life.hasDied else { return nil }
        // The round after the death comes before the recovery, where there is one.
        for next in rounds.indices.dropFirst(round + 1) { try change(world, round: next) }
        try await world.settle()
        do { try world.check() } catch { Issue.record("\(crash) of round \(round): \(error)") }
        return life.trace[crash.effect - 1]
    }
}
