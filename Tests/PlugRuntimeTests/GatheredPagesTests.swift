import PlugCore
import PlugStorage
import Testing

@testable import PlugRuntime

/// Complete pages that wait to be committed together.
struct GatheredPagesTests {
    private static func state(_ text: String) -> StreamState { StreamState(Array(text.utf8)) }

    @Test func pagesAddUpAndTheNewestStatesStay() {
        var gathered = GatheredPages()
        gathered.add(
            PendingCommit(states: ["": Self.state("1"), "a": Self.state("x")], proved: fingerprints("1@1")),
            at: 10
        )
        gathered.add(PendingCommit(states: ["": Self.state("22")], proved: fingerprints("2@1", "3@1")), at: 30)
        #expect(gathered.bytes == 3 * RecordFingerprint.packedSize + 1 + 2 + 2)
        #expect(gathered.age(at: 50) == 40)
        let last = PendingCommit(states: ["b": Self.state("y")], endsPass: true, proved: fingerprints("4@1"))
        #expect(
            gathered.take(with: last)
                == PendingCommit(
                    states: ["": Self.state("22"), "a": Self.state("x"), "b": Self.state("y")],
                    endsPass: true,
                    proved: fingerprints("1@1", "2@1", "3@1", "4@1")
                )
        )
        #expect(gathered == GatheredPages())
    }

    @Test func aPageThatChangesNothingIsNotGathered() {
        var gathered = GatheredPages()
        gathered.add(PendingCommit(), at: 10)
        #expect(gathered == GatheredPages())
        #expect(gathered.age(at: 50) == 0)
    }

    @Test(arguments: [
        PendingCommit(endsPass: true), PendingCommit(inventory: [1]), PendingCommit(dropsInventory: true),
        PendingCommit(deadLetters: [DeadLetter(stage: .normalise, code: "map-failed", reason: "no key", record: [])]),
        PendingCommit(outbox: [batch(["1@1"])]), PendingCommit(refused: fingerprints("1@1")),
        PendingCommit(settled: fingerprints("1@1")),
    ])
    func whatMustBeOnTheDiskAtOnceDoesNotWait(_ commit: PendingCommit) { #expect(!commit.mayWait) }

    @Test func whatIsOnlyProvedWaits() {
        #expect(PendingCommit(states: place, proved: fingerprints("1@1")).mayWait)
    }
}
