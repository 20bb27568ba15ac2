import TestKit
import Testing

/// The source deletes and changes things while its pages are read: what it has then arrives, however its pages are counted.
struct ShiftTests {
    /// Seven things on pages of two, some of which change later.
    private static func scenario(_ shape: StreamShape) -> Scenario {
        let changes = (0..<7).map { _ in Scenario.Change.add(person: 0, stream: 0) }
        let later: [Scenario.Change] = [
            .change(person: 0, stream: 0, index: 0), .change(person: 0, stream: 0, index: 1),
            .change(person: 0, stream: 0, index: 3), .change(person: 0, stream: 0, index: 4),
            .add(person: 0, stream: 0),
        ]
        return Scenario(streams: [shape], rounds: [changes, later])
    }

    /// Seven things below two of six parents.
    private static func family(_ shape: StreamShape) -> Scenario {
        var below = shape
        (below.name, below.parent, below.keyHasParent) = ("replies", 0, true)
        var changes = (0..<6).map { _ in Scenario.Change.add(person: 0, stream: 0) }
        for number in 0..<7 { changes.append(.add(person: 0, stream: 1, parent: number % 2 + 4)) }
        return Scenario(streams: [shape, below], rounds: [changes])
    }

    private static func shapes(_ isMeant: (StreamShape) -> Bool) -> [StreamShape] {
        var shapes: [StreamShape] = []
        for paging in StreamShape.Paging.allCases {
            for order in [StreamShape.Order.newestFirst, .byID] {
                for since in StreamShape.Since.allCases {
                    shapes.append(StreamShape(name: "things", paging: paging, order: order, since: since))
                }
            }
        }
        return Thoroughness.some(shapes.filter(isMeant), oneOf: 3)
    }

    private static func world(_ scenario: Scenario, round: Int) async throws -> World {
        let world = try scenario.world(seed: 1)
        for before in 0..<round {
            try scenario.change(world, round: before)
            try await world.settle(listens: false)
        }
        try scenario.change(world, round: round)
        return world
    }

    /// Deletes before each request of a round's first run.
    private func removeEverywhere(_ scenario: Scenario, round: Int, _ removal: Removal, death: Int?) async throws {
        try await disturbEverywhere(scenario, round: round, death: death) { $0.removals = [($1, removal)] }
    }

    /// Changes the source before each request of a round's first run, which dies at a later effect or lives on.
    private func disturbEverywhere(
        _ scenario: Scenario,
        round: Int,
        death: Int?,
        _ disturb: (inout LifePlan, Int) -> Void
    ) async throws {
        let trace = try await Self.world(scenario, round: round).live(LifePlan(people: [0])).trace
        for at in Thoroughness.some(trace.indices.filter { trace[$0].hasPrefix("GET") }, oneOf: 2) {
            let world = try await Self.world(scenario, round: round)
            var plan = LifePlan(people: [0])
            disturb(&plan, at + 1)
            plan.crash = death.map { Crash(effect: at + 1 + $0, moment: .after) }
            try await world.live(plan)
            try await world.settle(listens: false)
            do { try world.check() } catch {
                Issue.record("\(plan) in round \(round), dead after \(death ?? -1): \(error)")
            }
        }
    }

    /// By number and offset with `since`, where no other pass reads the same things again.
    @Test(arguments: [nil, 2])
    func losesNothingWhereCountedPagesShift(_ death: Int?) async throws {
        try await Story.tell {
            for shape in Self.shapes({ $0.joinsPages && ($0.since == .time || $0.order == .byID) }) {
                for round in 0...1 {
                    let removal = Removal(person: 0, stream: 0, from: 0, count: death == nil ? 3 : 1)
                    try await removeEverywhere(Self.scenario(shape), round: round, removal, death: death)
                }
            }
        }
    }

    @Test func losesNothingWhereOtherPagesShift() async throws {
        try await Story.tell {
            for shape in Self.shapes({ !$0.joinsPages && $0.since != .integer && $0.order == .newestFirst }) {
                let removal = Removal(person: 0, stream: 0, from: 0, count: 2)
                try await removeEverywhere(Self.scenario(shape), round: 0, removal, death: nil)
            }
        }
    }

    /// What is edited between two pages arrives as it is now, whether the manifest says what a version is or not.
    @Test(arguments: [StreamShape.Versions.declared, .undeclared], [nil, 2])
    func losesNoEdit(_ versions: StreamShape.Versions, _ death: Int?) async throws {
        try await Story.tell {
            for var shape in Self.shapes({ _ in true }) {
                // What is edited moves to where it is met once more.
                shape.order = .oldestFirst
                shape.versions = versions
                let edit = Edit(person: 0, stream: 0, from: 0, count: 3)
                try await disturbEverywhere(Self.scenario(shape), round: 0, death: death) { $0.edits = [($1, edit)] }
            }
        }
    }

    /// What shifts from page to page while others are deleted is not missing.
    @Test(arguments: [nil, 2])
    func tellsOfNothingThatIsThereWherePagesShift(_ death: Int?) async throws {
        try await Story.tell {
            for var shape in Self.shapes({ $0.since == .none }) {
                shape.deletes = .missing
                for round in 0...1 {
                    let removal = Removal(person: 0, stream: 0, from: 0, count: 2)
                    try await removeEverywhere(Self.scenario(shape), round: round, removal, death: death)
                }
            }
        }
    }

    /// Nor is what is below parents that shift.
    @Test(arguments: 0...1)
    func tellsOfNoChildThatIsThereWherePagesShift(_ stream: Int) async throws {
        try await Story.tell {
            for shape in Self.shapes({ $0.since == .none && !$0.isKeyed }) {
                var scenario = Self.family(shape)
                scenario.streams[1].deletes = .missing
                scenario.rounds.append([.add(person: 0, stream: 0)])
                let removal = Removal(person: 0, stream: stream, from: 0, count: 2)
                try await removeEverywhere(scenario, round: 1, removal, death: nil)
            }
        }
    }

    /// Parents go with what is below them, or what is below goes alone.
    @Test(arguments: 0...1)
    func losesNoChildWhereParentsOrChildrenAreDeleted(_ stream: Int) async throws {
        try await Story.tell {
            for shape in Self.shapes({ $0.joinsPages && $0.since == .time && $0.order == .byID }) {
                let removal = Removal(person: 0, stream: stream, from: 0, count: 2)
                try await removeEverywhere(Self.family(shape), round: 0, removal, death: nil)
            }
        }
    }
}
