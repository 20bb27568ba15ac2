internal import PlugCore

/// The fates of the records that a connection's outbox held when a run began.
package struct OutboxTally: Sendable, Equatable {
    /// The number of records that are now in the PDA.
    package var drained = 0
    /// The number of records that the PDA refused for good.
    package var deadLetters = 0
    /// The number of batches waiting at the end, those of this run included.
    package var waiting = 0
    /// The number of records in them; `nil` if unknown, as for batches queued by an earlier version.
    package var waitingRecords: Int? = 0

    /// All zero.
    package init() {}

    /// `300 records wait`, or the number of batches if the records were not counted.
    package var waitingText: String {
        guard let waitingRecords else { return waiting.counted("batch waits", "batches wait") }
        return waitingRecords.counted("record waits", "records wait")
    }
}
