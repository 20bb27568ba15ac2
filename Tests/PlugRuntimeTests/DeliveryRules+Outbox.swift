import PlugCore

@testable import PlugRuntime

// Records are queued instead of posted.
extension DeliveryRule {
    static let queueing: [DeliveryRule] = [
        DeliveryRule(
            "a page that the outbox holds back needs room there",
            when: .page(page("1@1"), OutboxView(holdsBack: true)),
            then: [.askForRoom]
        ) {
            $0.counts(page(), fetched: 1)
            $0.pending.states = place
            $0.step = .makingRoom(records(["1@1"]), hasDrained: false)
        },
        DeliveryRule(
            "so does any page where everything is to be queued",
            in: { $0 = .fresh(queuesEverything: true) },
            when: .page(page("1@1"), OutboxView()),
            then: [.askForRoom]
        ) {
            $0.counts(page(), fetched: 1)
            $0.pending.states = place
            $0.step = .makingRoom(records(["1@1"]), hasDrained: false)
        },
        DeliveryRule(
            "a page with nothing to queue needs no room",
            when: .page(page("1@1") { $0.findings = [.knownBefore] }, OutboxView(holdsBack: true)),
            then: [.commit(PendingCommit(states: place, proved: fingerprints("1@1"))), .drain]
        ) {
            $0.counts(page(), fetched: 1)
            $0.counts.known = 1
            $0.step = .queued(isRepeatable: true)
        },
        DeliveryRule(
            "a page that cannot be read again is queued first, with its states, room or not",
            when: .page(page("1@1", "2@1") { $0.isRepeatable = false }, OutboxView()),
            then: [
                .commit(
                    PendingCommit(
                        states: place,
                        proved: fingerprints("1@1", "2@1"),
                        outbox: [batch(["1@1", "2@1"])]
                    )
                ), .drain,
            ]
        ) {
            $0.counts(page(), fetched: 2)
            $0.counts.queued = 2
            $0.waits(["1@1", "2@1"])
            $0.step = .queued(isRepeatable: false)
        },
        DeliveryRule(
            "undecided records are queued before a page that is queued, and count as refused",
            in: { $0.isUndecided(["9@1"]) },
            when: .page(page("1@1"), OutboxView(holdsBack: true)),
            then: [.askForRoom]
        ) {
            $0.counts(page(), fetched: 1)
            $0.counts.queued = 1
            $0.waits(["9@1"])
            $0.undecided = SelectedRecords()
            $0.pending.refused = fingerprints("9@1")
            $0.pending.proved = fingerprints("9@1")
            $0.pending.outbox = [batch(["9@1"])]
            $0.step = .makingRoom(records(["1@1"]), hasDrained: false)
        },
        DeliveryRule(
            "where there is room the page is queued in batches of a request, and the outbox may send them",
            in: { $0.makesRoom("1@1", "2@1", "3@1", "4@1") },
            when: .room,
            then: [
                .commit(
                    PendingCommit(
                        states: place,
                        proved: fingerprints("1@1", "2@1", "3@1", "4@1"),
                        outbox: [batch(["1@1", "2@1", "3@1"]), batch(["4@1"])]
                    )
                ), .drain,
            ]
        ) {
            $0.step = .queued(isRepeatable: true)
            $0.pending = PendingCommit()
            $0.waits(["1@1", "2@1", "3@1", "4@1"])
            $0.counts.queued = 4
        },
        DeliveryRule(
            "where there is none the outbox may send what waits",
            in: { $0.makesRoom("1@1") },
            when: .noRoom(full),
            then: [.drain]
        ) { $0.step = .makingRoom(records(["1@1"]), hasDrained: true) },
        DeliveryRule(
            "and is asked for room again",
            in: {
                $0.hasQueued("8@1")
                $0.makesRoom("1@1", hasDrained: true)
            },
            when: .drained(OutboxView(waiting: WaitingRecords(), settled: settled(delivered: 1))),
            then: [.askForRoom]
        ) {
            $0.waiting = WaitingRecords()
            ($0.counts.queued, $0.counts.delivered) = (0, 1)
        },
        DeliveryRule(
            "a full outbox stops the stream before the page",
            in: {
                $0.makesRoom("1@1", hasDrained: true)
                $0.counts.fetched += 1
                $0.counts.known = 1
                $0.pending.proved = fingerprints("7@1")
            },
            when: .noRoom(full),
            then: [.commit(PendingCommit(proved: fingerprints("7@1"))), .halt(full.inStream("items"))]
        ) {
            $0.step = .over
            $0.pending = PendingCommit()
            $0.counts.undelivered = 1
        },
        DeliveryRule(
            "the next page is read whether or not the outbox has sent anything",
            in: {
                $0.hasQueued("1@1", "2@1")
                $0.step = .queued(isRepeatable: true)
            },
            when: .drained(OutboxView(holdsBack: true, settled: settled(delivered: 1))),
            then: [.readOn]
        ) {
            $0.step = .reading
            ($0.counts.queued, $0.counts.delivered) = (1, 1)
        },
        DeliveryRule(
            "but one that cannot be read again only where there is room",
            in: {
                $0.hasQueued("1@1")
                $0.step = .queued(isRepeatable: false)
            },
            when: .drained(OutboxView()),
            then: [.askForRoom]
        ),
        DeliveryRule(
            "which there is",
            in: {
                $0.hasQueued("1@1")
                $0.step = .queued(isRepeatable: false)
            },
            when: .room,
            then: [.readOn]
        ) { $0.step = .reading },
        DeliveryRule(
            "or is not",
            in: {
                $0.hasQueued("1@1")
                $0.step = .queued(isRepeatable: false)
            },
            when: .noRoom(full),
            then: [.halt(full.inStream("items"))]
        ) { $0.step = .over },
    ]
}
