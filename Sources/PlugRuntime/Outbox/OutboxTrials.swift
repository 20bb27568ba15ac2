internal import PlugCore
internal import PlugStorage

/// Decides which batches of the outbox a run sends when some of them get no usable answer (500, a closed connection, HTML): a
/// pure decision, so that a few batches hold up nothing, and a PDA that is out of order is not contacted for ever.
///
/// A batch that gets no answer is left where it is, and others are tried. Once the PDA accepts one of them, the batch is at
/// fault: it is split, what still gets no answer is marked, and marked batches are tried once a run, after everything else.
struct OutboxTrials {
    /// After this many consecutive failures no more of a stream is tried until the PDA accepts something from another one.
    static let limitInARow = 3
    /// The time spent on finding out, in microseconds: a PDA that lets every request run into its time-out is out of order.
    static let patience: Int64 = 60_000_000
    /// After this many failures no marked batch is tried again in this run.
    static let limitOfMarked = 10
    /// After this many failures no batch is sent again in this run.
    static let limitInARun = 60

    /// Whether only marked batches are tried, or only others.
    private var takesMarked = false
    /// The probability that a marked batch is tried, from 0 to 1.
    private var chanceOfMarked = 1.0

    /// The number of batches of each stream that failed since the last answer.
    private var inARow: [StreamID: Int] = [:]
    /// When the first of them was sent, in microseconds.
    private var failsSince: Int64?
    private var failures = 0
    private var failuresOfMarked = 0
    /// How many batches follow the one being considered, and at how many the next one is sent.
    private var remaining = 0
    private var nextAt = Int.max
    /// Batches that got no answer while nothing showed that the PDA accepts anything.
    private var inDoubt: Set<Int64> = []
    /// The last batch of each stream that was queued when its records got no answer; covers all batches before it.
    private var inDoubtUpTo: [StreamID: Int64] = [:]
    /// Batches that are not tried again in this run.
    private var done: Set<Int64> = []
    /// Batches with records that the PDA refused: they are tried again once others were accepted.
    private var refused: Set<Int64> = []

    /// Whether the PDA seems to be out of order, whatever it is sent.
    private(set) var isOutage = false

    /// Begins with the oldest batch of a stream, given how many it has.
    mutating func begin(_ stream: StreamID, batches: Int, isDoubtful: Bool, chance: Double) {
        remaining = batches
        choose(stream, isDoubtful: isDoubtful, chance)
    }

    /// Chooses what is tried next. In doubt that is the most telling batch: a failing batch's neighbours often fail too, and the
    /// newest batch is the least likely to.
    private mutating func choose(_ stream: StreamID, isDoubtful: Bool, _ chance: Double) {
        switch inARow[stream] ?? 0 {
        case 1 where isDoubtful: nextAt = max(0, remaining - 1 - Int(chance * Double(remaining)))
        case 2 where isDoubtful: nextAt = 0
        default: nextAt = .max
        }
    }

    /// What was queued in this run may be more telling than what failed: one batch of each stream is tried in any case.
    mutating func allowOneMore() {
        for stream in inARow.keys { inARow[stream] = min(inARow[stream] ?? 0, Self.limitInARow - 1) }
    }

    /// From now on only marked batches are tried, and if there are many, a random selection, so that all get their turn; `nil`
    /// returns to the others.
    mutating func takesMarked(of count: Int?) {
        takesMarked = count != nil
        chanceOfMarked = Double(Self.limitOfMarked) / Double(max(1, count ?? 0))
    }

    /// The PDA was left alone for a while: what failed may be tried again, and one more failure is an outage.
    mutating func askAgain() {
        (inDoubt, inDoubtUpTo, isOutage, failsSince) = ([], [:], false, nil)
        for stream in inARow.keys { inARow[stream] = Self.limitInARow - 1 }
    }

    /// Gives refused records their second chance.
    mutating func allowRefused() { refused = [] }

    /// Whether anything of a stream may be sent.
    ///
    /// - Parameter isDoubtful: Whether nothing shows that the PDA currently accepts anything.
    func mayTry(_ stream: StreamID, isDoubtful: Bool) -> Bool {
        failures < Self.limitInARun && !(isDoubtful && !takesMarked && inARow[stream] ?? 0 >= Self.limitInARow)
    }

    /// Whether a batch is sent now.
    ///
    /// - Parameters:
    ///   - isDoubtful: As for `mayTry`.
    ///   - chance: A number from 0 to 1.
    mutating func wants(_ stored: StoredOutboxBatch, isDoubtful: Bool, chance: Double) -> Bool {
        remaining -= 1
        guard (stored.batch.unanswered > 0) == takesMarked, !done.contains(stored.id), !refused.contains(stored.id),
            mayTry(stored.stream, isDoubtful: isDoubtful)
        else { return false }
        if takesMarked { return failuresOfMarked < Self.limitOfMarked && chance < chanceOfMarked }
        if isDoubtful, inDoubt.contains(stored.id) || stored.id <= inDoubtUpTo[stored.stream] ?? 0 { return false }
        return remaining <= nextAt
    }

    /// Notes that records were queued, up to this batch of a stream, after they got no answer.
    mutating func noteQueuedInDoubt(upTo batch: Int64, of stream: StreamID) { inDoubtUpTo[stream] = batch }

    /// Notes that something was settled: the PDA answers.
    mutating func noteAnswer() {
        // A batch accepted after all suggests that others may be.
        chanceOfMarked = 1
        (inARow, failsSince, isOutage, nextAt) = ([:], nil, false, .max)
    }

    /// Notes that records of a batch were refused.
    mutating func noteRefused(_ batch: Int64) { refused.insert(batch) }

    /// Notes that a batch, or what is left of it, got no answer.
    ///
    /// - Parameters:
    ///   - batch: `nil` for records that are not queued yet.
    ///   - isDoubtful: As for `mayTry`.
    ///   - start: When it was sent, in microseconds.
    ///   - now: The current time in microseconds.
    ///   - chance: A number from 0 to 1.
    mutating func noteUnanswered(
        _ batch: Int64?,
        of stream: StreamID,
        isDoubtful: Bool,
        since start: Int64,
        now: Int64,
        chance: Double
    ) {
        failures += 1
        if takesMarked { failuresOfMarked += 1 }
        if let batch {
            if isDoubtful, !takesMarked { inDoubt.insert(batch) } else { done.insert(batch) }
        }
        inARow[stream, default: 0] += 1
        choose(stream, isDoubtful: isDoubtful, chance)
        let since = failsSince ?? start
        failsSince = since
        isOutage = isDoubtful && now - since >= Self.patience
    }
}
