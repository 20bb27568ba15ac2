import PlugCore
import TestKit
import Testing

@testable import PlugRuntime

struct PageRoomTests {
    @Test("reserves what the largest page of a plug took, and an eighth of all where nothing is known")
    func estimates() async throws {
        let room = PageRoom(total: 64 << 20)
        #expect(room.estimate("a") == 8 << 20)
        var held = room.estimate("a")
        #expect(room.reserveAtOnce(held))
        try await room.correct(&held, of: "a", body: 1 << 20)
        #expect(held == 8 << 20 && room.estimate("a") == 8 << 20)
        try await room.correct(&held, of: "a", body: 2 << 20)
        #expect(held == 16 << 20 && room.estimate("a") == 16 << 20)
        #expect(room.estimate("b") == 8 << 20)
        // More than all there is counts as all there is, so that it can be reserved.
        try await room.correct(&held, of: "c", body: 1 << 40)
        #expect(held == 64 << 20 && room.estimate("c") == 64 << 20)
        #expect(!room.reserveAtOnce(1))
        // A smaller one gives back what it does not take.
        try await room.correct(&held, of: "a", body: 1 << 20)
        #expect(held == 8 << 20 && room.reserveAtOnce(56 << 20))
    }

    @Test("pages that are larger than was thought go on as there is room, and never wait for each other")
    func larger() async throws {
        let room = PageRoom(total: 64 << 20)
        let counts = Watched((inside: 0, most: 0, done: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            // Eight are read of a plug of which nothing is known; each takes half of all there is.
            let scouts = Array(repeating: room.estimate("a"), count: 8)
            for scout in scouts { #expect(room.reserveAtOnce(scout)) }
            #expect(!room.reserveAtOnce(1))
            for reserved in scouts {
                group.addTask {
                    var held = reserved
                    try await room.correct(&held, of: "a", body: 4 << 20)
                    counts.change { ($0.inside, $0.most) = ($0.inside + 1, max($0.most, $0.inside + 1)) }
                    await Task.yield()
                    counts.change { ($0.inside, $0.done) = ($0.inside - 1, $0.done + 1) }
                    room.release(held)
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.value.done == 8 && counts.value.most <= 2)
        #expect(room.reserveAtOnce(64 << 20))
    }

    @Test("a page that is cancelled while it waits for more holds nothing")
    func cancelledCorrection() async throws {
        let room = PageRoom(total: 80)
        #expect(room.reserveAtOnce(70))
        let page = Task {
            var held = 10
            try await room.reserve(held)
            defer { room.release(held) }
            try await room.correct(&held, of: "a", body: 10)
        }
        while room.waiting < 1 { await Task.yield() }
        page.cancel()
        await #expect(throws: CancellationError.self) { try await page.value }
        room.release(70)
        #expect(room.reserveAtOnce(80))
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
