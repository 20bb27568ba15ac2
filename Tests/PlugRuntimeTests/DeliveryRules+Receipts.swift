import PlugCore

@testable import PlugDeliver
@testable import PlugRuntime

// The PDA answered to a page's records.
extension DeliveryRule {
    static let receipts: [DeliveryRule] = [
        DeliveryRule(
            "what the PDA has is committed with the states",
            in: { $0.posts("1@1", "2@1") },
            when: .answered(receipt(.delivered, .duplicate) { $0.bytesOut = 20 }),
            then: [.commit(PendingCommit(states: place, proved: fingerprints("1@1", "2@1"))), .readOn]
        ) {
            $0.step = .reading
            $0.pending = PendingCommit()
            ($0.counts.delivered, $0.counts.duplicates, $0.counts.bytesOut) = (1, 1, 20)
        },
        DeliveryRule(
            "what is proved before a pause is committed without the states, and the rest is posted",
            in: { $0.posts("1@1", "2@1", "3@1") },
            when: .answered(receipt(.delivered, .undelivered, .undelivered) { $0.isPaused = true }),
            then: [
                .commit(PendingCommit(proved: fingerprints("1@1"))),
                .post(records(["1@1", "2@1", "3@1"]).at([1, 2]), refusedBefore: [:]),
            ]
        ) {
            $0.step = .posting(records(["1@1", "2@1", "3@1"]).at([1, 2]), hadUndecided: false)
            $0.counts.delivered = 1
        },
        DeliveryRule(
            "a page that changes nothing is not committed",
            in: { $0.step = .posting(records([]), hadUndecided: false) },
            when: .answered(receipt()),
            then: [.readOn]
        ) { $0.step = .reading },
        DeliveryRule(
            "a record that is refused for good is a dead letter, and its refusals are forgotten",
            in: {
                $0 = .fresh(refused: ["1@1": 2])
                $0.posts("1@1")
            },
            when: .answered(receipt(.deadLetter(reason: "bad"))),
            then: [
                .commit(
                    PendingCommit(
                        states: place,
                        proved: fingerprints("1@1"),
                        deadLetters: [
                            .refused(records(["1@1"]), 0, to: items, "bad")
                        ],
                        settled: fingerprints("1@1")
                    )
                ), .readOn,
            ]
        ) {
            $0.step = .reading
            $0.pending = PendingCommit()
            $0.counts.deadLetters = 1
        },
        DeliveryRule(
            "a record without an answer waits alone, marked, as the PDA took others since",
            in: { $0.posts("1@1", "2@1") },
            when: .answered(receipt(.unanswered(reason: "500"), .delivered)),
            then: [
                .commit(
                    PendingCommit(
                        states: place,
                        proved: fingerprints("1@1", "2@1"),
                        outbox: [batch(["1@1"], unanswered: 1)]
                    )
                ), .readOn,
            ]
        ) {
            $0.step = .reading
            $0.pending = PendingCommit()
            $0.waits(["1@1"])
            ($0.counts.delivered, $0.counts.queued) = (1, 1)
        },
        DeliveryRule(
            "where the last request had no answer either, the record is not marked",
            in: { $0.posts("1@1", "2@1") },
            when: .answered(receipt(.delivered, .unanswered(reason: "500")) { $0.doubt = failing }),
            then: [
                .commit(
                    PendingCommit(states: place, proved: fingerprints("1@1", "2@1"), outbox: [batch(["2@1"])])
                ), .readOn,
            ]
        ) {
            $0.step = .reading
            $0.pending = PendingCommit()
            $0.waits(["2@1"])
            ($0.counts.delivered, $0.counts.queued) = (1, 1)
        },
        DeliveryRule(
            "in an outage there has to be room for the rest of the page",
            in: { $0.posts("1@1", "2@1", "3@1") },
            when: .answered(outage),
            then: [.askForRoom]
        ) {
            $0.step = .queueingRest(records(["1@1", "2@1", "3@1"]), outage, stop: failing)
            $0.pending.proved = fingerprints("1@1")
            ($0.counts.delivered, $0.counts.undelivered) = (1, 2)
        },
        DeliveryRule(
            "an outage queues the rest of the page, and commits its states",
            in: { $0.meets(outage) },
            when: .room,
            then: [
                .noteOutage(failing),
                .commit(
                    PendingCommit(
                        states: place,
                        proved: fingerprints("1@1", "2@1", "3@1"),
                        outbox: [batch(["2@1", "3@1"])]
                    )
                ), .readOn,
            ]
        ) {
            $0.step = .reading
            $0.pending = PendingCommit()
            $0.waits(["2@1", "3@1"])
            ($0.counts.undelivered, $0.counts.queued) = (0, 2)
        },
        DeliveryRule(
            "without room an outage stops the stream: what is proved is kept, without the states",
            in: { $0.meets(outage) },
            when: .noRoom(full),
            then: [.commit(PendingCommit(proved: fingerprints("1@1"))), .halt(failing.inStream("items"))]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
        },
        DeliveryRule(
            "a page without an answer is queued and marked, and the outbox finds out whether it is its fault",
            in: { $0.meets(silence) },
            when: .room,
            then: [
                .commit(
                    PendingCommit(
                        states: place,
                        proved: fingerprints("1@1", "2@1", "3@1"),
                        outbox: [batch(["2@1", "3@1"], unanswered: 1)]
                    )
                ), .noteUnanswered(failing), .readOn,
            ]
        ) {
            $0.step = .reading
            $0.pending = PendingCommit()
            $0.waits(["2@1", "3@1"])
            ($0.counts.undelivered, $0.counts.queued) = (0, 2)
        },
        DeliveryRule(
            "what is neither an outage nor the records' fault stops the stream",
            in: { $0.posts("1@1", "2@1") },
            when: .answered(receipt(.delivered, .undelivered) { $0.stop = failing }),
            then: [.commit(PendingCommit(proved: fingerprints("1@1"))), .halt(failing.inStream("items"))]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            ($0.counts.delivered, $0.counts.undelivered) = (1, 1)
        },
        DeliveryRule(
            "an answer that leaves a record open without saying why is our fault",
            in: { $0.posts("1@1", "2@1") },
            when: .answered(receipt(.delivered, .undelivered)),
            then: [.halt(unbalanced)]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.counts.undelivered = 2
        },
        DeliveryRule(
            "so is such an answer to records that were undecided, which stay refused",
            in: {
                $0.isUndecided([])
                $0.counts.fetched += 1
                $0.step = .tryingAgain(records(["1@1"]), isLast: true)
            },
            when: .answered(receipt(.undelivered)),
            then: [.commit(PendingCommit(refused: fingerprints("1@1"))), .halt(unbalanced)]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.counts.undelivered = 1
        },
    ]

    static let outage = receipt(.delivered, .undelivered, .undelivered) { ($0.stop, $0.isOutage) = (failing, true) }
    private static let silence = receipt(.delivered, .undelivered, .undelivered) {
        ($0.stop, $0.mayBeContent) = (failing, true)
    }
}

extension StreamDelivery {
    /// Nothing more of three posted records than the first is stored.
    fileprivate mutating func meets(_ receipt: DeliveryReceipt) {
        posts("1@1", "2@1", "3@1")
        step = .queueingRest(records(["1@1", "2@1", "3@1"]), receipt, stop: failing)
        pending.proved = fingerprints("1@1")
        (counts.delivered, counts.undelivered) = (1, 2)
    }
}
