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
    /// The most records of an answer in blocks that are delivered at once, and the largest answer of JSON that is read as a whole;
    /// `nil` for the usual numbers. No option sets them: they are there for tests with small answers.
    package var (blockRecords, largestWholePage): (Int?, Int?)

    /// The usual ones, without a limit of time.
    package init() {}
}
