package import PlugCore
package import Throttling

/// How a run delivers.
package struct DeliveryOptions: Sendable, Equatable {
    /// Whether the rest of a batch is assumed to be stored once 32 random records of it were all exact duplicates.
    package var acceptsDuplicates = false
    /// The maximum number of records in one request.
    package var maximumBatchRecords = 500
    /// The maximum size of a request body in bytes; a larger record is sent alone.
    package var maximumBatchBytes = 1 << 20
    /// How many records a run may post alone to find out whether they are stored.
    package var probesPerRun = 1000
    /// The maximum number of attempts for one request.
    package var tries = 5
    /// How long one request may wait in total if the PDA asks for it; beyond that its records go into the outbox, and the run
    /// holds no one up.
    package var maximumWait = Duration.seconds(120)
    /// How often a request may wait for that reason.
    package var maximumWaits = 10
    /// The waits between attempts.
    package var backoff = Backoff()

    /// Creates the default options.
    package init() {}
}

/// What a delivery reports to whoever shows progress.
package enum DeliveryEvent: Sendable, Equatable {
    /// A request was answered, or failed.
    case request(bytesOut: Int, bytesIn: Int)
    /// The number of further records known to be in the PDA.
    case proved(Int)
    /// A wait before the next attempt, with the code of the reason.
    case waiting(Duration, code: PlugError.Code)
}
