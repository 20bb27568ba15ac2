internal import LosslessJSON
internal import PlugCore
internal import PlugDeliver
internal import PlugManifest
internal import PlugNormalise
internal import PlugStore

/// One stream of a run: pages in, records out, one commit after each page's proof.
///
/// The next page is fetched while this one is delivered; nothing else runs beside it. While the PDA cannot take records
/// the pages go into the outbox, as far as there is room.
struct StreamRun {
    let stream: Stream
    let path: DataPath
    let id: StreamID
    let request: RunRequest
    let reader: any PageReader
    let normaliser: Normaliser
    let deliverer: Deliverer
    let outbox: ConnectionOutbox
    let store: any PlugStore
    let observer: @Sendable (RunEvent) -> Void

    private let fingerprinter: Fingerprinter
    private let pass: Int64
    private let refusals: [RecordFingerprint: Int]
    private var ledger: PassLedger
    private(set) var counts = StreamCounts()
    /// What the next commit takes. Where records that were refused alone wait for a verdict, the states wait with them.
    private var pending: PendingCommit

    init(
        stream: Stream,
        path: DataPath,
        connection: Connection,
        snapshot: StreamSnapshot?,
        request: RunRequest,
        fetcher: any Fetcher,
        normaliser: Normaliser,
        deliverer: Deliverer,
        outbox: ConnectionOutbox,
        store: any PlugStore,
        observer: @escaping @Sendable (RunEvent) -> Void
    ) async throws {
        self.stream = stream
        self.path = path
        self.request = request
        self.normaliser = normaliser
        self.deliverer = deliverer
        self.outbox = outbox
        self.store = store
        self.observer = observer
        id = StreamID(connection: connection.id, stream: stream.name)
        let found: StreamSnapshot
        if let snapshot { found = snapshot } else { found = try await store.snapshot(of: id) }
        reader = try await fetcher.reader(
            of: stream.name,
            from: StoredStates(store: store, stream: id, whole: found.state)
        )
        fingerprinter = Fingerprinter(stream, key: connection.fingerprintKey)
        pass = found.pass
        refusals = found.refusals
        ledger = try await PassLedger(
            id,
            pass: pass,
            fingerprinter,
            hasRows: found.hasLedger,
            from: store
        )
        pending = PendingCommit()
        counts.cursor = StoredStates.cursor(found.state)
    }

    /// Reads and delivers the pass to its end, or to an error. The counts are whole either way.
    mutating func run() async throws {
        do {
            try await deliverPages()
        } catch {
            guard !pending.suspects.isEmpty else { throw error }
            // The source failed while refused records were in hand: what is proved and refused is kept nevertheless.
            throw try await halt(PlugRun.plugError(error))
        }
    }

    private mutating func deliverPages() async throws {
        try await outbox.catchUp(id)
        if outbox.outage != nil, try await !outbox.hasRoom(id) { throw outbox.full(id) }
        let reader = reader
        var upcoming = try await reader.next()
        while let page = upcoming {
            // What cannot be read again is not read before this page is safe.
            let isReadAhead = page.isRepeatable && !page.endsPass
            async let following = isReadAhead ? reader.next() : nil
            try await process(page)
            observer(.counts(stream: stream.name, counts))
            upcoming = isReadAhead || page.endsPass ? try await following : try await reader.next()
        }
        try await settleSuspects(isLast: true)
        if counts.queued > 0, outbox.mayAskAgain { try await drain() }
    }

    private mutating func process(_ page: FetchedPage) async throws {
        let before = (counts, pending)
        counts.requests += page.cost.requests
        counts.pages += page.cost.pages
        counts.bytesIn += page.cost.bytes
        let normalised = try normaliser.normalise(page)
        counts.fetched += normalised.block.entries.count + normalised.deadLetters.count
        counts.dropped += normalised.dropped
        counts.repaired += normalised.repaired
        pending.states.merge(page.states) { $1 }
        pending.endsPass = pending.endsPass || page.endsPass
        let (selection, fingerprints): ([Int], [RecordFingerprint])
        do {
            try collect(normalised.deadLetters)
            (selection, fingerprints) = try select(normalised.block)
        } catch {
            // The ledger cannot be asked: the page was not read.
            (counts, pending) = before
            throw error
        }
        if request.queuesEverything || !page.isRepeatable || outbox.outage != nil {
            try await queue(normalised.block, selection, fingerprints, isRepeatable: page.isRepeatable)
        } else {
            try await push(normalised.block, selection, fingerprints)
        }
        try checkBalance()
        try await ledger.relieveMemory()
    }

