internal import PlugCore
internal import PlugDeliver
internal import PlugStore

/// The outbox of one connection while a run goes on: drained first, filled while the PDA cannot take records.
///
/// Batches leave in order, each in one transaction with what its answer proved. A record that was refused alone, and
/// whose fault is not clear yet, goes to the end of the queue, so that it holds up nobody.
final class ConnectionOutbox {
    /// How long a PDA that failed is left alone.
    private static let pause: Int64 = 30_000_000
    /// Batches that are read at a time, each up to 1 MiB.
    private static let readAhead = 4

    /// Why the PDA did not take records when it was last asked; `nil` while it does.
    private(set) var outage: PlugError?
    /// What became of the batches of earlier runs.
    private(set) var tally = OutboxTally()

    private let connection: ConnectionID
    private let store: any PlugStore
    private let limits: OutboxLimits
    private let clock: any HostClock
    private let makeDeliverer: (_ namespace: String) -> Deliverer
    private var deliverers: [String: Deliverer] = [:]
    private var askedAt: Int64 = 0
    /// Streams of which something from earlier runs still waits.
    private var behind: Set<StreamID> = []
    /// Whether there may be batches, so that a run without any need not ask.
    private var mayHoldBatches = false
    /// Batches from here on were queued by this run.
    private var firstOwn: Int64 = 0
    private var refusals: [StreamID: [RecordFingerprint: Int]] = [:]
    /// Refusals count once a run.
    private var counted: Set<RecordFingerprint> = []
    /// How many records the PDA gave no answer to, while it took others.
    private var unanswered = 0
    /// Why the PDA gave no answer to what was sent last: then nothing shows that it takes others.
    var doubt: PlugError?
    /// Whether records were refused, and nothing shows yet that it is their fault.
    private var hasDoubtful = false
    /// What became of records that this run has queued, by stream.
    private var settled: [String: SettledRecords] = [:]
    /// Records of earlier runs that went to the end of the queue.
    private var moved: Set<RecordFingerprint> = []

    /// - Parameter makeDeliverer: Makes the run's deliverer for a namespace, once for each: what it learns of the PDA spans
    ///   all batches. The plug's own namespace may have changed since a batch was queued.
    init(
        _ connection: ConnectionID,
        store: any PlugStore,
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

    // MARK: - Sending

    /// Sends what earlier runs have left, until the PDA does not take it.
    ///
    /// - Parameter waiting: What they have left.
    /// - Throws: `PlugError`: what stopped the delivery and is no outage, and what the store says.
    func drainAll(_ waiting: [WaitingOutbox]) async throws {
        mayHoldBatches = !waiting.isEmpty
        firstOwn = (waiting.map(\.ids.upperBound).max() ?? 0) + 1
        behind = Set(waiting.map(\.stream))
        for outbox in waiting where outage == nil { try await catchUp(outbox.stream) }
    }

    /// Sends what earlier runs have left of one stream before anything newer of it, where the PDA takes records: it may
    /// have come back while another stream asked it.
    ///
    /// - Throws: As `drainAll`.
    func catchUp(_ stream: StreamID) async throws {
        guard outage == nil, behind.contains(stream) else { return }
        try await drain(stream)
        if outage == nil { behind.remove(stream) }
    }

    /// Sends what still waits at the end of a run: what another stream found out to be possible again, and records that
    /// went to the end of the queue and get their second chance now that others were taken.
    ///
    /// - Throws: As `drainAll`.
    func drainRest() async throws {
        guard outage == nil, mayHoldBatches else { return }
        for outbox in try await store.outboxes(of: connection) where outage == nil { try await drain(outbox.stream) }
    }

    /// Sends what waits of one stream, until the PDA does not take it.
    ///
    /// - Throws: As `drainAll`.
    func drain(_ stream: StreamID) async throws {
        let waiting = try await store.outboxes(of: connection)
        guard let last = waiting.first(where: { $0.stream == stream })?.ids.upperBound else { return }
        let refusals = try await refusals(of: stream)
        let pass = try await store.currentPass(of: stream)
        while true {
            let batches = try await store.outbox(of: stream, limit: Self.readAhead).prefix { $0.id <= last }
            if batches.isEmpty { return }
            for stored in batches where try await !send(stored, refusals, pass) { return }
        }
    }

    /// What became of records that this run has queued, since this was asked last.
    func takeSettled(of stream: String) -> SettledRecords { settled.removeValue(forKey: stream) ?? SettledRecords() }

    private func deliverer(of namespace: String) -> Deliverer {
        if let known = deliverers[namespace] { return known }
        let made = makeDeliverer(namespace)
        deliverers[namespace] = made
        return made
    }

    /// In how many runs before this one each record was refused.
    private func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        if let known = refusals[stream] { return known }
        let loaded = try await store.refusals(of: stream)
        refusals[stream] = loaded
        return loaded
    }

