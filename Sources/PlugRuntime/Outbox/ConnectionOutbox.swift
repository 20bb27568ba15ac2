internal import PlugCore
internal import PlugDeliver
internal import PlugStorage

/// The outbox of one connection while a run continues: drained first, filled while the PDA cannot take records.
///
/// Batches leave in order, each in one transaction with what its answer proved. What the PDA does not settle stays in its
/// place and holds up nothing but newer versions of its own records.
final class ConnectionOutbox {
    /// How long a PDA that failed is left alone.
    private static let pause: Int64 = 30_000_000

    /// Why the PDA did not take records when it was last asked; `nil` while it does.
    private(set) var outage: PlugError?
    /// What became of the batches of earlier runs.
    private(set) var tally = OutboxTally()

    let connection: ConnectionID
    let store: any OutboxStore & PassStore
    private let limits: OutboxLimits
    let clock: any HostClock
    private let makeDeliverer: (_ namespace: String) -> Deliverer
    private var deliverers: [String: Deliverer] = [:]
    private var askedAt: Int64 = 0
    /// Streams of which something from earlier runs still waits.
    var behind: Set<StreamID> = []
    /// Whether there may be batches, so that a run without any need not ask.
    var mayHoldBatches = false
    /// Batches from here on were queued by this run.
    var firstOwn: Int64 = 0
    private var refusals: [StreamID: [RecordFingerprint: Int]] = [:]
    /// Refusals count once a run.
    var counted: Set<RecordFingerprint> = []
    /// Why the PDA gave no answer to what was sent last: then nothing shows that it takes others.
    var doubt: PlugError?
    /// Whether the PDA has taken a record in this run.
    var isTaking = false
    /// Whether all streams have been read, and what waits is sent for the last time in this run.
    var isLast = false
    /// Which batches are sent where some get no answer.
    var trials = OutboxTrials()
    /// Streams whose batches got no answer while nothing showed that the PDA takes others, and why.
    var heldBack: [StreamID: PlugError] = [:]
    /// What waits of each stream, as far as it was looked at and not told yet.
    var waiting: [StreamID: WaitingRecords] = [:]
    /// What became of records that this run has queued, by stream.
    private var settled: [String: StreamCounts] = [:]

    /// - Parameter makeDeliverer: Makes the run's deliverer for a namespace, once for each: what it learns of the PDA spans
    ///   all batches. The plug's own namespace may have changed since a batch was queued.
    init(
        _ connection: ConnectionID,
        store: any OutboxStore & PassStore,
        limits: OutboxLimits,
        clock: any HostClock,
        makeDeliverer: @escaping (_ namespace: String) -> Deliverer
    ) {
        self.connection = connection
        self.store = store
        self.limits = limits
        self.clock = clock
        self.makeDeliverer = makeDeliverer
    }

    // MARK: - What sending needs

    func deliverer(of namespace: String) -> Deliverer {
        if let known = deliverers[namespace] { return known }
        let made = makeDeliverer(namespace)
        deliverers[namespace] = made
        return made
    }

