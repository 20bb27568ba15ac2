internal import PlugCore

/// What one run may take. `LimitOptions` reads it from the command line.
package struct RunLimits: Sendable {
    /// How long it may take; `nil` for no limit. Then it ends as an interrupted one does, and the next run goes on.
    package var time: Duration?
    /// How much may wait in the outbox.
    package var outbox = OutboxLimits()
    /// How many dead letters may be kept.
    package var deadLetters = DeadLetterLimits()
    /// How many bytes of the disk the answers may take that wait there until they are decoded.
    package var scratch = ScratchRoom.usualLimit
    /// The most records of an answer in blocks that are delivered at once; `nil` for the usual number. No option sets it, nor the
    /// next one: they are there for tests with small answers.
    package var blockRecords: Int?
    /// Answers of JSON of more bytes are read in pieces; `nil` for the usual number.
    package var largestWholePage: Int?

    /// The usual ones, without a limit of time.
    package init() {}
}
