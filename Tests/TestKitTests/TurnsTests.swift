import Testing

@testable import TestKit

struct TurnsTests {
    @Test func asManyAsThereArePlacesAreInside() async throws {
        let turns = Turns(width: 2)
        let inside = Watched((now: 0, most: 0, all: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await turns.take {
                        inside.change { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                        // Goes on only with another one inside, or as the last of all.
                        await inside.wait { $0.now == 2 || $0.all == 20 }
                        inside.change { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(inside.value == (0, 2, 20))
    }

    @Test func whoHasATurnNeedsNoOther() async throws {
        let turns = Turns(width: 1)
        let depth = Watched(0)
        try await turns.take {
            try await turns.take {
                async let child: Void = turns.take { depth.change { $0 += 1 } }
                try await child
                depth.change { $0 += 1 }
            }
        }
        #expect(depth.value == 2)
    }

    @Test func aTurnThatEndsWithAnErrorIsGivenBack() async throws {
        struct Broken: Error {}
        let turns = Turns(width: 1)
        await #expect(throws: Broken.self) { try await turns.take { throw Broken() } }
        try await turns.take {}
    }
}