    /// In how many runs before this one each record was refused.
    func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        if let known = refusals[stream] { return known }
        let loaded = try await store.refusals(of: stream)
        refusals[stream] = loaded
        return loaded
    }

    /// Books what became of a batch's records.
    func book(_ records: StreamCounts, of batch: StoredOutboxBatch) {
        if batch.id >= firstOwn { return settled[batch.stream.stream, default: StreamCounts()].add(records) }
        tally.drained += records.delivered + records.duplicates
        tally.deadLetters += records.deadLetters
    }

    /// What became of records that this run has queued, since this was asked last: how the counts change.
    func takeSettled(of stream: String) -> StreamCounts { settled.removeValue(forKey: stream) ?? StreamCounts() }

    // MARK: - What streams are told

    /// What is known of a stream, told once.
    func view(of stream: StreamID) -> OutboxView {
        OutboxView(
            holdsBack: holdsBack(stream),
            waiting: waiting.removeValue(forKey: stream),
            settled: takeSettled(of: stream.stream)
        )
    }

    /// Whether there is nothing in it, and no sign that there will be.
    var isCalm: Bool { !mayHoldBatches && outage == nil && doubt == nil && heldBack.isEmpty }

    /// Whether all that is new of a stream waits behind what cannot be sent just now.
    func holdsBack(_ stream: StreamID) -> Bool { outage != nil || heldBack[stream] != nil }

    /// Remembers that the PDA does not take records just now.
    func note(outage error: PlugError) {
        outage = error
        askedAt = clock.now()
    }

    /// Takes in what the PDA said to a page's records, which were sent past the outbox.
    func note(_ receipt: DeliveryReceipt) {
        doubt = receipt.doubt
        guard receipt.fates.contains(.delivered) else { return }
        isTaking = true
        trials.noteAnswer()
    }

    /// The PDA takes records.
    func endOutage() { outage = nil }

    /// Whether the PDA was left alone long enough to be asked again.
    var mayAskAgain: Bool { outage == nil || abs(clock.now() - askedAt) >= Self.pause }

    /// The error of a stream of which no further page may be queued, `nil` where there is room.
    func fullness(of stream: StreamID) async throws -> PlugError? {
        if try await store.outboxSize(of: stream).bytes < limits.streamBytes,
            try await store.outboxSize(of: nil).bytes < limits.hostBytes
        {
            return nil
        }
        return PlugError(
            .outboxFull,
            "the outbox of stream '\(stream.stream)' is full, so nothing more is read: "
                + (outage?.message ?? "the PDA has not accepted the waiting records"),
            advice: "run again when the PDA accepts records; nothing is lost (plughost outbox list)",
            reach: .stream
        )
    }

    // MARK: - The end

    /// How many records of each stream wait at the end; `nil` if that is not known.
    private(set) var waitingRecords: [String: Int?] = [:]

    /// What became of the outbox, and what keeps the rest of it waiting.
    func end() async throws -> (tally: OutboxTally, error: PlugError?) {
        guard mayHoldBatches else { return (tally, nil) }
        let waiting: [WaitingOutbox]
        do {
            waiting = try await store.outboxes(of: connection)
        } catch is CancellationError {
            // An interrupted run says what it did; how much waits the list tells.
            tally.waitingRecords = nil
            return (tally, nil)
        }
        for outbox in waiting {
            tally.waiting += outbox.size.batches
            tally.waitingRecords = Counting.sum(tally.waitingRecords, outbox.records)
            waitingRecords[outbox.stream.stream] = .some(outbox.records)
        }
        guard tally.waiting > 0 else { return (tally, nil) }
        guard var error = outage ?? doubt else {
            let unanswered = waiting.reduce(0) { $0 + $1.unanswered }
            if unanswered > 0 { return (tally, Self.unanswered(unanswered)) }
            return (tally, Self.doubtful(tally.waiting))
        }
        // A batch is marked only while others are taken.
        if outage == nil, waiting.allSatisfy({ $0.unanswered == $0.size.batches }) {
            return (tally, Self.stillUnanswered(tally.waiting))
        }
        error.message += "; \(tally.waitingText) in the outbox"
        return (tally, error)
    }

    private static func unanswered(_ batches: Int) -> PlugError {
        PlugError(
            .pdaUnanswered,
            "the PDA accepts other records, but gives no answer to those of "
                + "\(batches == 1 ? "1 batch" : "\(batches) batches") in the outbox, which block no others",
            advice: "see 'plughost outbox list'; each run tries again, and you can drop what will never be accepted",
            reach: .stream
        )
    }

    /// The same where this run had nothing else to send, and cannot know what the PDA takes just now.
    private static func stillUnanswered(_ batches: Int) -> PlugError {
        PlugError(
            .pdaUnanswered,
            "the PDA gave no answer to the records of \(batches == 1 ? "1 batch" : "\(batches) batches") in the "
                + "outbox, again in this run; it accepted others in an earlier run, and nothing "
                + "else was sent in this one",
            advice: "see 'plughost outbox list'; each run tries again, and you can drop what will never be accepted",
            reach: .stream
        )
    }

    private static func doubtful(_ batches: Int) -> PlugError {
        PlugError(
            .pdaRefusesRecords,
            "the PDA refuses records of \(batches == 1 ? "1 batch" : "\(batches) batches") in the outbox, but it is "
                + "not yet certain that the records are at fault",
            advice: "run again later: a record that is refused in three runs becomes a dead letter",
            reach: .stream
        )
    }
}
