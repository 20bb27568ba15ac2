import TestKit
import Testing

/// Children of changed parents that are themselves read for others: every process dies everywhere, and nothing is lost.
struct LevelsTests {
    @Test(.serialized, arguments: Scenario.levels.map(\.name))
    func losesNothingWhereverAProcessDies(_ name: String) async throws {
        let scenario = try #require(Scenario.levels.first { $0.name == name }?.scenario)
        try await withTaskExecutorPreference(OneThread()) {
            for round in scenario.rounds.indices {
                var deaths = 0
                for effect in 1... {
                    // After the commit and before it are the same as before the next effect and after the last one.
                    let moment = Crash.Moment.allCases[effect % (Thoroughness.isFull ? 3 : 2)]
                    guard try await scenario.dies(Crash(effect: effect, moment: moment), round: round) != nil else {
                        break
                    }
                    deaths += 1
                }
                #expect(deaths >= 12)
            }
        }
    }

    @Test func losesNothingByChance() async {
        await ManySeeds(Thoroughness.seedsOfLargeWorlds).simulate { seed in
            var chance = Chance(seed &+ 0x1E_7E15)
            let scenario = Scenario(levels: &chance)
            try await Simulation(seed: seed).run(scenario, &chance)
        }
    }
}
