/// How much may wait in the outbox. Once a bound is reached, nothing more is read for the streams that it concerns.
///
/// A page is queued as a whole while there is room, so that a stream's bound may be passed by one page, and the host's by
/// one for each run that continues at the same time.
public struct OutboxLimits: Sendable, Equatable {
    /// Bytes of one stream of one connection.
    public var streamBytes = 8 << 20
    /// Bytes of all connections in one state folder.
    public var hostBytes = 1 << 30

    /// 8 MiB for a stream, 1 GiB for all.
    public init() {}
}

/// What became of the records that a connection's outbox held when a run began.
public struct OutboxTally: Sendable, Equatable {
    /// Records that are in the PDA now.
    public var drained = 0
    /// Records that the PDA refused for good.
    public var deadLetters = 0
    /// Batches that wait at the end, those of this run included.
    public var waiting = 0
    /// Records in them; `nil` if that is not known, as of batches that an earlier version has queued.
    public var waitingRecords: Int? = 0

    /// Nothing of anything.
    public init() {}

    /// `300 records wait`, in batches where nobody has counted them.
    public var waitingText: String {
        guard let waitingRecords else { return waiting == 1 ? "1 batch waits" : "\(waiting) batches wait" }
        return waitingRecords == 1 ? "1 record waits" : "\(waitingRecords) records wait"
    }
}
