internal import PlugCore
internal import PlugDeliver
internal import PlugStorage

/// What becomes of the records of one stream, decided without any I/O: events go in, and actions come out in the order in
/// which they have to be done.
///
/// The last action either asks something (`post`, `askForRoom`, `drain`), and its answer is the next event; or it says how
/// to go on (`readOn`, `end`, `halt`).
struct StreamDelivery: Equatable {
    /// What it waits for.
    enum Step: Equatable {
        /// Another page, or the end of the pass.
        case reading
        /// The answer to a page's records.
        case posting(SelectedRecords, hadUndecided: Bool)
        /// Whether there is room for those of them that an outage left undelivered.
        case queueingRest(SelectedRecords, DeliveryReceipt, stop: PlugError)
        /// The second answer to records that were undecided, on the way or at the end of the pass.
        case tryingAgain(SelectedRecords, isLast: Bool)
        /// Room for records that are to be queued, if need be after sending what waits.
        case makingRoom(SelectedRecords, hasDrained: Bool)
        /// What became of the outbox since a page was queued.
        case queued(isRepeatable: Bool)
        /// What became of the outbox at the end of the pass.
        case ending
        /// Nothing any more.
        case over
    }

    /// What happened.
    enum Event: Equatable {
        case page(IncomingPage, OutboxView)
        case answered(DeliveryReceipt)
        /// The outbox takes another page.
        case room
        /// The outbox takes no more, and this is what to say.
        case noRoom(PlugError)
        case drained(OutboxView)
        case committed(PendingCommit)
        case notCommitted(PendingCommit)
        case passEnded
        /// The source, the store or the run failed.
        case failed(PlugError)
    }

    /// What is to be done.
    enum Action: Equatable {
        /// Post records to the PDA; some were refused in so many earlier runs, by index.
        case post(SelectedRecords, refusedBefore: [Int: Int])
        /// Ask whether there is room for another page in the outbox.
        case askForRoom
        /// Let the outbox send what waits of this stream, if the PDA may be asked.
        case drain
        case commit(PendingCommit)
        /// Tell the outbox that the PDA does not take records just now.
        case noteOutage(PlugError)
        /// Tell the outbox that what was queued last got no answer, which may be its own fault.
        case noteUnanswered(PlugError)
        case readOn
        case end
        case halt(PlugError)
    }

    /// More undecided records than this are no accident: the stream stops.
    static let limitOfUndecided = 100

    let stream: String
    let path: DataPath
    /// How large the deliverer's requests may be.
    let options: DeliveryOptions
    /// Whether records that the ledger knows are sent, too.
    let resends: Bool
    /// Whether the ledger keeps what it has for good, so that nothing has to be noted in it twice.
    let remembers: Bool
    /// Whether all records go through the outbox.
    let queuesEverything: Bool
    /// In how many earlier runs records were refused alone.
    let refusals: [RecordFingerprint: Int]

    var step = Step.reading
    var counts = StreamCounts()
    /// What the next commit takes. While records are undecided, the states wait with them.
    var pending = PendingCommit()
    /// Records that the PDA refused alone, once: kept in hand until it is clear whose fault it is.
    var undecided = SelectedRecords()
    /// What waits in the outbox, as far as it was looked at, and what this run has queued.
    var waiting = WaitingRecords()
    /// Records of one `_id` with different contents.
    var conflicts: IdentityConflicts

    /// Takes in what happened, and decides what is to be done.
    // Not inlined into asynchronous functions, whose frames would have room for every event and step.
    @inline(never)
    mutating func handle(_ event: Event) -> [Action] {
        switch (step, event) {
        case (.reading, .page(let page, let outbox)):
            note(outbox)
            return take(page, holdsBack: outbox.holdsBack)
        case (.reading, .passEnded): return undecided.isEmpty ? end() : tryAgain(isLast: true)

        case (.posting(let records, let hadUndecided), .answered(let receipt)):
            return book(receipt, of: records, hadUndecided: hadUndecided)
        case (.tryingAgain(let records, let isLast), .answered(let receipt)):
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
            // Our bug: what is not committed is read again.
            return failed(
                PlugError(.unexpected, "an unexpected event", advice: "report it; running again loses nothing")
            )
        }
    }

    /// What was to be kept by a commit is not kept.
    private mutating func uncount(_ commit: PendingCommit) {
        counts.queued -= commit.queued
        counts.deadLetters -= commit.deadLetters.count
        counts.undelivered += commit.queued + commit.deadLetters.count
    }

    private mutating func note(_ outbox: OutboxView) {
        if let waiting = outbox.waiting {
            self.waiting = waiting
            // What the next commit queues waits as well, though the store does not know it yet.
            for records in pending.outbox.map({ SelectedRecords(of: $0) }) { noteWaiting(records) }
        }
        counts.add(outbox.settled)
    }

    // MARK: - How to go on

    /// Commits what is proved, and goes on, unless some record has no fate: then the place of the stream must not move.
    mutating func commit(then goOn: (inout StreamDelivery) -> [Action]) -> [Action] {
        if let fault = RecordBalance.fault(counts, inHand: undecided.count, stream: stream) { return halt(fault) }
        if counts.undelivered > 0 { return halt(RecordBalance.unbalanced(stream)) }
        return commit() + goOn(&self)
    }

    /// Everything that holds by now; how far the stream has come only where nothing is undecided.
    private mutating func commit() -> [Action] {
        var commit = pending
        pending = undecided.isEmpty ? PendingCommit() : commit.takeStates()
        return commit.isEmpty ? [] : [.commit(commit)]
    }

    /// The page is done.
    mutating func readOn() -> [Action] {
        step = .reading
        return RecordBalance.fault(counts, inHand: undecided.count, stream: stream).map { failed($0) } ?? [.readOn]
    }

    /// The pass is done, but for what this run has queued.
    mutating func end() -> [Action] {
        let hasQueued = counts.queued > 0
        step = hasQueued ? .ending : .over
        return [hasQueued ? .drain : .end]
    }

    /// Keeps what is proved, without the states: the pages are read again.
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

    /// Something failed on the way: what is proved and refused is kept where refused records are in hand.
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
        return [.halt(error.inStream(stream))]
    }
}
