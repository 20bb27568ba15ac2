package import PlugCore
package import Throttling

/// How a run delivers.
package struct DeliveryOptions: Sendable, Equatable {
    /// Whether the rest of a batch is taken for stored once 32 random records of it were all exact duplicates.
    package var acceptsDuplicates = false
    /// Records in one request, at most.
    package var maximumBatchRecords = 500
    /// Bytes of one request's body, at most; a larger record travels alone.
    package var maximumBatchBytes = 1 << 20
    /// How many records a run may post alone to learn whether they are stored.
    package var probesPerRun = 1000
    /// How often one request is tried in all.
    package var tries = 5
    /// How long one request may wait in all where the PDA asks for it: then its records go into the outbox, and the run
    /// holds up nobody.
    package var maximumWait = Duration.seconds(120)
    /// How often it may wait for that.
    package var maximumWaits = 10
    /// The waits between tries.
    package var backoff = Backoff()

    /// The usual ones.
    package init() {}
}

/// What a delivery tells whoever shows progress.
package enum DeliveryEvent: Sendable, Equatable {
    /// A request was answered, or failed.
    case request(bytesOut: Int, bytesIn: Int)
    /// This many records more are known to be in the PDA.
    case proved(Int)
    /// Waiting before the next try, and the code of the reason.
    case waiting(Duration, code: PlugError.Code)
}
