internal import LosslessJSON
internal import PlugCore
internal import PlugDeliver
internal import PlugFetch
internal import PlugManifest
internal import PlugNormalise
internal import PlugStorage

/// One stream of a run: pages in, records out, one commit after each page's proof.
///
/// The next page is fetched while this one is delivered; other streams of the connection are read beside it, and deliver in
/// turn. While the PDA cannot take records the pages go into the outbox, as far as there is room.
struct StreamRun {
    let stream: Stream
    let path: DataPath
    let id: StreamID
    let request: RunRequest
    private let fetcher: any Fetcher
    private var states: StoredStates
    /// Whose turn it is, where streams are read at the same time.
    private let turn: DeliveryTurn?
    /// Whether no other stream is being delivered until this one ends.
    private var isAlone: Bool
    let normaliser: Normaliser
    let deliverer: Deliverer
    let outbox: ConnectionOutbox
    let store: any PlugStore
    let room: PageRoom
    let redactor: Redactor
    let observer: @Sendable (RunEvent) -> Void

    let fingerprinter: Fingerprinter
    private let pass: Int64
    private let met = MetParts()
    private let letterRoom: DeadLetterRoom
    private let mayHoldLetters: Bool
    let refusals: [RecordFingerprint: Int]
    var ledger: PassLedger
    var counts = StreamCounts()
    /// What the next commit takes. Where records that were refused alone wait for a verdict, the states wait with them.
    var pending: PendingCommit
    /// Records of one `_id` with different contents.
    var conflicts: IdentityConflicts
    /// What was wrong with the records of parents that were left out.
    var misfits: [PlugError] = []
    /// Whether some parent's records fit.
    var hasFitting = false
    private var findings = RecordFindings()

    /// - Parameter mayHoldLetters: Whether dead letters may be kept, whose limits are to be looked at before anything is read.
    init(
        stream: Stream,
        path: DataPath,
        connection: Connection,
        snapshot: StreamSnapshot?,
        mayHoldLetters: Bool,
        request: RunRequest,
        fetcher: any Fetcher,
        normaliser: Normaliser,
        deliverer: Deliverer,
        outbox: ConnectionOutbox,
        turn: DeliveryTurn?,
        store: any PlugStore,
        room: PageRoom,
        redactor: Redactor,
        observer: @escaping @Sendable (RunEvent) -> Void
    ) async throws {
        self.turn = turn
        isAlone = turn == nil
        self.stream = stream
        self.path = path
        self.request = request
        self.normaliser = normaliser
        self.deliverer = deliverer
        self.outbox = outbox
        self.store = store
        self.room = room
        self.redactor = redactor
        self.observer = observer
        id = StreamID(connection: connection.id, stream: stream.name)
        let found: StreamSnapshot
        if let snapshot { found = snapshot } else { found = try await store.snapshot(of: id) }
        self.fetcher = fetcher
        states = StoredStates(store: store, stream: id, whole: found.state, met: met)
        letterRoom = DeadLetterRoom(connection: connection.id, store: store, limits: request.limits.deadLetters)
        self.mayHoldLetters = mayHoldLetters
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
        conflicts = IdentityConflicts(remembers: !fingerprinter.comparesContent)
        counts.cursor = StoredStates.cursor(found.state)
    }

    /// Reads and delivers the pass to its end, or to an error. The counts are whole either way.
    mutating func run() async throws {
        defer { if isAlone { turn?.leaveAlone() } }
        do {
            while try await readPages() == .postpone {
                try await turn?.enterAlone()
                isAlone = true
                if turn?.isOver == true { return }
                states.whole = try await store.state(of: id, part: "")
            }
        } catch {
            guard !pending.undecided.isEmpty else { throw error }
            // The source failed while refused records were in hand: what is proved and refused is kept nevertheless.
            throw try await halt(PlugRun.plugError(error))
        }
    }

    /// Delivers pages to the end of the pass, or until another stream has to go first.
    private mutating func readPages() async throws -> DeliveryTurn.Answer {
        try await fetcher.withReader(of: stream.name, from: states) { try await deliverPages($0) }
    }

