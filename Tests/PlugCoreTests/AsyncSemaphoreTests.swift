import TestKit
import Testing

@testable import PlugCore

struct AsyncSemaphoreTests {
    @Test(arguments: [true, false])
    func letsNobodyInWhoWasCancelledInTheLineOrBefore(standsInLine: Bool) async throws {
        let semaphore = AsyncSemaphore(width: 1)
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (entered, enterer) = AsyncStream<Void>.makeStream()
        let first = Task {
            try await semaphore.pass {
                enterer.finish()
                for await _ in gate {}
            }
        }
        for await _ in entered {}
        let second = Task {
            if !standsInLine { withUnsafeCurrentTask { $0?.cancel() } }
            try await semaphore.pass { _ = Issue.record("a cancelled task came in") }
        }
        if standsInLine {
            while semaphore.waitingCount == 0 { await Task.yield() }
            second.cancel()
        }
        await #expect(throws: CancellationError.self) { try await second.value }
        opener.finish()
        try await first.value
        // The place is free again, for as many as come.
        for _ in 0..<3 { #expect(try await semaphore.pass { true }) }
    }

    @Test("an earlier turn that fits goes past a larger one that has to wait")
    func sizes() async throws {
        let semaphore = AsyncSemaphore(width: 10)
        try await semaphore.enter(8)
        let (earlier, later) = (Turn(), Turn())
        let large = Task { try await semaphore.enter(5, as: later) }
        while semaphore.waitingCount == 0 { await Task.yield() }
        // Nobody leaves meanwhile.
        try await semaphore.enter(2, as: earlier)
        #expect(semaphore.waitingCount == 1)
        #expect(!semaphore.enterAtOnce(1))
        semaphore.leave(8)
        try await large.value
        #expect(semaphore.enterAtOnce(3))
        #expect(!semaphore.enterAtOnce(1))
    }

    @Test func letsEveryoneInWhoWaits() async throws {
        let semaphore = AsyncSemaphore(width: 3)
        let gauge = Gauge()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await semaphore.pass {
                        gauge.enter()
                        await Task.yield()
                        gauge.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(gauge.most <= 3)
    }

    @Test func letsInWhoAskedFirstWhenever() async throws {
        let semaphore = AsyncSemaphore(width: 1)
        let (order, noter) = AsyncStream<Int>.makeStream()
        let turns = (0..<3).map { _ in Turn() }
        #expect(semaphore.enterAtOnce())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (waiting, index) in [2, 0, 1].enumerated() {
                group.addTask { try await semaphore.pass(as: turns[index]) { _ = noter.yield(index) } }
                while semaphore.waitingCount == waiting { await Task.yield() }
            }
            #expect(semaphore.isAwaited(before: turns[1]))
            #expect(!semaphore.isAwaited(before: turns[0]))
            semaphore.leave()
            try await group.waitForAll()
        }
        noter.finish()
        #expect(await order.reduce(into: []) { $0.append($1) } == [0, 1, 2])
    }
}
