import PlugCore
import PlugDeliver

@testable import PlugRuntime

// The pass ends, or something fails.
extension DeliveryRule {
    static let ends: [DeliveryRule] = [
        DeliveryRule("a pass ends", when: .passEnded, then: [.end]) { $0.step = .over },
        DeliveryRule(
            "at its end the outbox may send what this run has queued",
            in: { $0.hasQueued("1@1") },
            when: .passEnded,
            then: [.drain]
        ) { $0.step = .ending },
        DeliveryRule(
            "and that is counted",
            in: {
                $0.hasQueued("1@1")
                $0.step = .ending
            },
            when: .drained(OutboxView(waiting: WaitingRecords(), settled: settled(duplicates: 1))),
            then: [.end]
        ) {
            $0.step = .over
            $0.waiting = WaitingRecords()
            ($0.counts.queued, $0.counts.duplicates) = (0, 1)
        },
        DeliveryRule(
            "a commit says where the stream continues",
            in: { $0.counts.cursor = "6" },
            when: .committed(PendingCommit(states: place)),
            then: []
        ) { $0.counts.cursor = "7" },
        DeliveryRule(
            "a commit without a bound leaves it where it was",
            in: { $0.counts.cursor = "6" },
            when: .committed(PendingCommit(states: ["": StreamState(Array("{}".utf8)), "a": StreamState([])])),
            then: []
        ),
        DeliveryRule(
            "a commit that failed has neither queued nor kept anything",
            in: {
                (
                    $0.counts.fetched, $0.counts.delivered, $0.counts.queued, $0.counts.deadLetters
                ) = (5, 1, 3, 1)
            },
            when: .notCommitted(
                PendingCommit(
                    states: place,
                    deadLetters: [DeadLetter(stage: .normalise, code: "map-failed", reason: "no key", record: [])],
                    outbox: [batch(["1@1", "2@1"])]
                )
            ),
            then: []
        ) { ($0.counts.queued, $0.counts.deadLetters, $0.counts.undelivered) = (1, 0, 3) },
        DeliveryRule(
            "a source that fails stops the stream",
            when: .failed(broken),
            then: [.halt(broken.inStream("items"))]
        ) { $0.step = .over },
        DeliveryRule(
            "a source that fails with undecided records in hand: their refusals are kept, and the pages are read again",
            in: { $0.isUndecided(["9@1"]) },
            when: .failed(broken),
            then: [.commit(PendingCommit(refused: fingerprints("9@1"))), .halt(broken.inStream("items"))]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.undecided = SelectedRecords()
            $0.counts.undelivered = 1
        },
        DeliveryRule(
            "a store that fails before a page is queued leaves it undelivered",
            in: { $0.makesRoom("1@1", "2@1") },
            when: .failed(broken),
            then: [.halt(broken.inStream("items"))]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.counts.undelivered = 2
        },
        DeliveryRule(
            "and what the commit of that page was to keep is not counted as kept",
            in: {
                $0.makesRoom("1@1")
                $0.pending.deadLetters = [letter]
                $0.pending.outbox = [batch(["2@1", "3@1"])]
                ($0.counts.deadLetters, $0.counts.queued) = (1, 2)
                $0.counts.fetched += 3
            },
            when: .failed(broken),
            then: [.halt(broken.inStream("items"))]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            ($0.counts.deadLetters, $0.counts.queued, $0.counts.undelivered) = (0, 0, 4)
        },
        DeliveryRule(
            "counts that do not add up are our fault, and the place of the stream does not move",
            in: {
                $0.posts("1@1")
                $0.counts.fetched += 1
            },
            when: .answered(receipt(.delivered)),
            then: [.commit(PendingCommit(proved: fingerprints("1@1"))), .halt(unbalanced)]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.counts.delivered = 1
        },
        DeliveryRule(
            "so is an event for which nothing waits",
            when: .room,
            then: [
                .halt(
                    PlugError(
                        .unexpected,
                        "an unexpected event",
                        advice: "report it; running again loses nothing",
                        stream: "items"
                    )
                )
            ]
        ) { $0.step = .over },
    ]

    static let unbalanced = PlugError(
        .unbalanced,
        "the record counts of this stream do not add up",
        advice: "report it, with the summary of the run; what was delivered is remembered",
        stream: "items"
    )
}
