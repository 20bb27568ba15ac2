import PlugCore
import Testing

@testable import PlugRuntime

struct PageRoomTests {
    @Test("reserves what the largest page of a plug took, and an eighth of all where nothing is known")
    func estimates() {
        let room = PageRoom(total: 64 << 20)
        #expect(room.estimate("a") == 8 << 20)
        let held = room.estimate("a")
        #expect(room.reserveAtOnce(held))
        #expect(room.correct(held, of: "a", body: 1 << 20) == 8 << 20)
        #expect(room.estimate("a") == 8 << 20)
        #expect(room.correct(8 << 20, of: "a", body: 2 << 20) == 16 << 20)
        #expect(room.estimate("a") == 16 << 20)
        #expect(room.estimate("b") == 8 << 20)
        // More than all there is counts as all there is, so that it can be reserved.
        #expect(room.correct(16 << 20, of: "c", body: 1 << 40) == 64 << 20)
        #expect(room.estimate("c") == 64 << 20)
    }

    @Test("who fetches ahead gets nothing while others wait, and those who wait are served in line")
    func servesInLine() async throws {
        let room = PageRoom(total: 10)
        #expect(room.reserveAtOnce(8))
        let order = Notes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, size) in [(1, 9), (2, 1)] {
                group.addTask {
                    try await room.reserve(size)
                    order.add("\(number)")
                    room.release(size)
                }
                // Each stands in line before the next one comes.
                while room.waiting < number { await Task.yield() }
            }
            #expect(!room.reserveAtOnce(1))
            room.release(8)
            try await group.waitForAll()
        }
        #expect(order.all == ["1", "2"])
        #expect(room.reserveAtOnce(10))
    }

    @Test("who is cancelled while waiting leaves the line to the others")
    func cancellation() async throws {
        let room = PageRoom(total: 10)
        #expect(room.reserveAtOnce(8))
        let large = Task { try await room.reserve(9) }
        while room.waiting < 1 { await Task.yield() }
        let small = Task { try await room.reserve(2) }
        while room.waiting < 2 { await Task.yield() }
        large.cancel()
        await #expect(throws: CancellationError.self) { try await large.value }
        try await small.value
        room.release(10)
        #expect(room.reserveAtOnce(10))
    }
}
