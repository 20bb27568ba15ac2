import PlugCore
import PlugRuntime
import TestKit
import Testing

/// A PDA that fails at one record, and a source that fails for one parent: nothing else waits for them.
struct StumbleTests {
    /// A world of one stream in which the PDA fails at some of six things.
    private static func world(_ stumble: Stumble, at places: [Int], pageSize: Int = 2) throws -> World {
        let changes = (0..<6).map { number in
            Scenario.Change.add(person: 0, stream: 0, places.contains(number) ? .stumbling : .delivered)
        }
        let later = [Scenario.Change.add(person: 0, stream: 0), .change(person: 0, stream: 0, index: 1)]
        let shape = StreamShape(name: "things", pageSize: pageSize)
        let scenario = Scenario(streams: [shape], rounds: [changes, later])
        let world = try scenario.world(seed: 1)
        try scenario.change(world, round: 0)
        world.servers.stumble(stumble)
        return world
    }

    private static func endings(_ life: Life) -> [String] {
        life.reports.map { "\($0.exit.rawValue) \($0.error?.code.text ?? "")" }
    }

    /// All others arrive at once, and the run says that somebody should look; mended, everything arrives.
    @Test(arguments: Stumble.allCases)
    func aRecordAtWhichThePDAFailsWaitsAlone(_ stumble: Stumble) async throws {
        try await Story.tell {
            for pageSize in [2, 3, 6] {
                for place in Thoroughness.some(0..<6, oneOf: 3) {
                    let world = try Self.world(stumble, at: [place], pageSize: pageSize)
                    let life = try await world.live(LifePlan(people: [0]))
                    #expect(Self.endings(life) == ["1 pda-unanswered"], "record \(place), pages of \(pageSize)")
                    #expect(world.servers.pda(0).stored.count == 5)
                    try await world.settleTheOthers(within: 2)
                    world.servers.mend()
                    try await world.settle()
                    do { try world.check() } catch { Issue.record("record \(place), pages of \(pageSize): \(error)") }
                    #expect(world.servers.pda(0).stored.count == 6)
                }
            }
        }
    }

    /// Newer versions wait behind it, with `_id`s and without, and all others pass.
    @Test(arguments: Stumble.allCases, [true, false])
    func newerVersionsWaitBehindSuchARecord(_ stumble: Stumble, _ hasIdentity: Bool) async throws {
        try await Story.tell {
            for crash in [nil, 4, 8] {
                let shape = StreamShape(name: "things", since: .integer, hasIdentity: hasIdentity)
                let first = (0..<4).map { number in
                    Scenario.Change.add(person: 0, stream: 0, number == 1 ? .stumbling : .delivered)
                }
                let next: [Scenario.Change] = [.change(person: 0, stream: 0, index: 1), .add(person: 0, stream: 0)]
                let scenario = Scenario(streams: [shape], rounds: [first, next, next])
                let world = try scenario.world(seed: 1)
                try scenario.change(world, round: 0)
                world.servers.stumble(stumble)
                try await world.settleTheOthers(within: 1)
                try scenario.change(world, round: 1)
                let death = crash.map { Crash(effect: $0, moment: .before) }
                try await world.live(LifePlan(crash: death, people: [0]))
                try await world.settleTheOthers(within: 2)
                #expect(world.servers.pda(0).stored.count == 4)
                // The newest version finds a PDA that would take it.
                world.servers.mend()
                try scenario.change(world, round: 2)
                try await world.live(LifePlan(crash: death, people: [0]))
                try await world.settle()
                do { try world.check() } catch { Issue.record("dying at \(crash ?? 0): \(error)") }
                #expect(world.servers.pda(0).stored.count == 8)
            }
        }
    }

    @Test(arguments: Stumble.allCases)
    func severalSuchRecordsHoldUpNothing(_ stumble: Stumble) async throws {
        try await Story.tell {
            let all = [[0, 1], [4, 5], [0, 1, 2], [0, 2, 4], [1, 3, 5], [1, 2, 3, 4, 5]]
            for places in Thoroughness.some(all, oneOf: 3) {
                let world = try Self.world(stumble, at: places, pageSize: 6)
                try await world.settleTheOthers(within: 6)
                world.servers.mend()
                try await world.settle()
                do { try world.check() } catch { Issue.record("records \(places): \(error)") }
            }
        }
    }