    private mutating func deliverPages(_ reader: any PageReader) async throws -> DeliveryTurn.Answer {
        try await outbox.catchUp(id)
        if outbox.holdsBack(id), try await !outbox.hasRoom(id) { throw outbox.full(id) }
        if mayHoldLetters { try await letterRoom.check([], in: id) }
        let (room, plug) = (room, request.manifest.id)
        var held = room.estimate(plug)
        try await room.reserve(held)
        var ahead = 0
        defer { room.release(held + ahead) }
        var upcoming = try await reader.next()
        while let page = upcoming {
            held = room.correct(held, of: plug, body: page.cost.bytes)
            // What cannot be read again is not read before this page is safe.
            let estimate = room.estimate(plug)
            ahead = page.isRepeatable && !page.endsPass && room.reserveAtOnce(estimate) ? estimate : 0
            let isReadAhead = ahead > 0
            async let following = isReadAhead ? reader.next() : nil
            let answer = try await processInTurn(page)
            guard answer == .deliver else { return answer }
            observer(.counts(stream: stream.name, counts))
            upcoming = try await following
            room.release(held)
            (held, ahead) = (ahead, 0)
            if isReadAhead || page.endsPass { continue }
            // Nothing is held here, so that nobody waits for who waits.
            try await room.reserve(estimate)
            held = estimate
            upcoming = try await reader.next()
        }
        try await settleUndecided(isLast: true)
        if counts.queued > 0, outbox.mayAskAgain { try await drain() }
        for fault in findings.warnings(stream, in: request.manifest) {
            observer(.warning(code: fault.code, message: fault.message))
        }
        let versionFault = findings.versionFault(stream, enough: RecordFindings.enoughOfARun)
        if let error = misfitSummary ?? conflicts.error(in: stream, redactor) ?? versionFault { throw error }
        return .end
    }

    private mutating func processInTurn(_ page: FetchedPage) async throws -> DeliveryTurn.Answer {
        guard let turn, !isAlone else {
            try await process(page)
            return .deliver
        }
        let answer = try await turn.take()
        guard answer == .deliver else { return answer }
        do { try await process(page) } catch {
            turn.give()
            throw error
        }
        if outbox.isCalm, pending.undecided.isEmpty {
            turn.give()
        } else {
            try await turn.stayAlone()
            isAlone = true
        }
        return .deliver
    }

    private mutating func process(_ fetched: FetchedPage) async throws {
        var page = fetched
        let before = (counts, pending)
        counts.requests += page.cost.requests
        counts.pages += page.cost.pages
        counts.bytesIn += page.cost.bytes
        let normalised = try normalise(&page)
        counts.fetched += normalised.block.entries.count + normalised.deadLetters.count
        counts.dropped += normalised.dropped
        counts.repaired += normalised.repaired
        findings.add(normalised.findings)
        pending.states.merge(page.states) { $1 }
        // A pass that left parents out is not complete: what earlier ones proved of them is not forgotten.
        pending.endsPass = pending.endsPass || (page.endsPass && misfits.isEmpty)
        let (selection, fingerprints): ([Int], [RecordFingerprint])
        do {
            try collect(normalised.deadLetters)
            // What cannot be read again is kept in any case.
            if page.isRepeatable, !pending.deadLetters.isEmpty {
                try await letterRoom.check(pending.deadLetters, in: id)
            }
            (selection, fingerprints) = try select(normalised.block)
        } catch {
            // The ledger cannot be asked: the page was not read.
            (counts, pending) = before
            throw error
        }
        if request.queuesEverything || !page.isRepeatable || outbox.holdsBack(id) {
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
        let hadUndecided = !pending.undecided.isEmpty
        let (selection, fingerprints) = queueNewerVersions(block, selection, fingerprints)
        let start = outbox.now
        let receipt = await deliver(block, selection, fingerprints)
        try RecordBalance.check(receipt, sent: selection.count, stream: stream.name)
        let isAccepted = book(receipt, block, selection, fingerprints)
        if let stop = receipt.stop {
            // Refused records in hand hold back the states, and with them the queue.
            guard receipt.isOutage || receipt.mayBeContent, pending.undecided.isEmpty, try await outbox.hasRoom(id)
            else { throw try await halt(stop) }
            if receipt.mayBeContent { outbox.holdBack(id, stop, since: start) } else { outbox.note(outage: stop) }
            let rest = receipt.fates.indices.filter { receipt.fates[$0] == .undelivered }
            counts.undelivered -= rest.count
            enqueue(
                block,
                rest.map { selection[$0] },
                rest.map { fingerprints[$0] },
                unanswered: receipt.mayBeContent && receipt.doubt == nil
            )
        }
        if isAccepted, hadUndecided { try await settleUndecided(isLast: false) }
        if pending.undecided.isEmpty { try await commit() } else { try await commit(pending.takeProof()) }
        if receipt.stop != nil, receipt.mayBeContent { try await outbox.noteHeldBackIsQueued(id) }
    }

    /// Keeps what is proved, without the states: the pages are read again.
    mutating func halt(_ error: PlugError) async throws -> PlugError {
        pending.states = [:]
        pending.endsPass = false
        pending.refused = pending.undecided.fingerprints
        counts.undelivered += pending.undecided.count
        pending.undecided = UndecidedRecords()
        try await commit()
        try checkBalance()
        return error.inStream(stream.name)
    }

    mutating func commit() async throws {
        let whole = pending
        pending = PendingCommit()
        try await commit(whole)
    }

    mutating func commit(_ pending: PendingCommit) async throws {
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
                met: met.take(),
                listsAllParts: request.since == nil && request.manifest.listsAllParents(of: stream),
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
        try RecordBalance.check(counts, inHand: pending.undecided.count, stream: stream.name)
    }
}
