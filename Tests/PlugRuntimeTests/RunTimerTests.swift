import PlugCore
import TestKit
import Testing

@testable import PlugRuntime

/// One timer measures the time of many runs.
struct RunTimerTests {
    @Test("a run's time is over when the limit has passed since it began")
    func ends() async {
        let clock = MovableClock(seconds: 1000)
        let timer = RunTimer(limit: .seconds(60), clock: clock)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await timer.run() }
            // The clock moves while somebody waits.
            #expect(await timer.wait())
            #expect(clock.now() == 1_060_000_000)
            #expect(await timer.wait())
            #expect(clock.now() == 1_120_000_000)
            group.cancelAll()
        }
    }

    @Test("a run that ends before is told so, and leaves nothing behind")
    func cancelled() async {
        let timer = RunTimer(limit: .seconds(60), clock: PatientClock())
        let isOver = await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                await timer.run()
                return nil
            }
            for _ in 0..<3 { group.addTask { await timer.wait() } }
            while timer.waiting < 3 { await Task.yield() }
            group.cancelAll()
            return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
        }
        #expect(isOver == [false, false, false])
        #expect(timer.waiting == 0)
    }

    @Test("a wait that is cancelled before it begins ends at once")
    func cancelledBefore() async {
        let timer = RunTimer(limit: .seconds(60), clock: PatientClock())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await timer.wait()
        }
        #expect(await task.value == false)
        #expect(timer.waiting == 0)
    }
}
