import TestKit
import Testing

@testable import PlugRuntime

struct FingerprintFilterTests {
    @Test("what is there is let through, and of what is not a twentieth", arguments: [1, 128, 150_000])
    func lets(_ count: Int) {
        var generator = SplitMix(state: UInt64(count))
        var filter = FingerprintFilter(for: count)
        let known = (0..<count).map { _ in generator.next() }
        for high in known { filter.insert(high) }
        #expect(known.allSatisfy { filter.mayHold($0) })
        let strangers = (0..<100_000).count { _ in filter.mayHold(generator.next()) }
        // Of a word with one entry, one bit stands for another by chance.
        #expect(strangers < 7000)
    }

    @Test func nothingIsLetThroughByAnEmptyOne() {
        let filter = FingerprintFilter(for: 0)
        #expect(![0, 1, .max].contains { filter.mayHold($0) })
    }

    @Test("beyond four million entries it takes no more memory, and lets more through")
    func isBounded() {
        var generator = SplitMix(state: 3)
        var filter = FingerprintFilter(for: 12_000_000)
        #expect(filter.byteCount == 4 << 20)
        for _ in 0..<12_000_000 { filter.insert(generator.next()) }
        let strangers = (0..<10_000).count { _ in filter.mayHold(generator.next()) }
        #expect(strangers > 2000 && strangers < 4500)
    }
}