    /// Posts a page's records and commits what that proves, the states included once nothing is open.
    private mutating func push(
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint]
    ) async throws {
        // What this page's own records taught of each other is in the receipt already.
        let hadSuspects = !pending.suspects.isEmpty
        let receipt = await deliver(block, selection, fingerprints)
        try Accounts.check(receipt, sent: selection.count, stream: stream.name)
        let isAccepted = book(receipt, block, selection, fingerprints)
        if let stop = receipt.stop {
            // Refused records in hand hold back the states, and with them the queue.
            guard receipt.isOutage, pending.suspects.isEmpty, try await outbox.hasRoom(id) else {
                throw try await halt(stop)
            }
            outbox.note(outage: stop)
            let rest = receipt.fates.indices.filter { receipt.fates[$0] == .undelivered }
            counts.undelivered -= rest.count
            enqueue(block, rest.map { selection[$0] }, rest.map { fingerprints[$0] })
        }
        if isAccepted, hadSuspects { try await settleSuspects(isLast: false) }
        if pending.suspects.isEmpty { try await commit() } else { try await commit(pending.takeProof()) }
    }

    // MARK: - The outbox

    /// Puts a page's records into the outbox, in one transaction with the states, and drains it where the PDA may take
    /// records by now.
    private mutating func queue(
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint],
        isRepeatable: Bool
    ) async throws {
        queueSuspects()
        // A page that cannot be read again is kept in any case; the next one is not read where there is no room.
        if isRepeatable, !selection.isEmpty {
            let isRoom: Bool
            do { isRoom = try await hasRoom() } catch {
                counts.undelivered += selection.count
                throw error
            }
            guard isRoom else {
                counts.undelivered += selection.count
                throw try await halt(outbox.full(id))
            }
        }
        enqueue(block, selection, fingerprints)
        try await commit()
        if outbox.mayAskAgain { try await drain() }
        if !isRepeatable, try await !outbox.hasRoom(id) { throw outbox.full(id) }
    }

    /// Refused records that wait for a verdict go first: they hold back the states otherwise, and what follows is queued.
    private mutating func queueSuspects() {
        let suspects = pending.suspects
        guard !suspects.isEmpty else { return }
        pending.suspects = Suspects()
        pending.refused += suspects.fingerprints
        enqueue(suspects.block, Array(suspects.block.entries.indices), suspects.fingerprints)
    }

    /// Whether there is room for another page, if need be after trying to make some.
    private mutating func hasRoom() async throws -> Bool {
        if try await outbox.hasRoom(id) { return true }
        guard outbox.mayAskAgain else { return false }
        try await drain()
        return try await outbox.hasRoom(id)
    }

    private mutating func enqueue(_ block: RecordBlock, _ selection: [Int], _ fingerprints: [RecordFingerprint]) {
        let options = DeliveryOptions()
        var start = 0
        while start < selection.count {
            let end = block.endOfBatch(
                from: start,
                in: selection,
                records: options.maximumBatchRecords,
                bytes: options.maximumBatchBytes
            )
            let records = RecordBlock(copying: selection[start..<end], of: block)
            let packed = RecordFingerprint.packed(fingerprints[start..<end])
            pending.outbox.append(OutboxBatch(path: path, records: records, fingerprints: packed))
            start = end
        }
        if !selection.isEmpty { outbox.noteQueued() }
        // In the outbox they are safe, and nothing that is sent again.
        pending.proved += fingerprints
        counts.queued += selection.count
    }

    /// Sends what waits of this stream.
    private mutating func drain() async throws {
        defer { counts.settle(outbox.takeSettled(of: stream.name)) }
        try await outbox.drain(id)
    }

    // MARK: - Records

    /// Keeps what could not be normalised, once.
    private mutating func collect(_ letters: [DeadLetter]) throws {
        for letter in letters {
            let fingerprint = fingerprinter.fingerprint(letter)
            if try ledger.find(fingerprint) == .unknown {
                pending.deadLetters.append(letter)
                counts.deadLetters += 1
            } else {
                counts.known += 1
            }
            remember(fingerprint)
        }
    }

    /// The records that the ledger does not know, and that have not been met in this pass.
    private mutating func select(_ block: RecordBlock) throws -> (indexes: [Int], fingerprints: [RecordFingerprint]) {
        var indexes: [Int] = []
        var fingerprints: [RecordFingerprint] = []
        indexes.reserveCapacity(block.entries.count)
        fingerprints.reserveCapacity(block.entries.count)
        let candidates = fingerprinter.fingerprints(block)
        ledger.prefetch(candidates)
        for (index, fingerprint) in candidates.enumerated() {
            switch try ledger.find(fingerprint) {
            case .metInThisPass: counts.known += 1
            case .knownBefore where !request.resends:
                counts.known += 1
                remember(fingerprint)
            case .knownBefore, .unknown:
                indexes.append(index)
                fingerprints.append(fingerprint)
                ledger.meet(fingerprint)
            }
        }
        return (indexes, fingerprints)
    }

    private mutating func remember(_ fingerprint: RecordFingerprint) {
        ledger.meet(fingerprint)
        pending.proved.append(fingerprint)
    }

    private mutating func deliver(
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint]
    ) async -> DeliveryReceipt {
        let refusals = refusals
        let positions = refusals.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: zip(selection, fingerprints))
        let receipt = await deliverer.deliver(block, selection: selection, to: path) { index in
            positions[index].flatMap { refusals[$0] } ?? 0
        }
        counts.bytesOut += receipt.bytesOut
        return receipt
    }

    /// Books every fate.
    ///
    /// - Returns: Whether the PDA accepted a record.
    private mutating func book(
        _ receipt: DeliveryReceipt,
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint]
    ) -> Bool {
        var isAccepted = false
        for (at, fate) in receipt.fates.enumerated() {
            let fingerprint = fingerprints[at]
            let entry = block.entries[selection[at]]
            switch fate {
            case .delivered:
                counts.delivered += 1
                isAccepted = true
                prove(fingerprint)
            case .duplicate:
                counts.duplicates += 1
                prove(fingerprint)
            case .deadLetter(let reason):
                counts.deadLetters += 1
                pending.deadLetters.append(.refused(block, entry, to: path, reason))
                prove(fingerprint)
            case .refused: pending.suspects.append(block, entry, fingerprint)
            case .undelivered: counts.undelivered += 1
            }
        }
        return isAccepted
    }

    private mutating func prove(_ fingerprint: RecordFingerprint) {
        pending.proved.append(fingerprint)
        if refusals[fingerprint] != nil { pending.settled.append(fingerprint) }
    }

    /// Tries records again that were refused alone, now that others were accepted.
    private mutating func settleSuspects(isLast: Bool) async throws {
        guard !pending.suspects.isEmpty else { return }
        let suspects = pending.suspects
        pending.suspects = Suspects()
        let selection = Array(suspects.block.entries.indices)
        let receipt = await deliver(suspects.block, selection, suspects.fingerprints)
        _ = book(receipt, suspects.block, selection, suspects.fingerprints)
        if let stop = receipt.stop { throw try await halt(stop) }
        if pending.suspects.isEmpty { return try await commit() }
        guard isLast || pending.suspects.count > Suspects.limit else { return }
        let records = pending.suspects.count == 1 ? "1 record" : "\(pending.suspects.count) records"
        let fault = pending.suspects.count == 1 ? "its" : "their"
        let error = PlugError(
            "pda-refuses-records",
            exit: .tryLater,
            "the PDA refuses \(records) of this stream, and nothing shows yet that it is \(fault) fault",
            advice: "run again later: a record that is refused in three runs becomes a dead letter",
            stream: stream.name
        )
        throw try await halt(error)
    }

    /// Keeps what is proved, without the states: the pages are read again.
    private mutating func halt(_ error: PlugError) async throws -> PlugError {
        pending.states = [:]
        pending.endsPass = false
        pending.refused = pending.suspects.fingerprints
        counts.undelivered += pending.suspects.count
        pending.suspects = Suspects()
        try await commit()
        try checkBalance()
        return error.inStream(stream.name)
    }

    private mutating func commit() async throws {
        let whole = pending
        pending = PendingCommit()
        try await commit(whole)
    }

    private mutating func commit(_ pending: PendingCommit) async throws {
        guard !pending.isEmpty else { return }
        do { try await write(pending) } catch {
            // What was to be kept here is not kept.
            let queued = pending.outbox.reduce(0) { $0 + $1.records.entries.count }
            counts.queued -= queued
            counts.deadLetters -= pending.deadLetters.count
            counts.undelivered += queued + pending.deadLetters.count
            throw error
        }
        if let state = pending.states[""] { counts.cursor = StoredStates.cursor(state) ?? counts.cursor }
    }

    private func write(_ pending: PendingCommit) async throws {
        try await store.commit(
            StreamCommit(
                stream: id,
                pass: pass,
                states: pending.states,
                ledger: ledger.row(pending.proved),
                completesPass: pending.endsPass,
                deadLetters: pending.deadLetters,
                refused: pending.refused,
                settled: pending.settled,
                outbox: pending.outbox
            )
        )
    }

    private func checkBalance() throws {
        try Accounts.check(counts, inHand: pending.suspects.count, stream: stream.name)
    }
}
