import Dispatch
import Glibc
import Testing

@testable import PlugCore
@testable import PlugHostCLI

struct TaskThreadsTests {
    /// None is lost or run twice.
    @Test(arguments: [1, 4])
    func eachTaskRunsOnce(most: Int) async throws {
        let threads = try #require(TaskThreads(most: most))
        let sum = await withTaskExecutorPreference(threads) {
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<10_000 {
                    group.addTask {
                        await Task.yield()
                        return number
                    }
                }
                return await group.reduce(0, +)
            }
        }
        #expect(sum == 49_995_000)
    }

    /// Some tasks hold their threads until the last one has run, as a computation of seconds would: again and again, so that
    /// threads and the watcher have slept between.
    @Test func tasksThatHoldTheirThreadsDoNotStopOthers() async throws {
        let threads = try #require(TaskThreads(most: 4))
        for _ in 0..<3 {
            let door = DispatchSemaphore(value: 0)
            let ended = await withTaskExecutorPreference(threads) {
                await withTaskGroup(of: String.self) { group in
                    for name in ["a", "b", "c"] {
                        group.addTask {
                            door.wait()
                            return name
                        }
                    }
                    group.addTask {
                        for _ in 0..<3 { door.signal() }
                        return "opened"
                    }
                    return await group.reduce(into: Set()) { $0.insert($1) }
                }
            }
            #expect(ended == ["a", "b", "c", "opened"])
            while threads.isWatched { await Task.yield() }
        }
    }

    /// On one thread, tasks take turns where they wait for each other.
    @Test func oneThreadIsEnoughForTasksThatWait() async throws {
        let threads = try #require(TaskThreads(most: 1))
        let (numbers, input) = AsyncStream.makeStream(of: Int.self)
        let received = await withTaskExecutorPreference(threads) {
            async let list = numbers.reduce(into: []) { $0.append($1) }
            for number in 0..<100 {
                input.yield(number)
                await Task.yield()
            }
            input.finish()
            return await list
        }
        #expect(received == Array(0..<100))
    }

    /// Swift's crash handler needs the signals of a thread's own faults; all others are for the main thread.
    @Test func threadsBlockAllSignalsButThoseOfTheirFaults() async throws {
        let threads = try #require(TaskThreads(most: 1))
        let open = await withTaskExecutorPreference(threads) { openSignals() }
        #expect(open == [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV, SIGPROF, SIGSYS])
    }

    private nonisolated func openSignals() -> [Int32] {
        var blocked = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &blocked)
        return (1...31).filter { $0 != SIGKILL && $0 != SIGSTOP && sigismember(&blocked, $0) == 0 }
    }

    @Test func workThatIsInterruptedOrShieldedStaysOnTheThreads() async throws {
        let threads = try #require(TaskThreads(most: 1))
        try await withTaskExecutorPreference(threads) {
            let isPreferred = try await shielded { () async throws -> Bool in preferredTaskExecutor === threads }
            #expect(isPreferred)
            let status = try await Interruption.watch(isGoodEnd: false) {
                preferredTaskExecutor === threads ? .done : .failed
            }
            #expect(status == .done)
        }
    }
}