    /// Sends one batch and settles it.
    ///
    /// - Returns: `false` where the PDA does not take it.
    private func send(
        _ stored: StoredOutboxBatch,
        _ refusals: [RecordFingerprint: Int],
        _ pass: Int64
    ) async throws -> Bool {
        let (path, records) = (stored.batch.path, stored.batch.records)
        let fingerprints = RecordFingerprint.all(in: stored.batch.fingerprints)
        let receipt = await deliverer(of: path.namespace).deliver(records, selection: records.entries.indices, to: path)
        {
            refusals[fingerprints[$0]] ?? 0
        }
        doubt = receipt.doubt
        try Accounts.check(receipt, sent: records.entries.count, stream: stored.stream.stream)
        var commit = StreamCommit(stream: stored.stream, pass: pass)
        var own = SettledRecords()
        var old = SettledRecords()
        var doubtful: [Int] = []
        var unanswered: [Int] = []
        for (index, fate) in receipt.fates.enumerated() {
            let fingerprint = fingerprints[index]
            if case .unanswered = fate {
                unanswered.append(index)
                continue
            }
            if case .refused = fate {
                doubtful.append(index)
                if counted.insert(fingerprint).inserted { commit.refused.append(fingerprint) }
                continue
            }
            if case .undelivered = fate { continue }
            if stored.id < firstOwn || moved.contains(fingerprint) { old.add(fate) } else { own.add(fate) }
            if case .deadLetter(let reason) = fate {
                commit.deadLetters.append(.refused(records, records.entries[index], to: path, reason))
            }
            if refusals[fingerprint] != nil || counted.contains(fingerprint) { commit.settled.append(fingerprint) }
        }
        if let stop = receipt.stop {
            // The batch stays as it is; what it taught of refusals is kept.
            commit.deadLetters = []
            commit.settled = []
            if !commit.refused.isEmpty { try await store.commit(commit) }
            guard receipt.isOutage else { throw stop.inStream(stored.stream.stream) }
            note(outage: stop)
            return false
        }
        outage = nil
        if stored.id < firstOwn { moved.formUnion((doubtful + unanswered).map { fingerprints[$0] }) }
        // Each record that gets no answer waits in a batch of its own, at the end of the queue.
        if !doubtful.isEmpty { hasDoubtful = true }
        for indexes in (doubtful.isEmpty ? [] : [doubtful]) + unanswered.map({ [$0] }) {
            var batch = OutboxBatch(path: path, records: records, selection: indexes, fingerprints: fingerprints)
            batch.waitsSince = stored.at
            commit.outbox.append(batch)
        }
        for _ in unanswered { noteUnanswered() }
        try await store.settle(stored.id, with: commit)
        tally.drained += old.delivered + old.duplicates
        tally.deadLetters += old.deadLetters
        settled[stored.stream.stream, default: SettledRecords()] += own
        return true
    }

    // MARK: - Filling

    /// Remembers that this run queues batches.
    func noteQueued() { mayHoldBatches = true }

    /// Remembers that the PDA takes records, and gives no answer to one of them.
    func noteUnanswered() { unanswered += 1 }

    /// Remembers that the PDA does not take records just now.
    func note(outage error: PlugError) {
        outage = error
        askedAt = clock.now()
    }

    /// Whether the PDA was left alone long enough to be asked again.
    var mayAskAgain: Bool { outage == nil || abs(clock.now() - askedAt) >= Self.pause }

