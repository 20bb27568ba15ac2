internal import PlugCore
internal import PlugStorage

/// Which batches of the outbox are sent in a run, where some of them get no answer to work with (500, a closed connection,
/// HTML): a pure decision, so that a few batches hold up nothing, and a PDA that is out of order is not asked for ever.
///
/// A batch that gets no answer is left where it is, and others are tried. Once the PDA takes one of them, it is the batch:
/// it is taken apart, what still gets no answer is marked, and marked batches are tried once a run, after everything else.
struct OutboxTrials {
    /// After so many failures in a row nothing more of a stream is tried, until the PDA takes something of another one.
    static let limitInARow = 3
    /// As long is spent on finding out, in microseconds: a PDA that lets every request run into its time-out is out of order.
    static let patience: Int64 = 60_000_000
    /// After so many failures nothing that is marked is tried any more in this run.
    static let limitOfMarked = 10
    /// After so many failures no batch is sent any more in this run.
    static let limitInARun = 60

    /// Whether only marked batches are tried, or only others.
    private var takesMarked = false
    /// How likely a marked batch is tried, from 0 to 1.
    private var chanceOfMarked = 1.0

    /// How many batches of each stream failed since something was answered.
    private var inARow: [StreamID: Int] = [:]
    /// When the first of them was sent, in microseconds.
    private var failsSince: Int64?
    private var failures = 0
    private var failuresOfMarked = 0
    /// How many batches lie behind the one that is looked at, and at how many the next one is sent.
    private var remaining = 0
    private var nextAt = Int.max
    /// Those that got no answer while nothing showed that the PDA takes anything.
    private var inDoubt: Set<Int64> = []
    /// The last batch of each stream that was queued when its records got no answer, all before it included.
    private var inDoubtUpTo: [StreamID: Int64] = [:]
    /// Those that are not tried again in this run.
    private var done: Set<Int64> = []
    /// Those of which the PDA refused records: they are tried again when others were taken.
    private var refused: Set<Int64> = []

    /// Whether the PDA seems to be out of order, whatever it is sent.
    private(set) var isOutage = false

    /// Begins with the oldest batch of a stream that has so many.
    mutating func begin(_ stream: StreamID, batches: Int, isDoubtful: Bool, chance: Double) {
        remaining = batches
        choose(stream, isDoubtful: isDoubtful, chance)
    }

    /// Chooses what is tried next. In doubt that is the one that tells most: what lies beside a batch that fails often fails,
    /// too, and the newest one is the least likely to do so.
    private mutating func choose(_ stream: StreamID, isDoubtful: Bool, _ chance: Double) {
        switch inARow[stream] ?? 0 {
        case 1 where isDoubtful: nextAt = max(0, remaining - 1 - Int(chance * Double(remaining)))
        case 2 where isDoubtful: nextAt = 0
        default: nextAt = .max
        }
    }

    /// What was queued in this run may tell more than what failed: one batch of each stream is tried in any case.
    mutating func allowOneMore() {
        for stream in inARow.keys { inARow[stream] = min(inARow[stream] ?? 0, Self.limitInARow - 1) }
    }

    /// From now on only marked batches are tried, of many only some, by chance, so that all have their turn; `nil` is back to
    /// the others.
    mutating func takesMarked(of count: Int?) {
        takesMarked = count != nil
        chanceOfMarked = Double(Self.limitOfMarked) / Double(max(1, count ?? 0))
    }

    /// The PDA was left alone for a while: what failed may be tried again, and one failure more is an outage.
    mutating func askAgain() {
        (inDoubt, inDoubtUpTo, isOutage, failsSince) = ([], [:], false, nil)
        for stream in inARow.keys { inARow[stream] = Self.limitInARow - 1 }
    }

    /// Lets refused records have their second chance.
    mutating func allowRefused() { refused = [] }

    /// Whether anything of a stream may be sent.
    ///
    /// - Parameter isDoubtful: Whether nothing shows that the PDA takes anything just now.
    func mayTry(_ stream: StreamID, isDoubtful: Bool) -> Bool {
        failures < Self.limitInARun && !(isDoubtful && !takesMarked && inARow[stream] ?? 0 >= Self.limitInARow)
    }

    /// Whether a batch is sent now.
    ///
    /// - Parameters:
    ///   - isDoubtful: As above.
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

    /// Records were queued up to this batch of a stream after they got no answer.
    mutating func noteQueuedInDoubt(upTo batch: Int64, of stream: StreamID) { inDoubtUpTo[stream] = batch }

    /// Something was settled: the PDA answers.
    mutating func noteAnswer() {
        // One that is taken after all says that others may be.
        chanceOfMarked = 1
        (inARow, failsSince, isOutage, nextAt) = ([:], nil, false, .max)
    }

    /// Records of a batch were refused.
    mutating func noteRefused(_ batch: Int64) { refused.insert(batch) }

    /// A batch, or what is left of it, got no answer.
    ///
    /// - Parameters:
    ///   - batch: `nil` for records that are not queued yet.
    ///   - isDoubtful: As above.
    ///   - start: When it was sent, in microseconds.
    ///   - now: Microseconds.
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
