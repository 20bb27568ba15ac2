/// How much may wait in the outbox. Once a bound is reached, nothing more is read for the streams that it concerns.
///
/// A page is queued as a whole while there is room, so that a stream's bound may be passed by one page, and the host's by
/// one for each run that continues at the same time.
package struct OutboxLimits: Sendable, Equatable {
    /// Bytes of one stream of one connection.
    package var streamBytes = 8 << 20
    /// Bytes of all connections in one state folder.
    package var hostBytes = 1 << 30

    /// 8 MiB for a stream, 1 GiB for all.
    package init() {}
}

/// What became of the records that a connection's outbox held when a run began.
package struct OutboxTally: Sendable, Equatable {
    /// Records that are in the PDA now.
    package var drained = 0
    /// Records that the PDA refused for good.
    package var deadLetters = 0
    /// Batches that wait at the end, those of this run included.
    package var waiting = 0
    /// Records in them; `nil` if that is not known, as of batches that an earlier version has queued.
    package var waitingRecords: Int? = 0

    /// Nothing of anything.
    package init() {}

    /// `300 records wait`, in batches where nobody has counted them.
    package var waitingText: String {
        guard let waitingRecords else { return waiting == 1 ? "1 batch waits" : "\(waiting) batches wait" }
        return waitingRecords == 1 ? "1 record waits" : "\(waitingRecords) records wait"
    }
}
