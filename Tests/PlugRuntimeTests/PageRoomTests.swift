import PlugCore
import TestKit
import Testing

@testable import PlugRuntime

struct PageRoomTests {
    /// Lets so many pages of a plug come that as many and one more are read at once.
    private func know(_ plug: String, pages: Int, body: Int, _ room: PageRoom) async throws {
        for _ in 0..<pages {
            var place = try await room.reserve(plug)
            try await room.correct(&place, body: body)
            room.release(place)
        }
    }

    @Test("reserves what the largest page of a plug took, and an eighth of all where nothing is known")
    func estimates() async throws {
        let room = PageRoom(total: 64 << 20)
        var held = try await room.reserve("a")
        #expect(held.size == 8 << 20)
        try await room.correct(&held, body: 1 << 20)
        #expect(held.size == 8 << 20 && room.estimate("a") == 8 << 20)
        try await room.correct(&held, body: 2 << 20)
        #expect(held.size == 16 << 20 && room.estimate("a") == 16 << 20)
        #expect(room.estimate("b") == 8 << 20)
        // More than all there is counts as all there is, so that it can be reserved.
        try await room.correct(&held, body: 1 << 40)
        #expect(held.size == 64 << 20 && room.estimate("a") == 64 << 20)
        #expect(room.reserveAtOnce("b") == nil)
        // A smaller one gives back what it does not take.
        try await room.correct(&held, body: 1 << 20)
        #expect(held.size == 8 << 20)
        #expect(room.reserveAtOnce("b")?.size == 8 << 20)
    }

    @Test("of a plug one page is read at first, and one more with each that has come or failed")
    func slowStart() async throws {
        let room = PageRoom(total: 64 << 20)
        var places = [try await room.reserve("a")]
        #expect(room.reserveAtOnce("a") == nil)
        // Other plugs begin by themselves.
        places.append(try #require(room.reserveAtOnce("b")))
        for read in 1...4 {
            for place in places { room.release(place) }
            places = []
            while let place = room.reserveAtOnce("a") { places.append(place) }
            // 1, and then 2, 4 and 8 at once; for more there is no room.
            #expect(places.count == min(8, 1 << read))
        }
    }

    @Test("who fetches ahead gets nothing while others wait, and those who wait are served in line")
    func servesInLine() async throws {
        let room = PageRoom(total: 8 << 20)
        try await know("large", pages: 2, body: 896 << 10, room)
        try await know("small", pages: 2, body: 1, room)
        let first = try #require(room.reserveAtOnce("large"))
        let order = Notes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, plug) in [(1, "large"), (2, "small")] {
                group.addTask {
                    let place = try await room.reserve(plug)
                    order.add("\(number)")
                    room.release(place)
                }
                // Each stands in line before the next one comes.
                while room.waiting < number { await Task.yield() }
            }
            #expect(room.reserveAtOnce("small") == nil)
            room.release(first)
            try await group.waitForAll()
        }
        #expect(order.all == ["1", "2"])
        #expect(room.reserveAtOnce("large") != nil)
    }

    @Test("who is cancelled while waiting leaves the line to the others")
    func cancellation() async throws {
        let room = PageRoom(total: 8 << 20)
        try await know("large", pages: 2, body: 1 << 20, room)
        try await know("small", pages: 2, body: 1, room)
        let first = try #require(room.reserveAtOnce("small"))
        let large = Task { try await room.reserve("large") }
        while room.waiting < 1 { await Task.yield() }
        let small = Task { try await room.reserve("small") }
        while room.waiting < 2 { await Task.yield() }
        large.cancel()
        await #expect(throws: CancellationError.self) { _ = try await large.value }
        room.release(try await small.value)
        room.release(first)
        #expect(room.reserveAtOnce("large")?.size == 8 << 20)
    }

    @Test("pages that are larger than was thought go on as there is room, and never wait for each other")
    func larger() async throws {
        let room = PageRoom(total: 64 << 20)
        try await know("a", pages: 8, body: 1 << 20, room)
        let counts = Watched((inside: 0, most: 0, done: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            var places: [PageRoom.Place] = []
            while let place = room.reserveAtOnce("a") { places.append(place) }
            #expect(places.count == 8)
            // Each takes half of all there is.
            for reserved in places {
                group.addTask {
                    var place = reserved
                    try await room.correct(&place, body: 4 << 20)
                    counts.change { ($0.inside, $0.most) = ($0.inside + 1, max($0.most, $0.inside + 1)) }
                    await Task.yield()
                    counts.change { ($0.inside, $0.done) = ($0.inside - 1, $0.done + 1) }
                    room.release(place)
                }
            }
            try await group.waitForAll()
        }
        #expect(counts.value.done == 8 && counts.value.most <= 2)
        #expect(room.estimate("a") == 32 << 20)
    }

    @Test("a page that is cancelled while it waits for more holds nothing")
    func cancelledCorrection() async throws {
        let room = PageRoom(total: 8 << 20)
        try await know("other", pages: 1, body: 896 << 10, room)
        let other = try #require(room.reserveAtOnce("other"))
        let page = Task {
            var place = try await room.reserve("a")
            defer { room.release(place) }
            try await room.correct(&place, body: 1 << 20)
        }
        while room.waiting < 1 { await Task.yield() }
        page.cancel()
        await #expect(throws: CancellationError.self) { try await page.value }
        room.release(other)
        #expect(room.reserveAtOnce("a")?.size == 8 << 20)
    }
}
