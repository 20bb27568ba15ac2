import PlugCore
import PlugStorage
import Testing

@testable import PlugDeliver
@testable import PlugRuntime

/// A row of the table: in this state this happens; then this is to be done, and that is the state.
struct DeliveryRule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: StreamDelivery
    let event: StreamDelivery.Event
    let actions: [StreamDelivery.Action]
    let after: StreamDelivery

    /// - Parameters:
    ///   - state: Makes the state out of one in which nothing has happened yet.
    ///   - change: Makes the new state out of the old one.
    init(
        _ rule: String,
        in state: (inout StreamDelivery) -> Void = { _ in },
        when event: StreamDelivery.Event,
        then actions: [StreamDelivery.Action],
        and change: (inout StreamDelivery) -> Void = { _ in }
    ) {
        testDescription = rule
        var before = StreamDelivery.fresh()
        state(&before)
        var after = before
        change(&after)
        (self.before, self.event, self.actions, self.after) = (before, event, actions, after)
    }
}

// MARK: - States

extension StreamDelivery {
    /// A stream of which nothing has been read. Its requests hold three records.
    ///
    /// - Parameters:
    ///   - commitBytes: How much complete pages gather for one commit: nothing, unless the rule is about that.
    ///   - refused: In how many earlier runs records were refused.
    static func fresh(
        resends: Bool = false,
        queuesEverything: Bool = false,
        commitBytes: Int = 0,
        refused: [String: Int] = [:]
    ) -> StreamDelivery {
        var options = DeliveryOptions()
        options.maximumBatchRecords = 3
        return StreamDelivery(
            stream: "items",
            path: items,
            options: options,
            resends: resends,
            remembers: false,
            queuesEverything: queuesEverything,
            commitBytes: commitBytes,
            refusals: Dictionary(uniqueKeysWithValues: refused.map { (fingerprint($0), $1) }),
        )
    }

    /// Records of a page are posted.
    mutating func posts(_ names: String..., hadUndecided: Bool = false) {
        step = .posting(records(names), hadUndecided: hadUndecided)
        counts.fetched += names.count
        pending.states = place
    }

    /// A complete page, whose records were delivered at time 5, waits for its commit.
    mutating func gathers(_ names: String...) {
        gathered.add(PendingCommit(states: place, proved: names.map(fingerprint)), at: 5)
        counts.fetched += names.count
        counts.delivered += names.count
    }

    /// Room is looked for, for records of a page.
    mutating func makesRoom(_ names: String..., hasDrained: Bool = false) {
        step = .makingRoom(records(names), hasDrained: hasDrained)
        counts.fetched += names.count
        pending.states = place
    }

    /// Records wait for a verdict, and the states with them.
    mutating func isUndecided(_ names: [String]) {
        undecided = records(names)
        counts.fetched += names.count
        pending.states = place
    }

    /// This run has queued records, and has committed that.
    mutating func hasQueued(_ names: String...) {
        waits(names)
        counts.fetched += names.count
        counts.queued += names.count
    }

    /// Records wait in the outbox.
    mutating func waits(_ names: [String]) { waiting.insert(batch(names)) }

    /// A page was read.
    mutating func counts(_ page: IncomingPage, fetched: Int) {
        counts.requests += 1
        counts.pages += 1
        counts.bytesIn += 10
        counts.fetched += fetched
    }
}

extension StreamDelivery.Event {
    /// The PDA answered at time 0.
    static func answered(_ receipt: DeliveryReceipt) -> Self { .answered(receipt, at: 0) }
}

// MARK: - Values

let items = {
    guard let path = DataPath(namespace: "demo", endpoint: "items") else { preconditionFailure("a valid path") }
    return path
}()
let place = ["": StreamState(Array(#"{"watermark":7}"#.utf8))]

func fingerprint(_ name: String) -> RecordFingerprint {
    RecordFingerprint(high: name.utf8.reduce(0) { $0 << 8 | UInt64($1) }, low: 1)
}
func fingerprints(_ names: String...) -> [RecordFingerprint] { names.map(fingerprint) }

/// Records such as `1@2`, the second version of the thing `1`.
func records(_ names: [String]) -> SelectedRecords {
    var records = SelectedRecords()
    for name in names {
        records.indexes.append(records.block.entries.count)
        records.block.append(Array(#"{"_id":"\#(name)"}"#.utf8), identity: name.utf8)
        records.fingerprints.append(fingerprint(name))
    }
    return records
}

/// New records without `_id`s, by the keys of what they are about.
func keyedRecords(_ keys: [String], version: Int = 2) -> SelectedRecords {
    var records = SelectedRecords()
    for (at, key) in keys.enumerated() {
        records.indexes.append(at)
        records.block.things.append(key.utf8, at: at)
        records.block.append(Array(#"{"id":"\#(key)","version":\#(version)}"#.utf8), identity: [])
        records.fingerprints.append(RecordFingerprint(high: UInt64(version), low: UInt64(at)))
    }
    return records
}

/// A batch of older versions of such records.
func keyed(_ keys: [String]) -> OutboxBatch { keyedRecords(keys, version: 1).batch(to: items, unanswered: 0) }

/// A page of such records.
func keyedPage(_ keys: [String]) -> IncomingPage {
    let records = keyedRecords(keys)
    return page {
        ($0.block, $0.fingerprints) = (records.block, records.fingerprints)
        $0.findings = keys.map { _ in .unknown }
    }
}

/// A batch of the outbox.
func batch(_ names: [String], unanswered: Int = 0) -> OutboxBatch {
    let records = records(names)
    let packed = RecordFingerprint.packed(records.fingerprints)
    return OutboxBatch(path: items, records: records.block, fingerprints: packed, unanswered: unanswered)
}

/// A page of records that are all new.
func page(_ names: String..., change: (inout IncomingPage) -> Void = { _ in }) -> IncomingPage {
    let records = records(names)
    var page = IncomingPage(
        states: place,
        cost: FetchedPage.Cost(requests: 1, pages: 1, bytes: 10),
        block: records.block,
        fingerprints: records.fingerprints,
        findings: names.map { _ in .unknown }
    )
    change(&page)
    return page
}

/// What became of records that were queued.
func settled(delivered: Int = 0, duplicates: Int = 0, deadLetters: Int = 0) -> StreamCounts {
    var counts = StreamCounts()
    (counts.delivered, counts.duplicates, counts.deadLetters) = (delivered, duplicates, deadLetters)
    counts.queued = -(delivered + duplicates + deadLetters)
    return counts
}

func receipt(_ fates: RecordFate..., change: (inout DeliveryReceipt) -> Void = { _ in }) -> DeliveryReceipt {
    var receipt = DeliveryReceipt(count: 0)
    receipt.fates = fates
    change(&receipt)
    return receipt
}

let failing = PlugError(.pdaFailing, "the PDA fails", reach: .run)
let full = PlugError(.outboxFull, "the outbox is full", reach: .stream)
let broken = PlugError(.unexpected, "something failed", reach: .run)

extension PlugError {
    /// What `n` records lead to whose fault is not certain.
    static func undecided(_ records: String, _ fault: String) -> PlugError {
        PlugError(
            .pdaRefusesRecords,
            "the PDA refused \(records) of this stream, but it is not yet certain that \(fault) at fault",
            advice: "run again later: a record that is refused in three runs becomes a dead letter",
            stream: "items",
            reach: .stream
        )
    }
}
