import PlugCore
import PlugStorage
import TestKit
import Testing

@testable import PlugRuntime

/// Dead letters have bounds, and reaching them loses nothing.
struct DeadLetterRoomTests {
    /// Two records with an id and two without, in two pages.
    private let lines = [#"{"id":1}"#, #"{"x":1}"#, #"{"id":2}"#, #"{"x":2}"#]

    @Test func aStreamStopsBeforeThePageWhoseDeadLettersDoNotFitAndGoesOnThere() async throws {
        let bench = try Bench()
        bench.source.set(lines)
        let stopped = await bench.run { $0.limits.deadLetters.letters = 1 }
        #expect(stopped.line == "partial 75 dead-letters-full: items 2 fetched, 1 delivered, 1 dead")
        #expect(stopped.error?.message.hasSuffix("1 are kept and 1 more came; the limit is 1") == true)
        #expect(try await bench.letters().count == 1)
        // As long as they are full nothing is read.
        let reads = bench.source.reads
        let full = await bench.run { $0.limits.deadLetters.letters = 1 }
        #expect(full.line == "failed 75 dead-letters-full: items ")
        #expect(bench.source.reads == reads)
        let ids = try await bench.store.deadLetters(DeadLetterFilter()).map(\.id)
        _ = try await bench.store.removeDeadLetters(ids)
        let rest = await bench.run { $0.limits.deadLetters.letters = 1 }
        #expect(rest.line == "partial 1: items 2 fetched, 1 delivered, 1 dead")
        #expect(bench.pda.stored.count == 2)
    }

    @Test func theBytesOfAConnectionAndOfAllHaveBoundsToo() async throws {
        let bench = try Bench()
        bench.source.set(lines)
        let own = await bench.run { $0.limits.deadLetters.bytes = 10 }
        #expect(own.error?.message.contains("the limit is") == true)
        let total = await bench.run { $0.limits.deadLetters.hostBytes = 10 }
        #expect(total.error?.code == "dead-letters-full")
        #expect(total.error?.advice?.contains("--dead-letter-total") == true)
        #expect(try await bench.letters() == [])
        #expect(await bench.run().line.hasPrefix("partial 1: items 4 fetched"))
    }
}
