import Decoding
import LosslessJSON
import PlugCore

/// An answer that is decoded block by block: what is known of it until its last block is given, and with that its page ends.
struct OpenAnswer: Sendable {
    let decoder: AnswerDecoder
    let format: RecordFormat
    let reading: PageReading
    /// The page as it will be taken: its records so far are the first block's.
    var fetched: StreamWalk.Fetched
    /// The block to give next.
    var pending: DecodedBlock
    /// How many records there were in the blocks before it, broken ones included.
    var count: Int
    /// What they say of `since`.
    var summary: SinceSummary?
}

extension SinceSummary {
    /// The summary of these records and of those behind them.
    func joined(_ next: SinceSummary) -> SinceSummary {
        SinceSummary(
            maximum: SinceValue.later(maximum, next.maximum),
            last: next.last,
            isAscending: isAscending && next.isAscending,
            count: count + next.count,
            without: without + next.without
        )
    }
}
