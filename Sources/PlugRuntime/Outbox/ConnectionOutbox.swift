internal import PlugCore
internal import PlugDeliver
internal import PlugStorage

/// The outbox of one connection during a run: drained first, filled while the PDA cannot accept records.
///
/// Batches leave in order, each in one transaction with what its answer proved. What the PDA does not settle keeps its place and
/// holds up nothing but newer versions of its own records.
final class ConnectionOutbox {
    /// How long a PDA that failed is left alone.
    private static let pause: Int64 = 30_000_000

    /// Why the PDA did not accept records when last contacted; `nil` while it does.
    private(set) var outage: PlugError?
    /// The fate of batches from earlier runs.
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
    /// Whether there may be batches, so that a run without any need not look.
    var mayHoldBatches = false
    /// Batches from this number on were queued by this run.
    var firstOwn: Int64 = 0
    private var refusals: [StreamID: [RecordFingerprint: Int]] = [:]
    /// Records whose refusal has been counted: only once a run.
    var counted: Set<RecordFingerprint> = []
    /// Why the PDA did not answer the last request: until it does, nothing shows that it accepts others.
    var doubt: PlugError?
    /// Whether the PDA has accepted a record in this run.
    var isTaking = false
    /// Whether all streams have been read, so that what waits is sent for the last time in this run.
    var isLast = false
    /// Decides which batches are sent when some get no answer.
    var trials = OutboxTrials()
    /// Streams whose batches got no answer while nothing showed that the PDA accepts others, and why.
    var heldBack: [StreamID: PlugError] = [:]
    /// What is known to wait of each stream and has not been reported yet.
    var waiting: [StreamID: WaitingRecords] = [:]
    /// The fates of records that this run has queued, by stream.
    private var settled: [String: StreamCounts] = [:]

    /// - Parameter makeDeliverer: Makes the run's deliverer for a namespace, once for each: what it learns about the PDA spans
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

    /// The number of earlier runs in which each record was refused.
    func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        if let known = refusals[stream] { return known }
        let loaded = try await store.refusals(of: stream)
        refusals[stream] = loaded
        return loaded
    }

    /// Books the fates of a batch's records.
    func book(_ records: StreamCounts, of batch: StoredOutboxBatch) {
        if batch.id >= firstOwn { return settled[batch.stream.stream, default: StreamCounts()].add(records) }
        tally.drained += records.delivered + records.duplicates
        tally.deadLetters += records.deadLetters
    }

    /// What became of records that this run has queued, since the last call: the change of the counts.
    func takeSettled(of stream: String) -> StreamCounts { settled.removeValue(forKey: stream) ?? StreamCounts() }

    // MARK: - Reporting to streams

    /// What is known of a stream; each piece is reported once.
    func view(of stream: StreamID) -> OutboxView {
        OutboxView(
            holdsBack: holdsBack(stream),
            waiting: waiting.removeValue(forKey: stream),
            settled: takeSettled(of: stream.stream)
        )
    }

    /// Whether it is empty, and nothing suggests that it will fill.
    var isCalm: Bool { !mayHoldBatches && outage == nil && doubt == nil && heldBack.isEmpty }

    /// Whether everything new of a stream waits behind something that cannot be sent at the moment.
    func holdsBack(_ stream: StreamID) -> Bool { outage != nil || heldBack[stream] != nil }

    /// Records that the PDA cannot accept records at the moment.
    func note(outage error: PlugError) {
        outage = error
        askedAt = clock.now()
    }

    /// Takes in the PDA's answer to a page's records, which were sent bypassing the outbox.
    func note(_ receipt: DeliveryReceipt) {
        doubt = receipt.doubt
        guard receipt.fates.contains(.delivered) else { return }
        isTaking = true
        trials.noteAnswer()
    }

    /// Notes that the PDA accepts records.
    func endOutage() { outage = nil }

    /// Whether the PDA was left alone long enough to be contacted again.
    var mayAskAgain: Bool { outage == nil || abs(clock.now() - askedAt) >= Self.pause }

    /// The error of a stream of which no further page may be queued; `nil` if there is room.
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

    /// How many records of each stream wait at the end; `nil` if that is unknown.
    private(set) var waitingRecords: [String: Int?] = [:]

    /// The result of the outbox, and the error that keeps the rest waiting.
    func end() async throws -> (tally: OutboxTally, error: PlugError?) {
        guard mayHoldBatches else { return (tally, nil) }
        let waiting: [WaitingOutbox]
        do {
            waiting = try await store.outboxes(of: connection)
        } catch is CancellationError {
            // An interrupted run reports what it did; the outbox list shows how much waits.
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
        // A batch is marked only while others are accepted.
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
                + "\(batches.counted("batch", "batches")) in the outbox, which block no others",
            advice: "see 'plughost outbox list'; each run tries again, and you can drop what will never be accepted",
            reach: .stream
        )
    }

    /// The same if this run had nothing else to send, and cannot know what the PDA currently accepts.
    private static func stillUnanswered(_ batches: Int) -> PlugError {
        PlugError(
            .pdaUnanswered,
            "the PDA gave no answer to the records of \(batches.counted("batch", "batches")) in the "
                + "outbox, again in this run; it accepted others in an earlier run, and nothing "
                + "else was sent in this one",
            advice: "see 'plughost outbox list'; each run tries again, and you can drop what will never be accepted",
            reach: .stream
        )
    }

    private static func doubtful(_ batches: Int) -> PlugError {
        PlugError(
            .pdaRefusesRecords,
            "the PDA refuses records of \(batches.counted("batch", "batches")) in the outbox, but it is "
                + "not yet certain that the records are at fault",
            advice: "run again later: a record that is refused in three runs becomes a dead letter",
            reach: .stream
        )
    }
}
