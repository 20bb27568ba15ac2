internal import PlugCore
internal import PlugDeliver
internal import PlugStorage

/// Decides what becomes of the records of one stream, without any I/O: events go in, and actions come out in the order in which
/// they must be performed.
///
/// The last action either asks something (`post`, `askForRoom`, `drain`), and its answer is the next event; or it says how to
/// proceed (`readOn`, `end`, `halt`).
struct StreamDelivery: Equatable {
    /// What the delivery is waiting for.
    enum Step: Equatable {
        /// Another page, or the end of the pass.
        case reading
        /// The answer to a page's records.
        case posting(SelectedRecords, hadUndecided: Bool)
        /// Whether there is room for the records that an outage left undelivered.
        case queueingRest(SelectedRecords, DeliveryReceipt, stop: PlugError)
        /// The second answer to undecided records, during the pass or at its end.
        case tryingAgain(SelectedRecords, isLast: Bool)
        /// Room for records to be queued, if necessary after sending what waits.
        case makingRoom(SelectedRecords, hasDrained: Bool)
        /// What became of the outbox after a page was queued.
        case queued(isRepeatable: Bool)
        /// What became of the outbox at the end of the pass.
        case ending
        /// Nothing: the delivery is over.
        case over
    }

    /// What happened.
    enum Event: Equatable {
        case page(IncomingPage, OutboxView)
        /// The PDA's answers, and when they were complete: in microseconds of a clock that never jumps.
        case answered(DeliveryReceipt, at: Int64)
        /// The outbox takes another page.
        case room
        /// The outbox is full; the error to report.
        case noRoom(PlugError)
        case drained(OutboxView)
        case committed(PendingCommit)
        case notCommitted(PendingCommit)
        /// What is proved must be committed before anything else happens: another stream goes first, or a state that several
        /// streams share is due.
        case checkpoint
        case passEnded
        /// The source, the store or the run failed.
        case failed(PlugError)
    }

    /// What must be done.
    enum Action: Equatable {
        /// Post records to the PDA, with the number of earlier runs that refused some of them, by index.
        case post(SelectedRecords, refusedBefore: [Int: Int])
        /// Ask whether there is room for another page in the outbox.
        case askForRoom
        /// Let the outbox send what waits of this stream, if the PDA may be contacted.
        case drain
        case commit(PendingCommit)
        /// Report to the outbox that the PDA cannot accept records at the moment.
        case noteOutage(PlugError)
        /// Report to the outbox that what was queued last got no answer, which may be its own fault.
        case noteUnanswered(PlugError)
        case readOn
        case end
        case halt(PlugError)
    }

    /// More undecided records than this cannot be chance: the stream stops.
    static let limitOfUndecided = 100
    /// For how long complete pages are gathered, in microseconds. It is short, because a page waits for its commit as long as the
    /// next one takes, and a process may die meanwhile.
    static let longestGathering: Int64 = 100_000

    let stream: String
    let path: DataPath
    /// The maximum size of the deliverer's requests.
    let options: DeliveryOptions
    /// Whether records that the ledger knows are sent as well.
    let resends: Bool
    /// Whether the ledger keeps its entries for good, so that none has to be noted twice.
    let remembers: Bool
    /// Whether all records go through the outbox.
    let queuesEverything: Bool
    /// How much complete pages gather for one commit.
    let commitBytes: Int
    /// The number of earlier runs in which each record was refused alone.
    let refusals: [RecordFingerprint: Int]

    var step = Step.reading
    var counts = StreamCounts()
    /// What the current page adds to the next commit. While records are undecided, the states wait with them.
    var pending = PendingCommit()
    /// Complete pages that wait to be committed with the next ones.
    var gathered = GatheredPages()
    /// Records that the PDA refused once when sent alone: kept in hand until it is clear who is at fault.
    var undecided = SelectedRecords()
    /// What is known to wait in the outbox, and what this run has queued.
    var waiting = WaitingRecords()
    /// Records with one `_id` but different contents.
    var conflicts = IdentityConflicts()
    /// How many known records came with other contents than before, but with the same version.
    var changed = 0

