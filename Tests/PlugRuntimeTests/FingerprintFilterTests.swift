import PlugCore
import TestKit
import Testing

@testable import PlugRuntime

struct FingerprintFilterTests {
    private func filter(of ascending: [UInt64]) throws -> FingerprintFilter {
        var writer = FingerprintFilter.Writer(
            try LedgerFile(in: ScratchFile.defaultFolder),
            for: ascending.count
        )
        for high in ascending { try writer.append(high) }
        return try writer.finish()
    }

    @Test("what is there is let through, and of what is not a twentieth", arguments: [1, 128, 150_000])
    func lets(_ count: Int) throws {
        var generator = SplitMix(state: UInt64(count))
        let known = (0..<count).map { _ in generator.next() }.sorted()
        let filter = try filter(of: known)
        #expect(known.allSatisfy { filter.mayHold($0) })
        let strangers = (0..<100_000).count { _ in filter.mayHold(generator.next()) }
        // Of a word with one entry, one bit stands for another by chance.
        #expect(strangers < 7000)
    }

    @Test func nothingIsLetThroughByAnEmptyOne() throws {
        let filter = try filter(of: [])
        #expect(![0, 1, .max].contains { filter.mayHold($0) })
    }

    @Test("entries that are far apart leave pieces without any between them")
    func holdsTheEnds() throws {
        let known: [UInt64] = [0, 1] + [UInt64](repeating: .max, count: 99_998)
        let filter = try filter(of: known)
        #expect([0, 1, .max].allSatisfy { filter.mayHold($0) })
        #expect(!filter.mayHold(1 << 63))
    }

    @Test(
        "it takes a byte for each entry of the file, in whole words",
        arguments: [(0, 8), (8, 8), (9, 8), (16, 16), (150_000, 150_000)]
    )
    func size(_ count: Int, _ bytes: Int) throws {
        let writer = FingerprintFilter.Writer(try LedgerFile(in: ScratchFile.defaultFolder), for: count)
        #expect(writer.byteCount == bytes)
    }
}
