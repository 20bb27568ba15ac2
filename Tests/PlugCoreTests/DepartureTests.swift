import PlugCore
import TestKit
import Testing

/// Work that is shielded from cancellation, and what of it gives up.
struct DepartureTests {
    /// A clock whose time limits are over at once.
    private struct HurriedClock: HostClock {
        func now() -> Int64 { 0 }
        func random() -> Double { 0.5 }
        func sleep(for duration: Duration) async throws { try Task.checkCancellation() }
        func timeout(after duration: Duration) async throws { try Task.checkCancellation() }
    }

    private struct Failure: Error {}

    /// Waits until it is cancelled.
    private static func hang() async throws {
        for await _ in AsyncStream<Void>.makeStream().stream {}
        throw CancellationError()
    }

    @Test func aPartThatDoesNotEndGivesUpOnlyOnceNobodyWaits() async throws {
        let steps = Watched<[String]>([])
        let outcome = await withTaskGroup(of: String.self) { group in
            group.addTask {
                do {
                    return try await shielded { departure in
                        do {
                            try await departure.giveUp(clock: HurriedClock()) {
                                steps.change { $0.append("asked") }
                                try await Self.hang()
                            }
                        } catch is CancellationError { steps.change { $0.append("gave up") } }
                        // What follows is done all the same.
                        steps.change { $0.append(Task.isCancelled ? "cancelled" : "kept") }
                        return "done"
                    }
                } catch { return "\(error)" }
            }
            await steps.wait { $0 == ["asked"] }
            group.cancelAll()
            return await group.next()
        }
        #expect(outcome == "done" && steps.value == ["asked", "gave up", "kept"])
    }

    @Test func whatEndsInTimeCounts() async throws {
        let value = try await shielded { departure in try await departure.giveUp(clock: HurriedClock()) { 7 } }
        #expect(value == 7)
        await #expect(throws: Failure.self) {
            try await shielded { departure in
                try await departure.giveUp(clock: HurriedClock()) { () async throws -> Int in throw Failure() }
            }
        }
    }

    /// An answer that comes with the end of the patience is not lost.
    @Test func whatAPartGivesAlthoughItWasCancelledCounts() async throws {
        let begun = Watched(false)
        let value = await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                try? await shielded { departure in
                    try await departure.giveUp(clock: HurriedClock()) {
                        begun.change { $0 = true }
                        try? await Self.hang()
                        return 7
                    }
                }
            }
            await begun.wait { $0 }
            group.cancelAll()
            return await group.next() ?? nil
        }
        #expect(value == 7)
    }
}
