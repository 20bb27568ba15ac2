import PlugCore
import PlugDeliver
import PlugStorage

@testable import PlugRuntime

// Complete pages are committed together.
extension DeliveryRule {
    /// Room for the states and some records.
    private static let commitBytes = 100

    static let gathering: [DeliveryRule] = [
        DeliveryRule(
            "a page whose records are proved waits for the next one",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.posts("1@1", "2@1")
            },
            when: .answered(receipt(.delivered, .duplicate), at: 5),
            then: [.readOn]
        ) {
            $0.step = .reading
            $0.pending = PendingCommit()
            $0.gathered.add(PendingCommit(states: place, proved: fingerprints("1@1", "2@1")), at: 5)
            ($0.counts.delivered, $0.counts.duplicates) = (1, 1)
        },
        DeliveryRule(
            "they are committed together once they are enough, with the newest states",
            in: {
                $0 = .fresh(commitBytes: 2 * RecordFingerprint.packedSize + 15)
                $0.gathers("1@1")
                $0.posts("2@1")
                $0.pending.states = later
            },
            when: .answered(receipt(.delivered), at: 6),
            then: [.commit(PendingCommit(states: later, proved: fingerprints("1@1", "2@1"))), .readOn]
        ) {
            $0.step = .reading
            ($0.pending, $0.gathered) = (PendingCommit(), GatheredPages())
            $0.counts.delivered += 1
        },
        DeliveryRule(
            "or once the first of them has waited long enough",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
                $0.posts("2@1")
            },
            when: .answered(receipt(.delivered), at: 5 + StreamDelivery.longestGathering),
            then: [.commit(PendingCommit(states: place, proved: fingerprints("1@1", "2@1"))), .readOn]
        ) {
            $0.step = .reading
            ($0.pending, $0.gathered) = (PendingCommit(), GatheredPages())
            $0.counts.delivered += 1
        },
        DeliveryRule(
            "or with a page that has to be on the disk at once",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
                $0.posts("2@1")
                $0.pending.endsPass = true
            },
            when: .answered(receipt(.delivered), at: 6),
            then: [
                .commit(PendingCommit(states: place, endsPass: true, proved: fingerprints("1@1", "2@1"))), .readOn,
            ]
        ) {
            $0.step = .reading
            ($0.pending, $0.gathered) = (PendingCommit(), GatheredPages())
            $0.counts.delivered += 1
        },
        DeliveryRule(
            "such as one with a record that the PDA did not answer, which goes into the outbox",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
                $0.posts("2@1")
            },
            when: .answered(receipt(.unanswered(reason: "500")), at: 6),
            then: [
                .commit(
                    PendingCommit(
                        states: place,
                        proved: fingerprints("1@1", "2@1"),
                        outbox: [batch(["2@1"], unanswered: 1)]
                    )
                ), .readOn,
            ]
        ) {
            $0.step = .reading
            ($0.pending, $0.gathered) = (PendingCommit(), GatheredPages())
            $0.waits(["2@1"])
            $0.counts.queued = 1
        },
        DeliveryRule(
            "undecided records do not hold back the states of the pages before",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
                $0.posts("2@1")
                $0.pending.states = later
            },
            when: .answered(receipt(.refused(reason: "bad")), at: 6),
            then: [.commit(PendingCommit(states: place, proved: fingerprints("1@1"))), .readOn]
        ) {
            $0.step = .reading
            $0.gathered = GatheredPages()
            $0.undecided = records(["2@1"])
            $0.pending = PendingCommit(states: later)
        },
        DeliveryRule(
            "a stream that has to wait for another one commits them first",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
            },
            when: .checkpoint,
            then: [.commit(PendingCommit(states: place, proved: fingerprints("1@1"))), .readOn]
        ) { $0.gathered = GatheredPages() },
        DeliveryRule("which may be none", when: .checkpoint, then: [.readOn]),
        DeliveryRule(
            "a stream that has ended has none",
            in: { $0.step = .over },
            when: .checkpoint,
            then: [.end]
        ),
        DeliveryRule(
            "the end of the pass commits them",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
            },
            when: .passEnded,
            then: [.commit(PendingCommit(states: place, proved: fingerprints("1@1"))), .end]
        ) {
            $0.step = .over
            $0.gathered = GatheredPages()
        },
        DeliveryRule(
            "a source that fails leaves them complete",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
            },
            when: .failed(broken),
            then: [
                .commit(PendingCommit(states: place, proved: fingerprints("1@1"))), .halt(broken.inStream("items")),
            ]
        ) {
            $0.step = .over
            $0.gathered = GatheredPages()
        },
        DeliveryRule(
            "a PDA that stops a page stops only that page's states",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
                $0.posts("2@1", "3@1")
                $0.pending.states = later
            },
            when: .answered(receipt(.delivered, .undelivered) { $0.stop = failing }, at: 6),
            then: [
                .commit(PendingCommit(states: place, proved: fingerprints("1@1", "2@1"))),
                .halt(failing.inStream("items")),
            ]
        ) {
            $0.step = .over
            ($0.pending, $0.gathered) = (PendingCommit(), GatheredPages())
            ($0.counts.delivered, $0.counts.undelivered) = (2, 1)
        },
        DeliveryRule(
            "counts that do not add up stop the page that shows it, not the pages before",
            in: {
                $0 = .fresh(commitBytes: commitBytes)
                $0.gathers("1@1")
                $0.posts("2@1")
                $0.pending.states = later
                $0.counts.fetched += 1
            },
            when: .answered(receipt(.delivered), at: 6),
            then: [.commit(PendingCommit(states: place, proved: fingerprints("1@1", "2@1"))), .halt(unbalanced)]
        ) {
            $0.step = .over
            ($0.pending, $0.gathered) = (PendingCommit(), GatheredPages())
            $0.counts.delivered += 1
        },
    ]

    private static let later = ["": StreamState(Array(#"{"watermark":8}"#.utf8))]
}