    /// Takes in an event and decides what to do.
    // Not inlined into asynchronous functions, whose frames would otherwise reserve room for every event and step.
    @inline(never)
    mutating func handle(_ event: Event) -> [Action] {
        switch (step, event) {
        case (.reading, .page(let page, let outbox)):
            note(outbox)
            return take(page, holdsBack: outbox.holdsBack)
        case (.reading, .checkpoint): return commit { $0.readOn() }
        case (.over, .checkpoint): return [.end]
        case (.reading, .passEnded): return undecided.isEmpty ? commit { $0.end() } : tryAgain(isLast: true)

        case (.posting(let records, let hadUndecided), .answered(let receipt, let now)):
            return book(receipt, of: records, hadUndecided: hadUndecided, at: now)
        case (.tryingAgain(let records, let isLast), .answered(let receipt, _)):
            return bookAgain(receipt, of: records, isLast: isLast)
        case (.queueingRest(let records, let receipt, let stop), .room):
            return queueRest(of: records, receipt, stop)
        case (.queueingRest(_, _, let stop), .noRoom): return halt(stop)

        case (.makingRoom(let records, _), .room): return queue(records, isRepeatable: true)
        case (.makingRoom(let records, hasDrained: false), .noRoom):
            step = .makingRoom(records, hasDrained: true)
            return [.drain]
        case (.makingRoom, .drained(let outbox)):
            note(outbox)
            return [.askForRoom]
        case (.makingRoom(let records, hasDrained: true), .noRoom(let error)):
            counts.undelivered += records.count
            return halt(error)

        case (.queued(let isRepeatable), .drained(let outbox)):
            note(outbox)
            return isRepeatable ? readOn() : [.askForRoom]
        case (.queued, .room): return readOn()
        case (.queued, .noRoom(let error)): return failed(error)

        case (.ending, .drained(let outbox)):
            note(outbox)
            step = .over
            return [.end]

        case (_, .committed(let commit)):
            if let state = commit.states[""] { counts.cursor = StoredStates.cursor(state) ?? counts.cursor }
            return []
        case (_, .notCommitted(let commit)):
            uncount(commit)
            return []
        case (_, .failed(let error)): return failed(error)
        default:
            // Our bug: what was not committed is read again.
            return failed(
                PlugError(.unexpected, "an unexpected event", advice: "report it; running again loses nothing")
            )
        }
    }

    /// Takes back the counts of records that a commit should have kept but did not.
    private mutating func uncount(_ commit: PendingCommit) {
        counts.queued -= commit.queued
        counts.deadLetters -= commit.deadLetters.count
        counts.undelivered += commit.queued + commit.deadLetters.count
    }

    private mutating func note(_ outbox: OutboxView) {
        if let waiting = outbox.waiting {
            self.waiting = waiting
            // Records queued by the next commit wait as well, though the store does not know them yet.
            for records in pending.outbox.map({ SelectedRecords(of: $0) }) { noteWaiting(records) }
        }
        counts.add(outbox.settled)
    }

    // MARK: - Continuing

    /// Commits what is proved and continues, unless some record has no fate: then the stream's position must not move.
    mutating func commit(then goOn: (inout StreamDelivery) -> [Action]) -> [Action] {
        if let fault = RecordBalance.fault(counts, inHand: undecided.count, stream: stream) { return halt(fault) }
        if counts.undelivered > 0 { return halt(RecordBalance.unbalanced(stream)) }
        return commit() + goOn(&self)
    }

    /// Everything that is certain by now; the stream's progress on the current page only if nothing is undecided.
    private mutating func commit() -> [Action] {
        var page = pending
        pending = undecided.isEmpty ? PendingCommit() : page.takeStates()
        let commit = gathered.take(with: page)
        return commit.isEmpty ? [] : [.commit(commit)]
    }

    /// Finishes a page whose records are proved. It is committed with the next ones if these come soon, because a commit costs as
    /// much as some hundred records; nothing else on the disk depends on it.
    mutating func finishPage(at now: Int64) -> [Action] {
        guard undecided.isEmpty, counts.undelivered == 0, pending.mayWait,
            RecordBalance.fault(counts, inHand: 0, stream: stream) == nil,
            gathered.bytes + pending.bytes < commitBytes, gathered.age(at: now) < Self.longestGathering
        else { return commit { $0.readOn() } }
        gathered.add(pending, at: now)
        pending = PendingCommit()
        return readOn()
    }

    /// Finishes the page.
    mutating func readOn() -> [Action] {
        step = .reading
        return RecordBalance.fault(counts, inHand: undecided.count, stream: stream).map { failed($0) } ?? [.readOn]
    }

    /// Finishes the pass, apart from what this run has queued.
    mutating func end() -> [Action] {
        let hasQueued = counts.queued > 0
        step = hasQueued ? .ending : .over
        return [hasQueued ? .drain : .end]
    }

    /// Keeps what is proved, without the states: the pages will be read again.
    mutating func halt(_ error: PlugError) -> [Action] {
        step = .over
        pending.states = [:]
        pending.endsPass = false
        pending.refused = undecided.fingerprints
        counts.undelivered += undecided.count
        undecided = SelectedRecords()
        let fault = RecordBalance.fault(counts, inHand: 0, stream: stream)
        return commit() + [.halt(fault ?? error.inStream(stream))]
    }

    /// Handles a failure: complete pages are kept, and if refused records are in hand, what is proved and refused as well.
    private mutating func failed(_ error: PlugError) -> [Action] {
        switch step {
        case .makingRoom(let records, _), .posting(let records, _): counts.undelivered += records.count
        case .tryingAgain(let records, _): undecided = records
        case .reading, .queueingRest, .queued, .ending, .over: break
        }
        if !undecided.isEmpty { return halt(error) }
        step = .over
        uncount(pending)
        pending = PendingCommit()
        return commit() + [.halt(error.inStream(stream))]
    }
}
