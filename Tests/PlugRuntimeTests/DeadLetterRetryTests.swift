import LosslessJSON
import PlugCore
import PlugStorage
import Testing

@testable import PlugRuntime

struct DeadLetterRetryTests {
    private let poison = #"{"id":9,"poison":true}"#
    private let good = (1...3).map { #"{"id":\#($0)}"# }

    /// A bench whose connection has a dead letter of delivery and one of normalising.
    private func bench() async throws -> Bench {
        let bench = try Bench(["key: [.id]", "fields: {n: integer}"])
        bench.source.set([poison, good[0], good[1], #"{"id":8,"n":"x"}"#, good[2]])
        #expect(await bench.run().line == "partial 1: items 5 fetched, 3 delivered, 2 dead")
        return bench
    }

    private func retry(_ bench: Bench) async throws -> RetryCounts {
        let retry = DeadLetterRetry(try await bench.resending())
        var counts = RetryCounts()
        let letters = try await bench.store.deadLetters(DeadLetterFilter(connection: ConnectionID("ada")))
        try await retry.send(letters, counting: &counts)
        return counts
    }

    @Test func whatIsRefusedAgainStaysWithItsReason() async throws {
        let bench = try await bench()
        var expected = RetryCounts()
        expected.refused = 1
        expected.raw = 1
        #expect(try await retry(bench) == expected)
        #expect(try await bench.letters().count == 2)
    }

    @Test func whatThePDATakesNowIsADeadLetterNoMore() async throws {
        let bench = try await bench()
        bench.pda.acceptPoison()
        var expected = RetryCounts()
        expected.delivered = 1
        expected.raw = 1
        #expect(try await retry(bench) == expected)
        #expect(bench.pda.stored.last == #"{"_id":"demo/items/9","id":9,"poison":true}"#)
        #expect(try await bench.letters().map(\.stage) == [.normalise])
        // The next run knows it: nothing is sent twice.
        #expect(await bench.run().line == "done 0: items 5 fetched, 5 known")
    }

    @Test func aPDAThatIsAwayKeepsEverythingAndSaysWhy() async throws {
        let bench = try await bench()
        bench.pda.fault(.unauthorised, at: bench.pda.requests + 1)
        await #expect(throws: PlugError.self) { _ = try await retry(bench) }
        #expect(try await bench.letters().count == 2)
    }
}
