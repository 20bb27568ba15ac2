import PlugCore

@testable import PlugDeliver
@testable import PlugRuntime

// The PDA refused records alone.
extension DeliveryRule {
    static let refusals: [DeliveryRule] = [
        DeliveryRule(
            "undecided records hold the states back, and nothing else",
            in: { $0.posts("1@1", "2@1") },
            when: .answered(receipt(.refused(reason: "bad"), .delivered)),
            then: [.commit(PendingCommit(proved: fingerprints("2@1"))), .readOn]
        ) {
            $0.step = .reading
            $0.undecided = records(["1@1"])
            $0.counts.delivered = 1
        },
        DeliveryRule(
            "once others are accepted, undecided records have a second trial",
            in: {
                $0 = .fresh(refused: ["9@1": 1])
                $0.isUndecided(["9@1"])
                $0.posts("1@1", hadUndecided: true)
            },
            when: .answered(receipt(.delivered)),
            then: [.post(records(["9@1"]), refusedBefore: [0: 1])]
        ) {
            $0.step = .tryingAgain(records(["9@1"]), isLast: false)
            $0.undecided = SelectedRecords()
            $0.pending.proved = fingerprints("1@1")
            $0.counts.delivered = 1
        },
        DeliveryRule(
            "a duplicate does not show that the PDA accepts anything",
            in: {
                $0.isUndecided(["9@1"])
                $0.posts("1@1", hadUndecided: true)
            },
            when: .answered(receipt(.duplicate)),
            then: [.commit(PendingCommit(proved: fingerprints("1@1"))), .readOn]
        ) {
            $0.step = .reading
            $0.counts.duplicates = 1
        },
        DeliveryRule(
            "an outage with undecided records in hand stops the stream: they hold back the states, and with them the queue",
            in: {
                $0.isUndecided(["9@1"])
                $0.posts("1@1", "2@1", "3@1", hadUndecided: true)
            },
            when: .answered(outage),
            then: [
                .commit(PendingCommit(proved: fingerprints("1@1"), refused: fingerprints("9@1"))),
                .halt(failing.inStream("items")),
            ]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.undecided = SelectedRecords()
            ($0.counts.delivered, $0.counts.undelivered) = (1, 3)
        },
        DeliveryRule(
            "a second refusal that is the record's fault makes a dead letter, and frees the states",
            in: { $0.triesAgain("9@1") },
            when: .answered(receipt(.deadLetter(reason: "bad"))),
            then: [
                .commit(
                    PendingCommit(
                        states: place,
                        proved: fingerprints("9@1"),
                        deadLetters: [
                            .refused(records(["9@1"]), 0, to: items, "bad")
                        ]
                    )
                ), .readOn,
            ]
        ) {
            $0.step = .reading
            $0.pending = PendingCommit()
            $0.counts.deadLetters = 1
        },
        DeliveryRule(
            "what is still undecided goes on holding the states back",
            in: { $0.triesAgain("8@1", "9@1") },
            when: .answered(receipt(.delivered, .refused(reason: "bad"))),
            then: [.commit(PendingCommit(proved: fingerprints("8@1"))), .readOn]
        ) {
            $0.step = .reading
            $0.undecided.append(copying: 1, of: records(["8@1", "9@1"]))
            $0.counts.delivered = 1
        },
        DeliveryRule(
            "a hundred undecided records may be an accident",
            in: { $0.triesAgain(names: many(100)) },
            when: .answered(refused(100)),
            then: [.readOn]
        ) {
            $0.step = .reading
            $0.undecided = records(many(100))
        },
        DeliveryRule(
            "more than a hundred undecided records are none, and stop the stream",
            in: { $0.triesAgain(names: many(101)) },
            when: .answered(refused(101)),
            then: [
                .commit(PendingCommit(refused: many(101).map(fingerprint))),
                .halt(.undecided("101 records", "they are")),
            ]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.counts.undelivered = 101
        },
        DeliveryRule(
            "what stops the second trial stops the stream",
            in: { $0.triesAgain("8@1", "9@1") },
            when: .answered(receipt(.duplicate, .undelivered) { ($0.stop, $0.isOutage) = (failing, true) }),
            then: [.commit(PendingCommit(proved: fingerprints("8@1"))), .halt(failing.inStream("items"))]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            ($0.counts.duplicates, $0.counts.undelivered) = (1, 1)
        },
        DeliveryRule(
            "at the end of the pass undecided records are tried once more",
            in: { $0.isUndecided(["9@1"]) },
            when: .passEnded,
            then: [.post(records(["9@1"]), refusedBefore: [:])]
        ) {
            $0.step = .tryingAgain(records(["9@1"]), isLast: true)
            $0.undecided = SelectedRecords()
        },
        DeliveryRule(
            "accepted then, they free the states",
            in: { $0.triesAgain("9@1", isLast: true) },
            when: .answered(receipt(.delivered)),
            then: [.commit(PendingCommit(states: place, proved: fingerprints("9@1"))), .end]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.counts.delivered = 1
        },
        DeliveryRule(
            "refused then, they count for the next runs, and the pages are read again",
            in: { $0.triesAgain("9@1", isLast: true) },
            when: .answered(receipt(.refused(reason: "bad"))),
            then: [.commit(PendingCommit(refused: fingerprints("9@1"))), .halt(.undecided("1 record", "it is"))]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.counts.undelivered = 1
        },
    ]

    private static func many(_ count: Int) -> [String] { (0..<count).map { "\($0)@1" } }
    private static func refused(_ count: Int) -> DeliveryReceipt {
        receipt { $0.fates = Array(repeating: .refused(reason: "bad"), count: count) }
    }
}

extension StreamDelivery {
    /// Undecided records are posted for the second time.
    fileprivate mutating func triesAgain(_ names: String..., isLast: Bool = false) {
        triesAgain(names: names, isLast: isLast)
    }

    fileprivate mutating func triesAgain(names: [String], isLast: Bool = false) {
        isUndecided(names)
        undecided = SelectedRecords()
        step = .tryingAgain(records(names), isLast: isLast)
    }
}
