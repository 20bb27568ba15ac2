package import PlugCore

/// What became of one record.
package enum RecordFate: Sendable, Equatable {
    /// Stored by this run: 201, or proved after an answer to our own send was lost.
    case delivered
    /// Stored before this run, by proof.
    case duplicate
    /// Refused by the PDA, with enough evidence that it is the record's fault.
    case deadLetter(reason: String)
    /// Refused alone, without enough evidence yet: counts for the next runs.
    case refused(reason: String)
    /// The PDA gives no answer to work with for this record alone, while it takes others: it holds up nothing, and is
    /// never a dead letter.
    case unanswered(reason: String)
    /// Not known to be stored; to be sent again.
    case undelivered
}

/// What became of a selection of records.
package struct DeliveryReceipt: Sendable, Equatable {
    /// One for each record, in the order of the selection.
    package var fates: [RecordFate]
    /// Why delivering stopped before the end, `nil` if it did not.
    package var stop: PlugError?
    /// Whether it stopped because the PDA cannot take records just now: it is out of reach, busy or failing. Then they
    /// can be kept for later.
    package var isOutage = false
    /// Whether it stopped because nothing of a batch gets an answer to work with: that may be what the batch holds, so that
    /// another batch tells.
    package var mayBeContent = false
    /// Why the last request got no answer to work with, `nil` if it got one: while it is set, records that are
    /// `unanswered` may owe it to the PDA's state.
    package var doubt: PlugError?
    /// Requests that were sent, tries included.
    package var requests = 0
    /// Bytes that were sent, headers included where the transport knows them.
    package var bytesOut = 0
    /// Bytes that came back.
    package var bytesIn = 0

    /// A receipt that says nothing yet about `count` records.
    init(count: Int) { fates = Array(repeating: .undelivered, count: count) }
}
