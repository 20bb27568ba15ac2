import Dispatch
import Testing

@testable import PlugHostCLI

struct TaskThreadsTests {
    /// All child tasks count, and none is lost or run twice.
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

    /// Each task but the last holds its thread until the last has run, as a computation of seconds would.
    @Test func tasksThatHoldTheirThreadsDoNotStopOthers() async throws {
        let threads = try #require(TaskThreads(most: 4))
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
}
