extension Scenario {
    /// A world by chance.
    init(_ chance: inout Chance) {
        people = Array(["ada", "bob", "cid"].prefix(chance.happens(600) ? 1 : chance.number(1...3)))
        let count = chance.happens(500) ? 1 : chance.number(1...3)
        var streams: [StreamShape] = []
        for at in 0..<count { streams.append(Self.shape(at, streams, &chance)) }
        for at in streams.indices {
            guard let parent = streams[at].parent, streams[at].shares == 0, !streams[parent].isChild,
                chance.happens(400)
            else { continue }
            streams[at].onlyChanged = true
            if streams[parent].since == .none { streams[parent].since = .time }
            // Both are read in part.
            if streams[parent].deletes == .missing { streams[parent].deletes = .flagged }
            if streams[at].deletes == .missing { streams[at].deletes = .flagged }
            // It changes with each of its children, and says so.
            streams[parent].versions = .declared
        }
        for at in streams.indices where streams[at].parent != nil && streams[at].shares == 0 && chance.happens(300) {
            Self.moveInside(at, &streams)
        }
        for at in streams.indices where streams.contains(where: { $0.parent == at }) && chance.happens(250) {
            streams[at].isDelivered = false
            (streams[at].isMapped, streams[at].hasIdentity, streams[at].deletes) = (false, true, .unknown)
        }
        if let list = Self.tombstones(of: streams, &chance) { streams.append(list) }
        self.streams = streams
        blockRecords = chance.number(2...3)
        readsPieces = chance.happens(400)
        if chance.happens(300) {
            access.kind = chance.happens(700) ? .consent : .login
            access.lifetime = Int64(chance.one(of: 120, 600, 3600))
            access.forgives = chance.happens(300)
        }
        rounds = []
        var sizes = people.map { _ in streams.map { _ in 0 } }
        let isCompared = streams.contains { $0.deletes == .missing || $0.tombstonesOf != nil }
        for round in 0..<(chance.happens(400) ? 1 : isCompared ? 3 : 2) {
            rounds.append(Self.changes(streams, isFirst: round == 0, &sizes, &chance))
        }
        if chance.happens(600) { commitBytes = chance.one(of: 100, 200, 8 << 10) }
    }

    static func shape(_ at: Int, _ others: [StreamShape], _ chance: inout Chance) -> StreamShape {
        var shape = StreamShape(name: ["things", "posts", "notes"][at])
        shape.paging = StreamShape.Paging.allCases.randomElement(using: &chance) ?? .next
        shape.order = StreamShape.Order.allCases.randomElement(using: &chance) ?? .oldestFirst
        shape.pageSize = chance.number(1...4)
        if chance.happens(350) { shape.format = StreamShape.Format.allCases.randomElement(using: &chance) ?? .json }
        if shape.format != .json {
            // Several blocks, as a rule.
            shape.pageSize = chance.number(2...9)
            shape.pagesByLast = shape.paging == .cursor && chance.happens(400)
        }
        if at > 0, chance.happens(500), let parent = others.lastIndex(where: { $0.parent == nil }) {
            shape.parent = parent
            shape.keyHasParent = chance.happens(500)
        }
        if chance.happens(150) { shape.shares = chance.number(1...3) }
        shape.since = StreamShape.Since.allCases.randomElement(using: &chance) ?? .none
        // A place by count means the same thing only where what changes does not move away behind it.
        if !shape.isKeyed, shape.order == .oldestFirst { shape.order = .byID }
        shape.isAscending = shape.order == .oldestFirst && shape.since != .none && chance.happens(600)
        shape.versions = StreamShape.Versions.allCases.randomElement(using: &chance) ?? .declared
        shape.hasIdentity = shape.versions == .undeclared || !chance.happens(100)
        shape.isMapped = chance.happens(400)
        if shape.since == .time, chance.happens(300) {
            shape.windows = StreamShape.Windows.allCases.randomElement(using: &chance) ?? .closed
        }
        if [.cursor, .number, .offset].contains(shape.paging), chance.happens(250) {
            (shape.pageSize, shape.heavyLimit) = (chance.number(2...8), chance.number(1...2))
        }
        if chance.happens(350) { limitSearch(of: &shape, &chance) }
        shape.stopsAtKnown =
            shape.order == .newestFirst && shape.since != .none && shape.windows == .none && chance.happens(400)
        if shape.hasIdentity {
            if shape.since == .none, chance.happens(500) {
                shape.deletes = .missing
            } else if chance.happens(300) {
                shape.deletes = .flagged
            }
        }
        return shape
    }

