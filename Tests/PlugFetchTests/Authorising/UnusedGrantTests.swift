import LosslessJSON
import OAuth
import PlugCore
import PlugFetch
import PlugStorage
import TestKit
import Testing

/// Grants that no run uses are refreshed before they die.
struct UnusedGrantTests {
    private static let month = "\(GrantBench.consent), refresh: {keep_alive: 30d}"

    private func renew(_ bench: GrantBench) async throws -> UnusedGrantOutcome {
        try await bench.bench.fetcher(bench.wire).renewUnusedGrant()
    }

    private func isFresh(_ outcome: UnusedGrantOutcome) -> Bool { if case .fresh = outcome { true } else { false } }

    @Test func itIsRefreshedWhenItsTimeHasComeAndNotBefore() async throws {
        let bench = try await GrantBench(Self.month)
        try await bench.connect()
        let first = try await bench.kept()["refresh_token"]
        // Up to a tenth earlier, so that not all are refreshed at once.
        bench.bench.clock.advance(.seconds(26 * 86_400))
        #expect(isFresh(try await renew(bench)))
        #expect(bench.wire.paths == [])
        bench.bench.clock.advance(.seconds(86_401))
        #expect(isFresh(try await renew(bench)))
        #expect(bench.wire.paths == ["/token"])
        let second = try await bench.kept()
        #expect(second["refresh_token"] != first && second["refresh_token"] != nil && second["shown"] == nil)
        // Somebody has renewed it: nobody is asked.
        #expect(isFresh(try await renew(bench)))
        #expect(bench.wire.paths == ["/token"])
        // The middle of the tenth, as this clock's chance has it.
        let due = bench.bench.clock.now() + (30 * 86_400 - 3 * 86_400 / 2) * 1_000_000
        #expect(await bench.store.nextRenewal() == due)
    }

    @Test func whatTheServiceSaysOfTheRefreshTokenCounts() async throws {
        let bench = try await GrantBench()
        try await bench.connect()
        bench.wire.service.change {
            $0.live["a"] = ""
            $0.faults = [.body(#"{"access_token":"a","refresh_token":"r","expires_in":60,"refresh_expires_in":1800}"#)]
        }
        bench.bench.clock.advance(.seconds(3_600))
        _ = try await bench.read()
        // Four fifths of half an hour, earlier by half of a tenth.
        #expect(await bench.store.nextRenewal() == bench.bench.clock.now() + (1_440 - 72) * 1_000_000)
        #expect(
            try await bench.kept()["refresh_expires"] == .number(JSONNumber(bench.bench.clock.now() + 1_800_000_000))
        )
    }

    @Test func aDeadGrantIsToldAndNotAskedForAgain() async throws {
        let bench = try await GrantBench(Self.month)
        try await bench.connect()
        bench.wire.service.change { $0.withdraw() }
        bench.bench.clock.advance(.seconds(31 * 86_400))
        guard case .dead(let error, let version) = try await renew(bench) else {
            Issue.record("it is not dead")
            return
        }
        #expect(error.code == "connect-again")
        #expect(await bench.store.grant(GrantBench.id)?.version == version)
        #expect(try await bench.kept()["dead"] == .bool(true))
        #expect(await bench.store.nextRenewal() == nil)
        #expect(isFresh(try await renew(bench)))
        #expect(bench.wire.tokenRequests == 1)
    }

    @Test func anOutageLeavesTheGrantAsItIs() async throws {
        let bench = try await GrantBench(Self.month)
        try await bench.connect()
        let first = try await bench.kept()["refresh_token"]
        bench.wire.service.change { $0.faults = Array(repeating: .status(503, retryAfter: nil), count: 20) }
        bench.bench.clock.advance(.seconds(31 * 86_400))
        guard case .failed(let error) = try await renew(bench) else {
            Issue.record("it has not failed")
            return
        }
        #expect(error.exit == .tryLater)
        let kept = try await bench.kept()
        #expect(kept["refresh_token"] == first && kept["dead"] == nil && kept["shown"] == nil)
        bench.wire.service.change { $0.faults = [] }
        #expect(isFresh(try await renew(bench)))
        #expect(try await bench.read().ids == [1, 2])
    }

    /// A host that dies at any effect of the refresh (crash points 3 to 5).
    @Test func aHostThatDiesLosesNothingThatTheServiceHasNotTaken() async throws {
        var ends: [String] = []
        for effect in 1...4 {
            for moment in GrantCrashTests.Moment.allCases {
                let bench = try await GrantBench(Self.month)
                try await bench.connect()
                let first = try await bench.kept()["refresh_token"]
                bench.bench.clock.advance(.seconds(31 * 86_400))
                let life = GrantCrashTests.Life(diesAt: effect, moment)
                let wire = GrantCrashTests.MortalWire(bench.wire, life)
                var mortal = bench.bench
                mortal.options.grants = GrantCrashTests.MortalStore(store: bench.store, life: life)
                _ = try? await mortal.fetcher(wire).renewUnusedGrant()
                await wire.land()
                let isForgotten = try await bench.kept()["refresh_token"] == first && bench.wire.tokenRequests > 0
                let next = try await renew(bench)
                let reading = try await bench.read()
                #expect(
                    reading.error?.code.text == (isForgotten ? "connect-again" : nil),
                    "\(effect) \(moment): \(next)"
                )
                ends.append("\(effect) \(moment): \(reading.error?.code.text ?? "works")")
            }
        }
        #expect(
            ends == [
                "1 before: works", "1 after: works", "1 later: works",
                // The answer of a service that takes a second use for theft was lost.
                "2 before: works", "2 after: connect-again", "2 later: connect-again",
                "3 before: connect-again", "3 after: works", "3 later: connect-again",
                "4 before: works", "4 after: works", "4 later: works",
            ]
        )
    }
}