    /// A record that the PDA refuses becomes a dead letter, though the one beside it gets no answer.
    @Test(arguments: Stumble.allCases)
    func aRefusedRecordBesideSuchARecordBecomesADeadLetter(_ stumble: Stumble) async throws {
        try await Story.tell {
            let things = [Scenario.Change.add(person: 0, stream: 0), .add(person: 0, stream: 0, .stumbling)]
            let scenario = Scenario(
                streams: [StreamShape(name: "things", pageSize: 1)],
                rounds: [things + [.add(person: 0, stream: 0, .refusedByPDA)]]
            )
            let world = try scenario.world(seed: 1)
            try scenario.change(world, round: 0)
            world.servers.stumble(stumble)
            try await world.live(LifePlan(people: [0], queues: true))
            try await world.settleTheOthers()
            try world.check()
        }
    }

    @Test(arguments: [false, true])
    func nothingIsLostWhereAProcessDiesBesideSuchARecord(_ queues: Bool) async throws {
        try await Story.tell {
            for stumble in Thoroughness.some([Stumble.failing, .forbiddenInHTML], oneOf: 2) {
                for effect in 1... {
                    let world = try Self.world(stumble, at: [3])
                    let crash = Crash(effect: effect, moment: effect.isMultiple(of: 2) ? .before : .after)
                    let life = try await world.live(LifePlan(crash: crash, people: [0], queues: queues))
                    try await world.settleTheOthers(within: 3)
                    world.servers.mend()
                    try await world.settle()
                    do { try world.check() } catch { Issue.record("\(crash): \(error)") }
                    if !life.hasDied { break }
                }
            }
        }
    }

    /// Whichever stream is sent first, what the other one has arrives.
    @Test(arguments: Stumble.allCases, 0...1)
    func aStreamOfOneSuchRecordHoldsUpNoOther(_ stumble: Stumble, _ stream: Int) async throws {
        try await Story.tell {
            var changes = (0..<4).map { _ in Scenario.Change.add(person: 0, stream: 1 - stream) }
            changes.append(.add(person: 0, stream: stream, .stumbling))
            let shapes = [StreamShape(name: "posts"), StreamShape(name: "things")]
            let world = try Scenario(streams: shapes, rounds: [changes]).world(seed: 1)
            try Scenario(streams: shapes, rounds: [changes]).change(world, round: 0)
            world.servers.stumble(stumble)
            try await world.settleTheOthers(within: 2)
            #expect(world.servers.pda(0).stored.count == 4)
            world.servers.mend()
            try await world.settle()
            try world.check()
        }
    }

    /// Four parents with two children each, on pages of their own; the source fails for one parent.
    private static func family(_ stumble: Stumble, at place: Int, since: StreamShape.Since) throws -> World {
        var below = StreamShape(name: "replies", paging: .number, order: .byID, since: since, pageSize: 1)
        (below.parent, below.keyHasParent) = (0, true)
        var changes = (0..<4).map { _ in Scenario.Change.add(person: 0, stream: 0) }
        for number in 0..<8 { changes.append(.add(person: 0, stream: 1, parent: number % 4)) }
        changes.append(.stumble(person: 0, stream: 0, index: place, stumble))
        let scenario = Scenario(streams: [StreamShape(name: "posts"), below], rounds: [changes])
        let world = try scenario.world(seed: 1)
        try scenario.change(world, round: 0)
        return world
    }

    /// All other parents' children arrive at once, and the run says that somebody should look; mended, all arrive.
    @Test(arguments: Stumble.allCases)
    func aParentForWhichTheSourceFailsHoldsUpNoOther(_ stumble: Stumble) async throws {
        try await Story.tell {
            for place in Thoroughness.some(0..<4, oneOf: 2) {
                let world = try Self.family(stumble, at: place, since: .time)
                let life = try await world.live(LifePlan(people: [0]))
                #expect(Self.endings(life) == ["1 children-failed"], "parent \(place)")
                #expect(world.servers.pda(0).stored.count == 10)
                try await world.settleTheOthers(within: 2)
                world.servers.mend()
                try await world.settle()
                do { try world.check() } catch { Issue.record("parent \(place): \(error)") }
                #expect(world.servers.pda(0).stored.count == 12)
            }
        }
    }

    @Test(arguments: [StreamShape.Since.none, .time])
    func nothingIsLostWhereAProcessDiesBesideSuchAParent(_ since: StreamShape.Since) async throws {
        try await Story.tell {
            // Three is odd: half of the deaths are before an effect.
            for effect in stride(from: 1, to: .max, by: Thoroughness.isFull ? 1 : 3) {
                let world = try Self.family(.forbiddenInHTML, at: 1, since: since)
                let crash = Crash(effect: effect, moment: effect.isMultiple(of: 2) ? .before : .after)
                let life = try await world.live(LifePlan(crash: crash, people: [0]))
                try await world.settleTheOthers(within: 2)
                world.servers.mend()
                try await world.settle()
                do { try world.check() } catch { Issue.record("\(crash): \(error)") }
                if !life.hasDied { break }
            }
        }
    }
}
