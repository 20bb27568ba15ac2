import PlugCore
import TestKit
import Testing

/// The host's clock was wrong once. It is right again, and nothing waits for the time that it showed.
struct ClockTests {
    private static let day: Int64 = 86_400
    private static let errors = [-365 * day, -day, day, 365 * day]

    private static func scenario(_ order: StreamShape.Order, _ paging: StreamShape.Paging) -> Scenario {
        Scenario(
            streams: [StreamShape(name: "things", paging: paging, order: order, since: .time)],
            rounds: [
                (0..<5).map { _ in .add(person: 0, stream: 0) },
                [
                    .change(person: 0, stream: 0, index: 1), .change(person: 0, stream: 0, index: 3),
                    .add(person: 0, stream: 0),
                ],
            ]
        )
    }

    /// What somebody asked the host to wait while its clock was wrong is over when it is over.
    @Test(arguments: errors)
    func nothingWaitsLongerThanItWasAskedTo(_ error: Int64) async throws {
        try await Story.tell {
            let faults: [(rates: FaultRates, longest: Int64)] = [
                (FaultRates(atSource: [2: .limitedForSeconds]), 90),
                (FaultRates(atSource: [2: .limitedTooLong]), World.longestWait),
                (FaultRates(atPDA: [1: .busy]), 90),
                (FaultRates(atPDA: [1: .limitedForSeconds]), 90),
                (FaultRates(outage: 1..<100), 15 * 60),
            ]
            for fault in faults {
                for effect in Thoroughness.some([1, 5, 9], oneOf: 2) {
                    let scenario = Self.scenario(.newestFirst, .next)
                    let world = try scenario.world(seed: 1)
                    try scenario.change(world, round: 0)
                    try await world.live(LifePlan(rates: fault.rates, people: [0], clockJump: (effect, error)))
                    world.clock.pass(fault.longest)
                    let life = try await world.live(LifePlan(people: [0]))
                    #expect(World.summary(life) == "ada done ", "\(fault.rates) at effect \(effect)")
                    try scenario.change(world, round: 1)
                    try await world.settle()
                    do { try world.check() } catch { Issue.record("\(fault.rates) at effect \(effect): \(error)") }
                }
            }
        }
    }

    /// A whole life of a wrong clock, or the rest of one; then the source goes on.
    @Test(arguments: errors)
    func nothingIsLostAfterALifeWithAWrongClock(_ error: Int64) async throws {
        try await Story.tell {
            for order in [StreamShape.Order.newestFirst, .oldestFirst] {
                for paging in [StreamShape.Paging.next, .number] where paging == .next || order == .newestFirst {
                    let scenario = Self.scenario(order, paging)
                    for effect in Thoroughness.some([1, 2, 4, 6, 8, 10, 12], oneOf: 3) {
                        for crash in [nil, Crash(effect: effect + 3, moment: .after)] {
                            let world = try scenario.world(seed: UInt64(effect))
                            try scenario.change(world, round: 0)
                            try await world.live(LifePlan(crash: crash, people: [0], clockJump: (effect, error)))
                            try scenario.change(world, round: 1)
                            try await world.settle()
                            do { try world.check() } catch { Issue.record("wrong from effect \(effect) on: \(error)") }
                        }
                    }
                }
            }
        }
    }

    /// The source has a thing of tomorrow, and the host's clock was ahead of that: a cursor in the future would hide all that
    /// comes until then.
    @Test(arguments: [day, 2 * day])
    func aCursorInTheFutureIsNotKept(_ error: Int64) async throws {
        try await Story.tell {
            for effect in Thoroughness.some(1...12, oneOf: 2) {
                let scenario = Self.scenario(.newestFirst, .next)
                let world = try scenario.world(seed: UInt64(effect))
                try scenario.change(world, round: 0)
                try world.change { source, now in source.accounts[0].add(to: 0, at: now + Self.day / 2) }
                try await world.live(LifePlan(people: [0], clockJump: (effect, error)))
                try scenario.change(world, round: 1)
                try await world.settle()
                do { try world.check() } catch { Issue.record("wrong from effect \(effect) on: \(error)") }
            }
        }
    }
}
