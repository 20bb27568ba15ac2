import LosslessJSON
import PlugCore
import PlugRuntime
import Testing

/// A source that gives half of its list for one pass, where missing things count as deleted.
struct BrakeTests {
    /// Ten things that a first pass has found; from now on there are five.
    private static func world(_ paging: StreamShape.Paging) async throws -> World {
        let things = (0..<10).map { _ in Scenario.Change.add(person: 0, stream: 0) }
        var shape = StreamShape(name: "things", paging: paging, order: .byID, pageSize: 3, deletes: .missing)
        shape.mostMissing = "20%"
        let scenario = Scenario(streams: [shape], rounds: [things])
        let world = try scenario.world(seed: 1)
        try scenario.change(world, round: 0)
        try await world.settle()
        try world.change { source, _ in source.isHalf = true }
        return world
    }

    private static func deletions(_ world: World) -> Int {
        world.servers.pda(0).stored.filter { $0.record["deleted"]?.bool == true }.count
    }

    /// Wherever the process of that pass dies: nothing is told of what comes again, and the next thing that goes is told of.
    @Test(arguments: StreamShape.Paging.allCases)
    func halfAListDeletesNothing(_ paging: StreamShape.Paging) async throws {
        try await Story.tell {
            for effect in 1... {
                let world = try await Self.world(paging)
                let crash = Crash(effect: effect, moment: effect.isMultiple(of: 2) ? .before : .after)
                let half = try await world.live(LifePlan(crash: crash, people: [0]))
                if !half.hasDied {
                    #expect(half.reports.map { $0.error?.code.text } == ["deletions-held"])
                }
                #expect(Self.deletions(world) == 0)
                try world.change { source, _ in source.isHalf = false }
                try await world.settle()
                #expect(Self.deletions(world) == 0, "\(crash)")
                try world.change { source, time in source.remove(Removal(person: 0, stream: 0, from: 7), at: time) }
                try await world.settle()
                do { try world.check() } catch { Issue.record("\(crash): \(error)") }
                #expect(Self.deletions(world) == 1, "\(crash)")
                if !half.hasDied { break }
            }
        }
    }
}
