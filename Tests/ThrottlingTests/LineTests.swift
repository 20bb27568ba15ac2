import PlugCore
import Synchronization
import TestKit
import Testing

@testable import Throttling

/// Who goes first where a limit lets few requests out.
struct LineTests {
    @Test func whoAskedBeforeGoesBeforeAlsoWhenItComesBackLater() async throws {
        let clock = HeldClock()
        let limit = SourceLimits(clock: clock).source("plug", [RateLimit(count: 1, per: .seconds(60))])
        let turns = (0..<4).map { _ in Turn() }
        let (order, noter) = AsyncStream<Int>.makeStream()
        try await withTaskExecutorPreference(OneThread()) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await limit.pass(as: turns[0], waitingAtMost: .zero) { _ in }
                // The second one is the next to go and waits for its time, when the first one comes again.
                for (waiting, index) in [1, 3, 2, 0].enumerated() {
                    group.addTask {
                        try await limit.pass(as: turns[index], waitingAtMost: .seconds(3600)) { _ in }
                        noter.yield(index)
                    }
                    while limit.waitingCount == waiting || clock.sleepers == 0 { await Task.yield() }
                }
                clock.release()
                try await group.waitForAll()
            }
        }
        noter.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == [0, 1, 2, 3])
        #expect(clock.now() / 60_000_000 == 4)
    }

    @Test func aLineIsAsLongAsThoseWhoAskedBefore() async throws {
        let clock = HeldClock()
        let limit = SourceLimits(clock: clock).source("plug", [RateLimit(count: 1, per: .seconds(60))])
        let old = Turn()
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await limit.pass(waitingAtMost: .zero) { _ in }
            for waiting in 0..<3 {
                group.addTask { try await limit.pass(waitingAtMost: .seconds(3600)) { _ in } }
                while limit.waitingCount == waiting { await Task.yield() }
            }
            await #expect(throws: SourceLimit.Closed.self) {
                try await limit.pass(waitingAtMost: .seconds(120)) { _ in }
            }
            group.addTask { try await limit.pass(as: old, waitingAtMost: .seconds(120)) { _ in } }
            while limit.waitingCount == 3 { await Task.yield() }
            clock.release()
            try await group.waitForAll()
        }
    }
}

/// A clock on which all waits begin, and none ends before it is released.
private final class HeldClock: HostClock {
    private let clock = MovableClock(seconds: 0)
    private let gate = AsyncSemaphore(width: 1)

    init() { _ = gate.enterAtOnce() }
    var sleepers: Int { gate.waitingCount }
    func release() { gate.leave() }
    func now() -> Int64 { clock.now() }
    func random() -> Double { 0.5 }
    func sleep(for duration: Duration) async throws {
        try await gate.pass {}
        clock.advance(duration)
    }
}
