import PlugCore

@testable import PlugRuntime

// A page was read.
extension DeliveryRule {
    static let pages: [DeliveryRule] = [
        DeliveryRule(
            "new records are posted",
            when: .page(page("1@1", "2@1"), OutboxView()),
            then: [.post(records(["1@1", "2@1"]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 2)
            $0.pending.states = place
            $0.step = .posting(records(["1@1", "2@1"]), hadUndecided: false)
        },
        DeliveryRule(
            "what the ledger knows is not sent, and proved again",
            when: .page(page("1@1", "2@1") { $0.findings = [.knownBefore, .unknown] }, OutboxView()),
            then: [.post(records(["1@1", "2@1"]).at([1]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 2)
            $0.counts.known = 1
            $0.pending.states = place
            $0.pending.proved = fingerprints("1@1")
            $0.step = .posting(records(["1@1", "2@1"]).at([1]), hadUndecided: false)
        },
        DeliveryRule(
            "what the ledger knows is sent where that is wanted",
            in: { $0 = .fresh(resends: true) },
            when: .page(page("1@1") { $0.findings = [.knownBefore] }, OutboxView()),
            then: [.post(records(["1@1"]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 1)
            $0.pending.states = place
            $0.step = .posting(records(["1@1"]), hadUndecided: false)
        },
        DeliveryRule(
            "a record that was met in this pass is left out; with other contents it is sent",
            when: .page(
                page("1@1", "2@1") { $0.findings = [.metInThisPass, .metWithOtherContent] },
                OutboxView()
            ),
            then: [.post(records(["1@1", "2@1"]).at([1]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 2)
            $0.counts.known = 1
            $0.pending.states = place
            $0.conflicts.note(1, of: page("1@1", "2@1").block)
            $0.step = .posting(records(["1@1", "2@1"]).at([1]), hadUndecided: false)
        },
        DeliveryRule(
            "what waits in the outbox is not sent beside it",
            in: { $0.waits(["1@1"]) },
            when: .page(page("1@1"), OutboxView()),
            then: [.post(records(["1@1"]).at([]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 1)
            $0.counts.known = 1
            $0.pending.states = place
            $0.pending.proved = fingerprints("1@1")
            $0.step = .posting(records(["1@1"]).at([]), hadUndecided: false)
        },
        DeliveryRule(
            "newer versions wait behind older ones in the outbox",
            in: { $0.waits(["1@1"]) },
            when: .page(page("1@2", "2@1", "1@3"), OutboxView()),
            then: [.post(records(["1@2", "2@1", "1@3"]).at([1]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 3)
            $0.counts.queued = 2
            $0.waits(["1@2", "1@3"])
            $0.pending.states = place
            $0.pending.proved = fingerprints("1@2", "1@3")
            $0.pending.outbox = [batch(["1@2", "1@3"])]
            $0.step = .posting(records(["1@2", "2@1", "1@3"]).at([1]), hadUndecided: false)
        },
        DeliveryRule(
            "so they do without '_id's, where a key tells what records are about",
            in: { $0.waiting.insert(keyed(["1", ""])) },
            when: .page(keyedPage(["1", "2", ""]), OutboxView()),
            then: [.post(keyedRecords(["1", "2", ""]).at([1, 2]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 3)
            $0.counts.queued = 1
            let newer = keyedRecords(["1", "2", ""]).at([0])
            $0.waiting.insert(newer.batch(to: items, unanswered: 0))
            $0.pending.states = place
            $0.pending.proved = newer.fingerprints
            $0.pending.outbox = [newer.batch(to: items, unanswered: 0)]
            $0.step = .posting(keyedRecords(["1", "2", ""]).at([1, 2]), hadUndecided: false)
        },
        DeliveryRule(
            "the outbox says what waits, and what became of what was queued",
            in: { $0.hasQueued("1@1", "2@1") },
            when: .page(
                page("1@2"),
                OutboxView(waiting: WaitingRecords(), settled: settled(delivered: 1, deadLetters: 1))
            ),
            then: [.post(records(["1@2"]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 1)
            $0.counts.queued = 0
            $0.counts.delivered = 1
            $0.counts.deadLetters = 1
            $0.waiting = WaitingRecords()
            $0.pending.states = place
            $0.step = .posting(records(["1@2"]), hadUndecided: false)
        },
        DeliveryRule(
            "what could not be normalised is a dead letter, once",
            when: .page(
                page {
                    $0.letters = [letter]
                    $0.letterFingerprints = fingerprints("new", "kept")
                    ($0.dropped, $0.repaired) = (3, 4)
                },
                OutboxView()
            ),
            then: [.post(records([]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 2)
            ($0.counts.deadLetters, $0.counts.known, $0.counts.dropped, $0.counts.repaired) = (1, 1, 3, 4)
            $0.pending.states = place
            $0.pending.deadLetters = [letter]
            $0.pending.proved = fingerprints("new", "kept")
            $0.step = .posting(records([]), hadUndecided: false)
        },
        DeliveryRule(
            "the last page ends the pass",
            when: .page(page { $0.endsPass = true }, OutboxView()),
            then: [.post(records([]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 0)
            $0.pending.states = place
            $0.pending.endsPass = true
            $0.step = .posting(records([]), hadUndecided: false)
        },
        DeliveryRule(
            "a pass that left parents out does not end",
            when: .page(page { ($0.endsPass, $0.leavesOutParents) = (true, true) }, OutboxView()),
            then: [.post(records([]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 0)
            $0.pending.states = place
            $0.step = .posting(records([]), hadUndecided: false)
        },
        DeliveryRule(
            "the deliverer is told in how many runs a record was refused",
            in: { $0 = .fresh(refused: ["2@1": 2, "3@1": 1]) },
            when: .page(page("1@1", "2@1"), OutboxView()),
            then: [.post(records(["1@1", "2@1"]), refusedBefore: [1: 2])]
        ) {
            $0.counts(page(), fetched: 2)
            $0.pending.states = place
            $0.step = .posting(records(["1@1", "2@1"]), hadUndecided: false)
        },
        DeliveryRule(
            "undecided records stay in hand while a page is posted",
            in: { $0.isUndecided(["9@1"]) },
            when: .page(page("1@1"), OutboxView()),
            then: [.post(records(["1@1"]), refusedBefore: [:])]
        ) {
            $0.counts(page(), fetched: 1)
            $0.step = .posting(records(["1@1"]), hadUndecided: true)
        },
    ]

    static let letter = DeadLetter(
        stage: .normalise,
        code: "map-failed",
        reason: "no key",
        record: [0x7B, 0x7D]
    )
}
