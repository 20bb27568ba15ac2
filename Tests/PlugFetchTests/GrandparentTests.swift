import LosslessJSON
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PlugFetch

/// Children of changed parents that are themselves read for others.
struct GrandparentTests {
    private static func read(
        _ source: Grandparents,
        _ states: MemoryStates,
        pages: Int = .max,
        yaml: String = Grandparents.yaml()
    ) async throws -> Reading {
        try await Bench(yaml).read(from: source.script, states, pages: pages)
    }

    /// The paths that a run asks for, each once.
    private static func paths(
        _ source: Grandparents,
        _ states: MemoryStates,
        yaml: String = Grandparents.yaml()
    ) async throws -> Set<String> {
        let script = source.script
        #expect(try await Bench(yaml).read(from: script, states).isComplete)
        return Set(script.sent.map(\.path))
    }

    private static let small: [Int: [Int]] = [1: [11, 12], 2: [21], 3: [], 4: [41, 42, 43]]
    private static let all = [111, 112, 121, 122, 211, 212, 411, 412, 421, 422, 431, 432]

    @Test func readsWhatIsBelowChangedThingsAlone() async throws {
        let (source, states) = (Grandparents(Self.small), MemoryStates())
        #expect(try await Self.read(source, states).ids == Self.all)
        // A row for each room that has threads.
        #expect(states.parts.count == 3)
        // What stands at the watermarks is asked for again.
        #expect(try await Self.paths(source, states) == ["/rooms", "/rooms/4/threads", "/threads/43/notes"])
        source.change { $0.touch(2, 121) }
        #expect(
            try await Self.paths(source, states) == [
                "/rooms", "/rooms/4/threads", "/threads/43/notes", "/rooms/1/threads", "/threads/12/notes",
            ]
        )
        source.change { $0.add(1, 31, in: 3) }
        source.change { $0.add(2, 311, in: 31) }
        let last = try await Self.read(source, states)
        #expect(last.isComplete && last.ids == [122, 121, 311])
        #expect(states.parts.count == 4)
    }

    @Test func whereTheGrandparentsHaveNoTimeAllOfThemAreLookedAt() async throws {
        let yaml = Grandparents.yaml(rooms: "", threads: "{in: rooms, as: room}")
        let (source, states) = (Grandparents(Self.small), MemoryStates())
        #expect(try await Self.read(source, states, yaml: yaml).ids == Self.all)
        #expect(states.text() == #"{"v":1}"# && states.parts.count == 3)
        source.change { $0.touch(2, 121) }
        #expect(
            try await Self.paths(source, states, yaml: yaml) == [
                "/rooms", "/rooms/1/threads", "/rooms/2/threads", "/rooms/3/threads", "/rooms/4/threads",
                "/threads/12/notes", "/threads/21/notes", "/threads/43/notes",
            ]
        )
    }

    @Test func theElementsOfAListHaveRowsOfTheirOwnToo() async throws {
        let yaml = Grandparents.yaml(threads: "{list: [1, 4, 9], as: room}")
        let (source, states) = (Grandparents(Self.small), MemoryStates())
        source.change { $0.add(0, 9) }
        let first = try await Self.read(source, states, yaml: yaml)
        #expect(first.ids == [111, 112, 121, 122, 411, 412, 421, 422, 431, 432])
        source.change { $0.touch(2, 122) }
        #expect(
            try await Self.paths(source, states, yaml: yaml) == [
                "/rooms/1/threads", "/rooms/4/threads", "/rooms/9/threads", "/threads/12/notes", "/threads/43/notes",
            ]
        )
    }

    @Test("a room's row waits for its own notes, and for nobody else's", arguments: [500, 404])
    func failing(status: Int) async throws {
        let (source, states) = (Grandparents(Self.small), MemoryStates())
        source.change { $0.failing = [12: status] }
        let first = try await Self.read(source, states)
        #expect(Set(first.ids) == Set(Self.all).subtracting([121, 122]))
        // What is gone is gone.
        #expect(first.error?.code.text == (status == 500 ? "children-failed" : nil))
        #expect(states.parts.count == (status == 500 ? 2 : 3))
        source.change { $0.failing = [:] }
        let second = try await Self.read(source, states)
        #expect(second.isComplete)
        #expect(second.ids == (status == 500 ? [111, 112, 121, 122, 211, 212, 431, 432] : [431, 432]))
    }

    @Test("a room that cannot be read is read in the next pass, from where it was")
    func failingRoom() async throws {
        let (source, states) = (Grandparents(Self.small), MemoryStates())
        source.change { $0.failing = [1: 500] }
        let first = try await Self.read(source, states)
        #expect(first.ids == [211, 212, 411, 412, 421, 422, 431, 432] && first.error?.code == .childrenFailed)
        #expect(states.text() == #"{"v":1}"# && states.parts.count == 2)
        source.change { $0.failing = [:] }
        let second = try await Self.read(source, states)
        #expect(second.isComplete && second.ids == [111, 112, 121, 122, 211, 212, 431, 432])
    }

    @Test("records that do not fit leave their room's row where it was")
    func misfits() async throws {
        let (source, states) = (Grandparents(Self.small), MemoryStates())
        let reading = try await Self.read(source, states)
        let proved = reading.pages.flatMap(\.provedParts)
        #expect(Set(proved) == Set(states.parts) && proved.count == 3)
        #expect(reading.pages.allSatisfy { page in page.provedParts.allSatisfy { page.states[$0] != nil } })
        // The last page of the second thread, whose records do not fit.
        let again = MemoryStates()
        again.commit(["": try #require(reading.pages[3].stateLeavingOut)])
        let rest = try await Self.read(source, again)
        #expect(rest.error?.code == .childrenFailed)
        #expect(rest.ids == [211, 212, 411, 412, 421, 422, 431, 432])
        let last = try await Self.read(source, again)
        #expect(last.isComplete && Set(last.ids).isSuperset(of: [111, 112, 121, 122]))
    }

    @Test func anotherSelectionReadsAllAgain() async throws {
        let some = Grandparents.yaml(threads: "{in: rooms, as: room, only: changed, skip_if: '.id == 4'}")
        let less = Grandparents.yaml(only: "only: changed, skip_if: '.id == 12'")
        let (source, states) = (Grandparents(Self.small), MemoryStates())
        #expect(try await Self.read(source, states, yaml: some).ids == [111, 112, 121, 122, 211, 212])
        #expect(try await Self.read(source, states).ids == Self.all)
        #expect(try await Self.read(source, states, yaml: less).ids == Self.all.filter { ![121, 122].contains($0) })
    }

    @Test func aBoundThatAPersonGivesIsForAllThatIsReadFromAWatermark() async throws {
        let (source, states) = (Grandparents(Self.small), MemoryStates())
        _ = try await Self.read(source, states)
        var bench = try Bench(Grandparents.yaml())
        let at = try #require(source.content.withLock { $0.levels[1].first { $0.id == 21 }?.at })
        bench.options.since = String(at)
        #expect(try await bench.read(from: source.script, states).ids == [211, 212, 411, 412, 421, 422, 431, 432])
        #expect(try await Self.read(source, states).ids == [431, 432])
    }

    @Test func whatStandsInsideChangedThingsIsReadForThemToo() async throws {
        let yaml = """
            http: {base: "https://api.test"}
            streams:
              changes:
                request: {path: /changes}
                records: '[.]'
                since: {field: .token, type: opaque, send: {query: {after: value}}}
              events: {for_each: {in: changes, inside: .items, only: changed}, key: .id}
              things:
                endpoint: d
                key: .id
                version: none
                for_each: {in: events, inside: .people, only: changed}

            """
        let script = Script { request, _ in
            request.parameter("after") == nil
                ? .json(#"{"token":"a","items":[{"id":1,"people":[{"id":11},{"id":12}]},{"id":2,"people":[]}]}"#)
                : .json(#"{"token":"b","items":[{"id":3,"people":[{"id":31}]}]}"#)
        }
        let states = MemoryStates()
        #expect(try await Bench(yaml).read(from: script, states).ids == [11, 12])
        #expect(try await Bench(yaml).read(from: script, states).ids == [31])
        #expect(script.sent.map { $0.parameter("after") } == [nil, "a"])
        #expect(states.parts == [])
    }

    @Test("threads of one name in two rooms are two")
    func sameNames() async throws {
        let yaml = Grandparents.yaml().replacing("key: .id}\nstreams", with: "key: '.id % 10'}\nstreams")
        let source = Grandparents([1: [11, 12], 2: [21, 22], 3: [31, 32]])
        let whole = try await Self.read(source, MemoryStates(), yaml: yaml)
        for cut in 1..<whole.pages.count {
            let states = MemoryStates()
            let first = try await Self.read(source, states, pages: cut, yaml: yaml)
            // The room in the middle of which it stops is another one by then.
            source.change { $0.touch(0, 1) }
            let second = try await Self.read(source, states, yaml: yaml)
            #expect(second.isComplete)
            #expect(Set(first.ids + second.ids) == Set(whole.ids), "after \(cut) pages")
        }
    }

    @Test("nothing is missed, whatever changes and wherever runs end", arguments: 1...60 as ClosedRange<UInt64>)
    func chance(seed: UInt64) async throws {
        var chance = SplitMix(state: seed)
        let yaml = [
            Grandparents.yaml(), Grandparents.yaml(rooms: "", threads: "{in: rooms, as: room}"),
            Grandparents.yaml(notes: "since: {field: .at, type: integer, send: {query: {after: value}}}"),
            Grandparents.yaml(threads: "{any_of: [{in: rooms}, {list: [1]}], as: room}"),
        ][Int(seed % 4)]
        let (source, states) = (Grandparents([1: [11, 12], 2: [21], 3: []]), MemoryStates())
        var seen: Set<Grandparents.Thing> = []
        func note(_ reading: Reading) {
            for record in reading.pages.flatMap(\.records) {
                let (id, at) = (record["id"]?.number?.int64 ?? 0, record["at"]?.number?.int64 ?? 0)
                seen.insert(Grandparents.Thing(id: Int(id), parent: 0, at: Int(at)))
            }
        }
        for round in 0..<12 {
            for _ in 0..<Int.random(in: 0...3, using: &chance) {
                let level = Int.random(in: 0...2, using: &chance)
                let number = 1000 * (round + 1) + Int(chance.next() % 900)
                source.change { content in
                    let above = level == 0 ? nil : content.levels[level - 1].randomElement(using: &chance)
                    let old = content.levels[level].randomElement(using: &chance)
                    switch (chance.next() % 10, old) {
                    case (0, let old?): content.remove(level, old.id)
                    case (1...5, let old?): content.touch(level, old.id)
                    default: if level == 0 || above != nil { content.add(level, number, in: above?.id ?? 0) }
                    }
                    content.failing = [:]
                    if chance.next() % 4 == 0, let bad = content.levels[level].randomElement(using: &chance) {
                        content.failing[bad.id] = 500
                    }
                }
            }
            note(
                try await Self.read(
                    source,
                    states,
                    pages: Int.random(in: 1...(seed % 2 == 0 ? 6 : 60), using: &chance),
                    yaml: yaml
                )
            )
        }
        source.change { $0.failing = [:] }
        for _ in 0..<3 { note(try await Self.read(source, states, yaml: yaml)) }
        let missed = source.content.withLock { content in
            content.levels[2].filter { !seen.contains(Grandparents.Thing(id: $0.id, parent: 0, at: $0.at)) }.map(\.id)
        }
        #expect(missed == [])
    }
}