    /// Has a stream's things stand in the records of their parents.
    private static func moveInside(_ at: Int, _ streams: inout [StreamShape]) {
        guard let parent = streams[at].parent else { return }
        let old = streams[at]
        var shape = StreamShape(name: old.name, parent: parent, isInside: true, keyHasParent: old.keyHasParent)
        (shape.versions, shape.isMapped, shape.hasIdentity) = (old.versions, old.isMapped, old.hasIdentity)
        (shape.onlyChanged, shape.deletes) = (old.onlyChanged, old.deletes)
        streams[at] = shape
        // They change with what stands in them, and say so. Rows and elements of texts hold no lists of records.
        streams[parent].versions = .declared
        if streams[parent].format.isOfTexts { streams[parent].format = .jsonLines }
    }

    /// A list of what another stream has no more.
    private static func tombstones(of streams: [StreamShape], _ chance: inout Chance) -> StreamShape? {
        let meant = streams.firstIndex {
            !$0.isChild && $0.isDelivered && $0.deletes == .unknown && $0.hasIdentity
        }
        guard let meant, chance.happens(400) else { return nil }
        var list = StreamShape(name: "stones", tombstonesOf: meant)
        list.paging = StreamShape.Paging.allCases.randomElement(using: &chance) ?? .next
        list.order = StreamShape.Order.allCases.randomElement(using: &chance) ?? .oldestFirst
        if !list.isKeyed, list.order == .oldestFirst { list.order = .byID }
        // What is added meanwhile stays unread behind a bound of numbers: known, and left out.
        list.since = chance.happens(500) ? .time : .none
        list.pageSize = chance.number(1...4)
        if chance.happens(300) { list.format = StreamShape.Format.allCases.randomElement(using: &chance) ?? .json }
        list.versions = streams[meant].versions
        return list
    }

    /// A search gives only so many things: more than there are of one second, those of the seconds beside it included.
    private static func limitSearch(of shape: inout StreamShape, _ chance: inout Chance) {
        guard shape.since == .time || (shape.since == .integer && shape.isAscending) else { return }
        let isNewestFirst = shape.order == .newestFirst
        guard isNewestFirst || shape.isAscending || shape.windows != .none else { return }
        shape.searchLimit = chance.number(7...9)
        if shape.heavyLimit == nil {
            shape.pageSize = chance.number(1...2)
        } else {
            shape.pageSize = min(4, shape.pageSize)
        }
    }

    /// Whether a stream may have rows or lines that nobody can read. They have no place to go on behind, they cannot be read for
    /// anything, and nobody knows whether they were there before.
    private static func mayBreak(_ at: Int, _ streams: [StreamShape]) -> Bool {
        let shape = streams[at]
        return [.jsonLines, .delimited].contains(shape.format) && !shape.pagesByLast && shape.deletes != .missing
            && !streams.contains { $0.parent == at }
    }

