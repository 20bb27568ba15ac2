internal import PlugCore

/// The limits of one run. `LimitOptions` reads them from the command line.
package struct RunLimits: Sendable {
    /// How long it may take; `nil` for no limit. Then it ends like an interrupted one, and the next run continues.
    package var time: Duration?
    /// How much may wait in the outbox.
    package var outbox = OutboxLimits()
    /// How many dead letters may be kept.
    package var deadLetters = DeadLetterLimits()
    /// How many bytes of disk space answers may take while they wait to be decoded.
    package var scratch = ScratchRoom.usualLimit
    /// The maximum number of an answer's records in a block that is delivered at once; `nil` for the default. No option sets this
    /// or the next property: they exist for tests with small answers.
    package var blockRecords: Int?
    /// JSON answers larger than this many bytes are read in pieces; `nil` for the default.
    package var largestWholePage: Int?

    /// Creates the default limits, without a time limit.
    package init() {}
}
