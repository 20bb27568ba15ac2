import Dispatch
import PlugCore
import Synchronization
import Testing

struct OwnThreadTests {
    private struct Broken: Error {}

    /// Opens when so many stand before it.
    private final class Door: Sendable {
        private let count: Int
        private let waiting = Mutex(0)
        private let semaphore = DispatchSemaphore(value: 0)

        init(for count: Int) { self.count = count }

        func pass() {
            let isLast = waiting.withLock { waiting in
                waiting += 1
                return waiting == count
            }
            if isLast { for _ in 0..<count { semaphore.signal() } }
            semaphore.wait()
        }
    }

    @Test func workGivesItsValueOrItsError() async throws {
        let seven = await onAThreadOfItsOwn { 7 }
        #expect(seven == 7)
        await #expect(throws: Broken.self) {
            try await onAThreadOfItsOwn { () throws(Broken) in throw Broken() }
        }
    }

    /// All wait until the last has come: more than Dispatch's pool has threads.
    @Test func workThatWaitsKeepsNoOtherFromItsThread() async {
        let door = Door(for: 300)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<300 { group.addTask { await onAThreadOfItsOwn { door.pass() } } }
        }
    }
}