    static func changes(
        _ streams: [StreamShape],
        isFirst: Bool,
        _ sizes: inout [[Int]],
        _ chance: inout Chance
    ) -> [Change] {
        var changes: [Change] = []
        for person in sizes.indices {
            for (at, shape) in streams.enumerated() {
                if shape.tombstonesOf != nil { continue }
                let parents = shape.parent.map { sizes[person][$0] } ?? 0
                if shape.parent != nil, parents == 0 { continue }
                var (poison, unmappable, broken) = (chance.number(0...9) < 3 ? 1 : 0, 0, 0)
                let stumbles = chance.happens(150)
                if !isFirst { poison = 0 }
                if isFirst, shape.isKeyed, shape.since == .none, shape.pageSize > 1, shape.heavyLimit == nil,
                    shape.searchLimit == nil, !shape.isChild
                {
                    // Of both, one page might have too many.
                    if shape.isMapped { unmappable = chance.number(0...1) }
                    if unmappable == 0, Self.mayBreak(at, streams) { broken = chance.number(0...1) }
                }
                for _ in 0..<chance.number(isFirst ? 0...9 : 0...4) {
                    let parent = shape.parent == nil ? nil : chance.number(0...(parents - 1))
                    if shape.deletes == .flagged, sizes[person][at] > 0, chance.happens(isFirst ? 150 : 300) {
                        let index = chance.number(0...(sizes[person][at] - 1))
                        changes.append(.delete(person: person, stream: at, index: index))
                        continue
                    }
                    if !isFirst, shape.versions != .none, sizes[person][at] > 0, chance.happens(500) {
                        let index = chance.number(0...(sizes[person][at] - 1))
                        changes.append(.change(person: person, stream: at, index: index))
                        continue
                    }
                    var destiny = Destiny.delivered
                    if poison > 0, chance.happens(300) {
                        (destiny, poison) = (.refusedByPDA, 0)
                    } else if stumbles, chance.happens(300) {
                        destiny = .stumbling
                    } else if unmappable > 0, sizes[person][at] > 0, chance.happens(300) {
                        (destiny, unmappable) = (.unmappable, 0)
                    } else if broken > 0, sizes[person][at] > 0, chance.happens(300) {
                        (destiny, broken) = (.broken, 0)
                    } else if shape.isMapped, chance.happens(100) {
                        destiny = .dropped
                    }
                    changes.append(.add(person: person, stream: at, parent: parent, destiny))
                    sizes[person][at] += 1
                }
            }
        }
        if isFirst, let child = streams.firstIndex(where: { $0.parent != nil }), let parent = streams[child].parent,
            chance.happens(300)
        {
            let stumble = Stumble.allCases.randomElement(using: &chance) ?? .failing
            let person = chance.number(0...(sizes.count - 1))
            changes.append(.stumble(person: person, stream: parent, index: chance.number(0...9), stumble))
        }
        let isCompared = streams.contains { $0.deletes == .missing || $0.tombstonesOf != nil }
        if !isFirst, isCompared, chance.happens(500) {
            changes.append(.restore(person: chance.number(0...(sizes.count - 1))))
        }
        if !isFirst, chance.happens(isCompared ? 700 : 300) {
            for _ in 0..<chance.number(1...2) {
                let place = chance.number(0...changes.count)
                changes.insert(.remove(Removal(streams, people: sizes.count, &chance)), at: place)
            }
        }
        if !isFirst, chance.happens(300) { changes.append(.forget(status: chance.one(of: 410, 404, 400))) }
        return changes
    }
}

extension Removal {
    /// Things by chance, more often those in front.
    init(_ streams: [StreamShape], people: Int, _ chance: inout Chance) {
        person = chance.number(0...(people - 1))
        stream = chance.number(0...(streams.count - 1))
        from = chance.happens(500) ? 0 : chance.number(0...9)
        count = chance.number(1...3)
    }
}

/// One seed from its first process to the audit of its last.
struct Simulation {
    let seed: UInt64

    /// Throws what the auditor finds.
    ///
    /// - Returns: What was tried in all lives, in order.
    @discardableResult
    func run(disk: (WorldClock) -> any Disk = { MemoryDisk($0) }) async throws -> [String] {
        var chance = Chance(seed)
        let scenario = Scenario(&chance)
        return try await run(scenario, &chance, disk: disk)
    }

