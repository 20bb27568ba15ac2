import PlugCore
import PlugStorage
import TestKit
import Testing

/// A host's places over half an hour, event by event, on the store's own claims: who waits for how long.
struct FairnessTests {
    private struct World {
        let store = MemoryStore(clock: MovableClock())
        var running: [(end: Int64, claim: DueClaim)] = []
        /// Of the plugs that are looked at: how long each run waited for its place.
        var waits: [Int64] = []
        let parallel = 16

        /// Lets everything run that becomes due until a time, each for as long as `length` says.
        mutating func run(
            until end: Int64,
            _ length: (DueClaim) -> Int64,
            _ next: (DueClaim) -> Int64?
        ) async throws {
            var now: Int64 = 0
            while now < end {
                var wish = ClaimWish(at: now, until: .max - 1, limit: parallel - running.count)
                for (_, claim) in running { wish.running[claim.plug, default: 0] += 1 }
                wish.mostOfOne = parallel - parallel / 4
                let found = await store.claimDue(wish)
                for claim in found.claims {
                    if claim.plug.hasPrefix("quick") { waits.append(now - claim.dueAt) }
                    running.append((now + length(claim), claim))
                }
                let ended = running.map(\.end).min() ?? .max
                let due = running.count < parallel ? found.next ?? .max : .max
                now = max(now, min(ended, due))
                for (_, claim) in running where claim.epoch >= 0 {
                    guard let at = running.first(where: { $0.claim == claim })?.end, at <= now else { continue }
                    _ = await store.endClaim(claim, ClaimEnd(status: .active, dueAt: next(claim), ranAt: at, at: now))
                }
                running.removeAll { $0.end <= now }
            }
        }

        /// The wait that one of a hundred exceeds.
        var p99: Int64 { waits.sorted()[waits.count * 99 / 100] }
    }

    private static let second: Int64 = 1_000

    /// Four plugs of forty connections each, every five minutes, whose runs take about a second; and perhaps others.
    private func world(_ more: (World) async throws -> Void) async throws -> World {
        let world = World()
        var random = SplitMix(state: 7)
        for plug in 0..<4 {
            for number in 0..<40 {
                try await add("q\(plug)-\(number)", "quick\(plug)", due: Int64(random.next() % 300_000), world)
            }
        }
        try await more(world)
        return world
    }

    private func add(_ name: String, _ plug: String, due: Int64, _ world: World) async throws {
        _ = try await world.store.openConnection(ConnectionID(name), plug: plug, pda: "https://x.example")
        let setup = ConnectionSetup(status: .active, dueAt: due, content: Secret("{}"))
        try await world.store.keepSetup(setup, of: ConnectionID(name), AuditEntry(at: 0, who: "shell", what: "added"))
    }

    private func p99(_ more: (World) async throws -> Void = { _ in }) async throws -> Int64 {
        var world = try await world(more)
        var random = SplitMix(state: 9)
        try await world.run(until: 1_800 * Self.second) { claim in
            // Ten thousand pages take as long as this lasts; others of that plug two minutes.
            if claim.connection.name == "huge" { return 1_800 * Self.second }
            if claim.plug == "slow" { return 120 * Self.second }
            return 500 + Int64(random.next() % 1_000)
        } _: { claim in
            claim.plug.hasPrefix("quick") ? claim.dueAt + 300 * Self.second : nil
        }
        #expect(world.waits.count > 700)
        return world.p99
    }

    /// 1.2 times, or nothing that a person would notice.
    private func isFair(_ wait: Int64, beside alone: Int64) -> Bool { wait <= max(alone * 12 / 10, Self.second / 10) }

    @Test func aConnectionOfTenThousandPagesKeepsNobodyWaiting() async throws {
        let alone = try await p99()
        let beside = try await p99 { try await add("huge", "slow", due: 0, $0) }
        #expect(isFair(beside, beside: alone), "\(beside) beside \(alone)")
    }

    @Test func aPlugWithHundredsOfSlowRunsThatAreDueKeepsNobodyWaiting() async throws {
        let alone = try await p99()
        let beside = try await p99 { world in
            for number in 0..<250 { try await add("s\(number)", "slow", due: 0, world) }
        }
        #expect(isFair(beside, beside: alone), "\(beside) beside \(alone)")
    }
}