    /// Whether another page of a stream may be queued.
    func hasRoom(_ stream: StreamID) async throws -> Bool {
        guard try await store.outboxSize(of: stream).bytes < limits.streamBytes else { return false }
        return try await store.outboxSize(of: nil).bytes < limits.hostBytes
    }

    /// The error of a stream that has to wait until there is room again.
    func full(_ stream: StreamID) -> PlugError {
        PlugError(
            "outbox-full",
            exit: .tryLater,
            "the outbox of stream '\(stream.stream)' is full, and nothing more is read: "
                + (outage?.message ?? "the PDA has not taken what waits"),
            advice: "run again when the PDA takes records; nothing is lost (plughost outbox list)",
            reach: .stream
        )
    }

    // MARK: - The end

    /// How many records of each stream wait at the end; `nil` where that is not known.
    private(set) var waitingRecords: [String: Int?] = [:]

    /// What became of the outbox, and what keeps the rest of it waiting.
    func end() async throws -> (tally: OutboxTally, error: PlugError?) {
        guard mayHoldBatches else { return (tally, nil) }
        do {
            for outbox in try await store.outboxes(of: connection) {
                tally.waiting += outbox.size.batches
                tally.waitingRecords = Counting.sum(tally.waitingRecords, outbox.records)
                waitingRecords[outbox.stream.stream] = .some(outbox.records)
            }
        } catch is CancellationError {
            // An interrupted run says what it did; how much waits the list tells.
            tally.waitingRecords = nil
            return (tally, nil)
        }
        guard tally.waiting > 0 else { return (tally, nil) }
        guard var error = outage ?? doubt else {
            if unanswered > 0 { return (tally, Self.unanswered(unanswered)) }
            return (tally, hasDoubtful ? Self.doubtful(tally.waiting) : nil)
        }
        error.message += "; \(tally.waitingText) in the outbox"
        return (tally, error)
    }

    private static func unanswered(_ records: Int) -> PlugError {
        PlugError(
            "pda-unanswered",
            exit: .failed,
            "the PDA takes other records, and fails at \(records == 1 ? "1 record" : "\(records) records"): each waits in the "
                + "outbox, and holds up nothing",
            advice: "see 'plughost outbox list'; each run tries again, and a person may drop what will never be taken",
            reach: .stream
        )
    }

    private static func doubtful(_ batches: Int) -> PlugError {
        PlugError(
            "pda-refuses-records",
            exit: .tryLater,
            "the PDA refuses records of \(batches == 1 ? "1 batch" : "\(batches) batches") in the outbox, and nothing "
                + "shows yet that it is their fault",
            advice: "run again later: a record that is refused in three runs becomes a dead letter",
            reach: .stream
        )
    }
}

/// What became of records of the outbox.
struct SettledRecords {
    var delivered = 0
    var duplicates = 0
    var deadLetters = 0

    mutating func add(_ fate: RecordFate) {
        switch fate {
        case .delivered: delivered += 1
        case .duplicate: duplicates += 1
        case .deadLetter: deadLetters += 1
        case .refused, .unanswered, .undelivered: break
        }
    }

    static func += (left: inout SettledRecords, right: SettledRecords) {
        left.delivered += right.delivered
        left.duplicates += right.duplicates
        left.deadLetters += right.deadLetters
    }
}

extension OutboxTally {
    /// `300 records wait`, in batches where nobody has counted them.
    public var waitingText: String {
        guard let waitingRecords else { return waiting == 1 ? "1 batch waits" : "\(waiting) batches wait" }
        return waitingRecords == 1 ? "1 record waits" : "\(waitingRecords) records wait"
    }
}

extension StreamCounts {
    /// Moves records out of the queue.
    mutating func settle(_ records: SettledRecords) {
        delivered += records.delivered
        duplicates += records.duplicates
        deadLetters += records.deadLetters
        queued -= records.delivered + records.duplicates + records.deadLetters
    }
}

extension OutboxBatch {
    /// Some records of a block, frozen.
    ///
    /// - Parameter fingerprints: Of the whole block, by index.
    init(path: DataPath, records: RecordBlock, selection: [Int], fingerprints: [RecordFingerprint]) {
        let packed = RecordFingerprint.packed(selection.map { fingerprints[$0] })
        self.init(path: path, records: RecordBlock(copying: selection, of: records), fingerprints: packed)
    }
}