    /// The same in a world that is given.
    @discardableResult
    func run(
        _ scenario: Scenario,
        _ chance: inout Chance,
        disk: (WorldClock) -> any Disk = { MemoryDisk($0) }
    ) async throws -> [String] {
        let world = try scenario.world(seed: seed, disk: disk)
        let stumble = scenario.hasStumblingRecords ? Stumble.allCases.randomElement(using: &chance) : nil
        var crashes = chance.number(0...4)
        for round in scenario.rounds.indices {
            try scenario.change(world, round: round)
            if let stumble { world.servers.stumble(stumble) }
            for _ in 0..<chance.number(1...3) {
                let plan = Self.plan(world, &crashes, &chance)
                try await world.live(plan)
                try world.check()
                // The source goes on while nobody runs.
                if chance.happens(200), round + 1 < scenario.rounds.count { break }
            }
            if round + 1 == scenario.rounds.count || (!scenario.hasStumbles && chance.happens(300)) {
                if scenario.hasStumbles {
                    try await world.settleTheOthers()
                    try world.check()
                    world.servers.mend()
                }
                try await world.settle(listens: chance.happens(250))
                try world.check()
            }
        }
        return world.story
    }

    static func plan(_ world: World, _ crashes: inout Int, _ chance: inout Chance) -> LifePlan {
        var plan = LifePlan(people: world.people.indices.filter { _ in chance.happens(800) })
        if plan.people.isEmpty { plan.people = [0] }
        plan.isParallel = plan.people.count > 1 && chance.happens(500)
        plan.resends = chance.happens(50)
        plan.queues = chance.happens(100)
        if chance.happens(200) { plan.outboxBytes = chance.number(100...1500) }
        plan.landing = chance.number(1...12)
        if chance.happens(700) {
            plan.rates.source = chance.one(of: 0, 30, 100, 300)
            plan.rates.pda = chance.one(of: 0, 30, 100, 300)
            plan.rates.store = chance.one(of: 0, 0, 20, 100)
            plan.rates.latency = chance.one(of: 0, 20)
            if chance.happens(250) {
                let start = chance.number(1...8)
                plan.rates.outage = start..<(start + chance.one(of: 5, 6, 8, 15, 1000))
            }
        }
        if crashes > 0, chance.happens(700) {
            crashes -= 1
            let moment = Crash.Moment.allCases.randomElement(using: &chance) ?? .before
            plan.crash = Crash(effect: chance.number(1...(chance.happens(700) ? 16 : 50)), moment: moment)
        }
        if chance.happens(300) {
            let (streams, people) = (world.servers.source.streams, world.people.count)
            for _ in 0..<chance.number(1...2) {
                plan.removals.append((chance.number(1...20), Removal(streams, people: people, &chance)))
            }
        }
        if chance.happens(300) {
            for _ in 0..<chance.number(1...3) {
                let person = chance.number(0...world.people.count - 1)
                let stream = chance.number(0...world.servers.source.streams.count - 1)
                let edit = Edit(
                    person: person,
                    stream: stream,
                    from: chance.number(0...10),
                    count: chance.number(1...2)
                )
                plan.edits.append((chance.number(1...20), edit))
            }
        }
        if world.scenario.access.kind != .key, chance.happens(300) { plan.tokenDeath = chance.number(1...20) }
        if chance.happens(150) {
            plan.clockJump = (chance.number(1...12), chance.one(of: -86_400, 86_400, -31_536_000, 31_536_000))
            // Ahead of the source's, the host's clock gives a bound that holds nothing back, and what changes behind the
            // reader of a list in another order stays unread: known, and left out.
            let isBehindBound = world.servers.source.streams.contains {
                ($0.order == .byID || $0.tombstonesOf != nil) && $0.since != .none
            }
            if isBehindBound { plan.clockJump?.seconds = -86_400 }
            // Behind it, a bound by the host's clock hides what is below a parent that does not change again: known, and left
            // out.
            if world.servers.source.streams.contains(where: { $0.onlyChanged && $0.hasUpperBound }) {
                plan.clockJump = nil
            }
            // A year has more windows than a simulation has time.
            if world.servers.source.streams.contains(where: { $0.windows != .none }) {
                let jump: Int64 = isBehindBound ? -86_400 : chance.one(of: -86_400, 86_400)
                // And a day has more than it has for the windows of many parents.
                let isOfParents = world.servers.source.streams.contains { $0.windows != .none && $0.parent != nil }
                plan.clockJump?.seconds = isOfParents ? jump / 12 : jump
            }
        }
        return plan
    }
}
