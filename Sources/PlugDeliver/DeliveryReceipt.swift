package import PlugCore

/// The fate of one record.
package enum RecordFate: Sendable, Equatable {
    /// Stored by this run: answered with 201, or proved after the answer to our own request was lost.
    case delivered
    /// Proved to have been stored before this run.
    case duplicate
    /// Refused by the PDA, with enough evidence that it is the record's fault.
    case deadLetter(reason: String)
    /// Refused when sent alone, without enough evidence yet: counts towards later runs.
    case refused(reason: String)
    /// The PDA gives no usable answer to this record alone, while it accepts others: it holds up nothing, and never becomes a
    /// dead letter.
    case unanswered(reason: String)
    /// Not known to be stored; must be sent again.
    case undelivered
}

/// The fates of a selection of records.
package struct DeliveryReceipt: Sendable, Equatable {
    /// One fate for each record, in the order of the selection.
    package var fates: [RecordFate]
    /// Why delivery stopped before the end; `nil` if it did not.
    package var stop: PlugError?
    /// Whether it paused so that what is proved by now can be committed, before the rest is sent.
    package var isPaused = false
    /// Whether it stopped because the PDA cannot accept records at the moment: it is unreachable, busy or failing. The records
    /// can then be kept for later.
    package var isOutage = false
    /// Whether it stopped because no part of a batch gets a usable answer: the content may be why, which another batch will show.
    package var mayBeContent = false
    /// Why the last request got no usable answer, `nil` if it got one: while this is set, `unanswered` records may be due to the
    /// PDA's state.
    package var doubt: PlugError?
    /// Requests sent, retries included.
    package var requests = 0
    /// Bytes sent, headers included if the transport knows them.
    package var bytesOut = 0
    /// Bytes received.
    package var bytesIn = 0

    /// Creates a receipt with nothing known about `count` records.
    init(count: Int) { fates = Array(repeating: .undelivered, count: count) }
}
