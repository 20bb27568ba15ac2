public import PlugCore

/// How a run delivers.
public struct DeliveryOptions: Sendable, Equatable {
    /// Whether the rest of a batch is taken for stored once 32 random records of it were all exact duplicates.
    public var acceptsDuplicates = false
    /// Records in one request, at most.
    public var maximumBatchRecords = 500
    /// Bytes of one request's body, at most; a larger record travels alone.
    public var maximumBatchBytes = 1 << 20
    /// How many records a run may post alone to learn whether they are stored.
    public var probesPerRun = 1000
    /// How often one request is tried in all.
    public var tries = 5
    /// How long one request may wait in all where the PDA asks for it: then its records go into the outbox, and the run
    /// holds up nobody.
    public var maximumWait = Duration.seconds(120)
    /// How often it may wait for that.
    public var maximumWaits = 10
    /// The waits between tries.
    public var backoff = Backoff()

    /// The usual ones.
    public init() {}
}

/// What a delivery tells whoever shows progress.
public enum DeliveryEvent: Sendable, Equatable {
    /// A request was answered, or failed.
    case request(bytesOut: Int, bytesIn: Int)
    /// This many records more are known to be in the PDA.
    case proved(Int)
    /// Waiting before the next try, and the code of the reason.
    case waiting(Duration, code: String)
}
